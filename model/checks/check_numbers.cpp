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

struct Fault {
    const char* field;
    double value;
    io::Range range;
};

/// Visits the fields of one structure as reader and writer do, and collects each number outside its range.
template <class T> class RangeVisitor {
public:
    RangeVisitor(std::vector<Fault>& faults, const T& from)
        : m_faults(faults)
        , m_from(from) {}

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
                RangeVisitor<std::decay_t<decltype(spec)>> visitor(m_faults, spec);
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
        } else if constexpr (std::is_same_v<M, Targets> || std::is_same_v<M, LoadProfile> || std::is_same_v<M, RequestFlow>) {
            RangeVisitor<M> visitor(m_faults, value);
            io::describe(visitor, &value);
        } else if constexpr (std::is_same_v<M, std::vector<RackItem>> || std::is_same_v<M, std::vector<Pipeline::Stage>> ||
                             std::is_same_v<M, std::vector<Pipeline::Edge>>) {
            for (const auto& element : value) {
                RangeVisitor<std::decay_t<decltype(element)>> visitor(m_faults, element);
                io::describe(visitor, &element);
            }
        }
    }
    void number(const char* key, double value, const io::Range& range) {
        if (!(value <= range.high && (range.aboveLow ? value > range.low : value >= range.low)))
            m_faults.push_back({key, value, range});
    }

    std::vector<Fault>& m_faults;
    const T& m_from;
};

template <class T> std::string nameOf(const Report& report, const T& element) {
    if constexpr (std::is_same_v<T, Link>)
        return report.nameOf(element);
    else if constexpr (std::is_same_v<T, Placement>)
        return element.id.value;
    else
        return element.name;
}

template <class T> void check(Report& report, const T& from) {
    std::vector<Fault> faults;
    RangeVisitor<T> visitor(faults, from);
    io::describe(visitor, &from);
    for (const Fault& fault : faults) {
        const std::string_view field = fault.field;
        const bool counts = field == "count" || field == "lanes" || field == "per_rack";
        report.add(Severity::error, counts ? "count.range" : "number.range", {report.ref(from)},
                   {{"name", nameOf(report, from)},
                    {"field", fault.field},
                    {"value", std::isnan(fault.value) ? "?" : fmt::format("{:g}", fault.value)},
                    {"low", fmt::format("{:g}", fault.range.low)},
                    {"high", fault.range.high >= 1e300 ? "∞" : fmt::format("{:.10g}", fault.range.high)}});
    }
}

template <class T> void checkAll(Report& report, const std::vector<T>& list) {
    for (const T& element : list)
        check(report, element);
}

} // namespace

void checkNumbers(Report& report) {
    check(report, report.project.site);
    checkAll(report, report.project.workloads);
    checkAll(report, report.alternative.nodes);
    checkAll(report, report.alternative.links);
    checkAll(report, report.alternative.racks);
    checkAll(report, report.alternative.frames);
    checkAll(report, report.alternative.placements);
}

} // namespace cw
