// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers out of the range that the file format allows. A file with such numbers does not open; this is for projects that came about in
// another way (an edit, a generator, an import).
#include "model/checks/report.h"
#include "model/io/fields.h"

#include <fmt/format.h>
#include <cmath>

namespace cw {
namespace {

template <class T> constexpr bool isNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// Visits the fields of one structure as reader and writer do, and tells of each number outside its range.
template <class T> class RangeVisitor {
public:
    RangeVisitor(Report& report, const T& from, const ElementRef& where, const std::string& name)
        : m_report(report)
        , m_from(from)
        , m_where(where)
        , m_name(name) {}

    template <class M> void operator()(const char* key, M T::* member, const char*, io::Range range = {}) {
        check(key, m_from.*member, range);
    }
    template <class M, class N> void operator()(const char* key, M T::* outer, N M::* inner, const char*, io::Range range = {}) {
        check(key, m_from.*outer.*inner, range);
    }
    template <class M> void allOrNone(const char* key, std::vector<M> T::* member, std::size_t, const char*, io::Range range) {
        check(key, m_from.*member, range);
    }
    template <class M> void required(const char*, M T::*, const char*) {}
    template <class M> void identity(M T::*, std::string T::*) {}
    void json(const char*, std::string T::*, const char*) {}
    void kinds(WorkloadSpec T::* member) {
        std::visit(
            [this](const auto& spec) {
                RangeVisitor<std::decay_t<decltype(spec)>> visitor(m_report, spec, m_where, m_name);
                io::describe(visitor, &spec);
            },
            m_from.*member);
    }

private:
    template <class M> void check(const char* key, const M& value, const io::Range& range) {
        if constexpr (isNumber<M>)
            number(key, static_cast<double>(value), range);
        else if constexpr (requires { si(value); })
            number(key, si(value), range);
        else if constexpr (requires { value.has_value(); }) {
            if (value.has_value())
                check(key, *value, range);
        } else if constexpr (std::is_same_v<M, std::vector<double>> || std::is_same_v<M, std::vector<int>>) {
            for (const auto one : value)
                check(key, one, range);
        } else if constexpr (std::is_same_v<M, Targets> || std::is_same_v<M, LoadProfile>) {
            RangeVisitor<M> visitor(m_report, value, m_where, m_name);
            io::describe(visitor, &value);
        } else if constexpr (std::is_same_v<M, std::vector<RackItem>> || std::is_same_v<M, std::vector<Pipeline::Stage>> ||
                             std::is_same_v<M, std::vector<Pipeline::Edge>>) {
            for (const auto& element : value) {
                RangeVisitor<std::decay_t<decltype(element)>> visitor(m_report, element, m_where, m_name);
                io::describe(visitor, &element);
            }
        }
    }
    void number(const char* key, double value, const io::Range& range) {
        if (value <= range.high && (range.aboveLow ? value > range.low : value >= range.low))
            return;
        const std::string field = key;
        const bool counts = field == "count" || field == "lanes" || field == "per_rack";
        m_report.add(Severity::error, counts ? "count.range" : "number.range", {m_where},
                     {{"name", m_name},
                      {"field", field},
                      {"value", std::isnan(value) ? "?" : fmt::format("{:g}", value)},
                      {"low", fmt::format("{:g}", range.low)},
                      {"high", range.high >= 1e300 ? "∞" : fmt::format("{:.10g}", range.high)}});
    }

    Report& m_report;
    const T& m_from;
    const ElementRef& m_where;
    const std::string& m_name;
};

template <class T> void visit(Report& report, const T& from, const ElementRef& where, const std::string& name) {
    RangeVisitor<T> visitor(report, from, where, name);
    io::describe(visitor, &from);
}

} // namespace

void checkNumbers(Report& report) {
    visit(report, report.project.site, {ElementKind::site, {}, {}}, report.project.site.name);
    for (const Workload& workload : report.project.workloads)
        visit(report, workload, report.ref(workload), workload.name);
    for (const Node& node : report.alternative.nodes)
        visit(report, node, report.ref(node), node.name);
    for (const Link& link : report.alternative.links)
        visit(report, link, report.ref(link), report.nameOf(link));
    for (const Rack& rack : report.alternative.racks)
        visit(report, rack, report.ref(rack), rack.name);
    for (const Frame& frame : report.alternative.frames)
        visit(report, frame, report.ref(frame), frame.name);
    for (const Placement& placement : report.alternative.placements)
        visit(report, placement, report.ref(placement), placement.id.value);
}

} // namespace cw
