// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/report_builder.h"

#include "estimators/facility/bisection.h"
#include "views/canvas/render_topology.h"
#include "views/documents/assumptions.h"
#include "views/documents/bill_of_materials.h"
#include "views/documents/themed_plots.h"
#include "views/plots/chart_painter.h"
#include "views/racks/rack_painter.h"
#include "views/text/finding_text.h"
#include "views/text/figure.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

using Align = ReportTable::Align;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Documents)
};

QString fromUtf8(const std::string& text) { return QString::fromStdString(text); }
QString yesNo(bool value) { return value ? Text::tr("yes") : Text::tr("no"); }

/// Writes the sections in order; each method is one section.
class Builder {
  public:
    Builder(const EstimateSet& set, const AlternativeId& chosen) : m_set(set), m_project(set.project)
    {
        m_alternative = m_project.findAlternative(chosen);
        if (!m_alternative)
            m_alternative = m_project.baselineAlternative();
        if (m_alternative)
            m_estimate = set.find(m_alternative->id);
    }

    ReportContent build()
    {
        titlePage();
        if (!m_alternative || !m_estimate) {
            heading(Text::tr("Nothing to document"));
            paragraph(Text::tr("The project has no alternative yet."));
            return m_content;
        }
        summary();
        requirements();
        comparison();
        design();
        network();
        racks();
        power();
        bill();
        cost();
        reliability();
        findings();
        assumptions();
        return m_content;
    }

  private:
    // Blocks
    void heading(const QString& text, int level = 1, bool newPage = false) { m_content.blocks.push_back(Heading{level, text, newPage}); }
    void paragraph(const QString& text, Paragraph::Kind kind = Paragraph::Kind::body)
    {
        if (!text.isEmpty())
            m_content.blocks.push_back(Paragraph{text, kind});
    }
    void note(const QString& text) { paragraph(text, Paragraph::Kind::note); }
    void table(ReportTable made)
    {
        if (!made.rows.empty())
            m_content.blocks.push_back(std::move(made));
    }
    void chart(ChartKind kind, const WorkloadId& workload, const QString& id, double width = 1)
    {
        ChartInput input{std::shared_ptr<const EstimateSet>(&m_set, [](const EstimateSet*) {}), workload, m_alternative->id, false};
        ChartOptions options;
        options.y = defaultVerticalAxis(input);
        if (const auto axes = availableAxes(input, false); !axes.empty())
            options.x = axes.front();
        const QSize size = width < 1 ? QSize(440, 320) : QSize(760, 380);
        m_content.blocks.push_back(ReportPicture{id, chartTitle(kind), chartTitle(kind),
                                                 chartPicture(kind, input, plotStyle(Theme::light()), options, size), size, width});
    }
    static QString letterOf(const Project& project, const AlternativeId& id)
    {
        for (std::size_t i = 0; i < project.alternatives.size(); ++i)
            if (project.alternatives[i].id == id)
                return alternativeLetter(static_cast<int>(i));
        return {};
    }

    void titlePage()
    {
        const Meta& meta = m_project.meta;
        m_content.title = meta.title.empty() ? Text::tr("Cluster design") : fromUtf8(meta.title);
        m_content.subtitle = Text::tr("Design report");
        m_content.date = fromUtf8(meta.modified.empty() ? meta.created : meta.modified);
        const auto add = [&](const QString& name, const QString& value) {
            if (!value.isEmpty())
                m_content.control.emplace_back(name, value);
        };
        add(Text::tr("Site"), fromUtf8(m_project.site.name));
        add(Text::tr("Organisation"), fromUtf8(meta.organisation));
        add(Text::tr("Author"), fromUtf8(meta.author));
        add(Text::tr("Date"), m_content.date.left(10));
        if (m_alternative)
            add(Text::tr("Documented design"), letterOf(m_project, m_alternative->id) + u' ' + fromUtf8(m_alternative->name));
        add(Text::tr("Alternatives compared"), QString::number(m_project.alternatives.size()));
        add(Text::tr("Status"), Text::tr("Estimate; every figure with its range, see Assumptions and sources"));
    }

    void summary()
    {
        heading(Text::tr("Summary"));
        paragraph(fromUtf8(m_project.meta.notes), Paragraph::Kind::lead);
        ReportTable kpi{{}, {{Text::tr("Figure"), Align::left, 1.7}, {Text::tr("Estimate"), Align::right, 1.2}, {Text::tr("Range"), Align::right, 1.9}, {Text::tr("Target"), Align::right, .8}, {Text::tr("Met"), Align::centre, .5}}, {}};
        const bool several = m_estimate->workloads.size() > 1;
        const auto row = [&](const QString& name, const std::optional<Quantity>& q, const QString& target = {}, const QString& met = {}) {
            if (q)
                kpi.rows.push_back({{name, quantityText(*q), rangeText(*q), target, met}});
        };
        for (const WorkloadEstimate& w : m_estimate->workloads) {
            if (!w.placed)
                continue;
            if (several)
                kpi.rows.push_back({{fromUtf8(w.name)}, true});
            const auto target = [&](std::string_view key) -> std::pair<QString, QString> {
                for (const auto& t : w.targets)
                    if (t.target == key)
                        return {quantityText(t.wanted, t.unit), yesNo(t.met)};
                return {};
            };
            const auto [wanted, met] = target("throughput");
            row(Text::tr("Throughput"), w.throughput, wanted, met);
            for (const auto& latency : w.latency) {
                const auto [w2, m2] = target(latency.name);
                row(quantityName(latency.name), latency.quantity, w2, m2);
            }
            row(Text::tr("Cost per unit of work"), w.costPerUnit, target("dollars_per_unit").first, target("dollars_per_unit").second);
        }
        if (several)
            kpi.rows.push_back({{Text::tr("The whole design")}, true});
        row(Text::tr("Cost per hour"), m_estimate->cost.perHour);
        row(Text::tr("Purchase"), m_estimate->cost.capex);
        row(Text::tr("TCO over %1 years").arg(m_project.site.horizonYears), m_estimate->cost.tco);
        row(Text::tr("IT power, expected"), m_estimate->power.it);
        row(Text::tr("Facility power, expected"), m_estimate->power.facility);
        table(std::move(kpi));
        for (const WorkloadEstimate& w : m_estimate->workloads)
            if (w.bottleneck)
                paragraph(Text::tr("What limits %1: %2. %3").arg(fromUtf8(w.name), bottleneckTitle(*w.bottleneck), bottleneckDetail(*w.bottleneck)));
        const auto errors = std::count_if(m_estimate->findings.begin(), m_estimate->findings.end(), [](const Finding& f) { return f.severity == Severity::error; });
        if (errors)
            paragraph(Text::tr("%1 to be solved before this design can be built; see Findings.").arg(severityCount(Severity::error, errors)));
    }

    void requirements()
    {
        heading(Text::tr("Requirements and workloads"));
        for (const Workload& workload : m_project.workloads) {
            heading(fromUtf8(workload.name), 2);
            paragraph(fromUtf8(workload.notes));
            table(workloadTable(workload, m_estimate->catalog));
            reported(workload);
        }
    }

    void reported(const Workload& workload)
    {
        ReportTable made{Text::tr("Reported by the source of this case, what is estimated for each alternative, and what physics allows at best there"),
                         {{Text::tr("Figure"), Align::left, 1.3}, {Text::tr("Reported"), Align::right}, {Text::tr("Estimated"), Align::left, 1.4}, {Text::tr("Bound"), Align::left, 1.4}, {Text::tr("Remark"), Align::left, 2.2}}, {}};
        std::vector<const AlternativeEstimate*> estimates;
        for (const auto& alternative : m_set.alternatives)
            estimates.push_back(alternative.get());
        for (const ReportedFigure& figure : reportedFigures(m_project, estimates)) {
            if (figure.workload->id != workload.id)
                continue;
            const Reported& r = *figure.reported;
            QStringList estimated, bound;
            for (const ReportedFigure::Of& of : figure.of) {
                const QString letter = letterOf(m_project, of.alternative) + u' ';
                estimated << letter + quantityText(of.estimated);
                if (of.bound)
                    bound << letter + quantityText(*of.bound);
            }
            const auto listed = [](const QStringList& list) { return list.isEmpty() ? QStringLiteral("–") : list.join(QStringLiteral(" · ")); };
            made.rows.push_back({{estimated.isEmpty() ? fromUtf8(r.quantity) : quantityName(r.quantity),
                                  QStringLiteral("%1 %2").arg(QString::number(r.value, 'g', 6), fromUtf8(r.unit)), listed(estimated), listed(bound), fromUtf8(r.note)}});
        }
        table(std::move(made));
    }

    void comparison()
    {
        heading(Text::tr("Alternatives compared"), 1, true);
        ReportTable made{{}, {{Text::tr("Figure"), Align::left, 1.6}}, {}};
        std::vector<const AlternativeEstimate*> all;
        int index = 0;
        for (const auto& estimate : m_set.alternatives) {
            if (estimate) {
                all.push_back(estimate.get());
                made.columns.push_back({alternativeLetter(index) + u' ' + fromUtf8(estimate->name), Align::right});
            }
            ++index;
        }
        const auto add = [&](const QString& name, auto get) {
            ReportTable::Row row{{name}, false};
            bool any = false;
            for (const auto* estimate : all) {
                const std::optional<Quantity> q = get(*estimate);
                any = any || q.has_value();
                row.cells << (q ? quantityText(*q) : QStringLiteral("–"));
            }
            if (any)
                made.rows.push_back(std::move(row));
        };
        using Maybe = std::optional<Quantity>;
        for (const Workload& workload : m_project.workloads) {
            if (m_project.workloads.size() > 1)
                made.rows.push_back({{fromUtf8(workload.name)}, true});
            add(Text::tr("Throughput"), [&](const AlternativeEstimate& e) -> Maybe { const auto* w = e.workload(workload.id); return w ? w->throughput : Maybe(); });
            for (const char* key : {"step", "p50", "p99", "ttft_p99", "tpot_p99"})
                add(quantityName(key), [&](const AlternativeEstimate& e) -> Maybe {
                    const auto* w = e.workload(workload.id);
                    const Quantity* q = w ? w->latencyNamed(key) : nullptr;
                    return q ? Maybe(*q) : Maybe();
                });
            add(Text::tr("Cost per unit of work"), [&](const AlternativeEstimate& e) -> Maybe { const auto* w = e.workload(workload.id); return w ? w->costPerUnit : Maybe(); });
        }
        if (m_project.workloads.size() > 1)
            made.rows.push_back({{Text::tr("The whole design")}, true});
        add(Text::tr("Cost per hour"), [](const auto& e) -> Maybe { return e.cost.perHour; });
        add(Text::tr("Purchase"), [](const auto& e) -> Maybe { return e.cost.capex; });
        add(Text::tr("TCO"), [](const auto& e) -> Maybe { return e.cost.tco; });
        add(Text::tr("IT power"), [](const auto& e) -> Maybe { return e.power.it; });
        add(Text::tr("Facility power"), [](const auto& e) -> Maybe { return e.power.facility; });
        add(Text::tr("Carbon of operation"), [](const auto& e) -> Maybe { return e.carbon.operationPerYear; });
        add(Text::tr("Time between failures"), [](const auto& e) -> Maybe { return e.reliability.mtbfHours; });
        ReportTable::Row bottlenecks{{Text::tr("Bottleneck")}, false}, targets{{Text::tr("Targets met")}, false};
        for (const auto* estimate : all) {
            QStringList names;
            bool met = true;
            for (const auto& w : estimate->workloads) {
                if (w.bottleneck)
                    names << resourceText(w.bottleneck->binding);
                met = met && w.meetsTargets.value_or(true);
            }
            bottlenecks.cells << (names.isEmpty() ? QStringLiteral("–") : names.join(QStringLiteral("; ")));
            targets.cells << yesNo(met);
        }
        made.rows.push_back(bottlenecks);
        made.rows.push_back(targets);
        table(std::move(made));
        for (const Workload& workload : m_project.workloads) {
            if (m_project.workloads.size() > 1)
                heading(fromUtf8(workload.name), 2);
            const QString id = fromUtf8(workload.id.value);
            if (all.size() > 1)
                chart(ChartKind::costLatency, workload.id, QStringLiteral("cost-latency-") + id, .49);
            chart(ChartKind::timeParts, workload.id, QStringLiteral("time-") + id, .49);
            const auto hasCurve = [&](const AlternativeEstimate* e) { const auto* w = e->workload(workload.id); return w && !w->curve.empty(); };
            if (std::any_of(all.begin(), all.end(), hasCurve))
                chart(ChartKind::latencyLoad, workload.id, QStringLiteral("load-") + id, .49);
        }
    }

    void design()
    {
        heading(Text::tr("The design"), 1, true);
        paragraph(fromUtf8(m_alternative->notes));
        const QSize size = topologySize(m_project, m_alternative->id, m_estimate->catalog).toSize().expandedTo(QSize(480, 320));
        QPicture picture;
        QPainter painter(&picture);
        renderTopology(painter, m_project, m_alternative->id, m_estimate->catalog, m_estimate, QRectF(QPointF(0, 0), QSizeF(size)), ThemeKind::light);
        painter.end();
        m_content.blocks.push_back(ReportPicture{QStringLiteral("diagram"), Text::tr("Topology with the load of every link"),
                                                 Text::tr("Topology of %1").arg(fromUtf8(m_alternative->name)), picture, size, 1});
        ReportTable machines{Text::tr("Machines"), {{Text::tr("Stack"), Align::left, 1.5}, {Text::tr("Part"), Align::left, 2}, {Text::tr("Count"), Align::right, .7}, {Text::tr("Role")}, {Text::tr("Expected power"), Align::right, 1.1}, {Text::tr("Peak power"), Align::right, 1.1}}, {}};
        for (const Node& node : m_alternative->nodes) {
            const Part* part = m_estimate->catalog.findPart(node.part);
            QString expected = QStringLiteral("?"), peak = QStringLiteral("?");
            for (const NodePower& p : m_estimate->power.nodes)
                if (p.node == node.id) {
                    expected = quantityText(p.expected);
                    peak = quantityText(p.peak);
                }
            machines.rows.push_back({{fromUtf8(node.name), part ? fromUtf8(info(*part).name) : Text::tr("%1 (unknown part)").arg(fromUtf8(node.part.value)), QString::number(node.count), fromUtf8(node.role), expected, peak}});
        }
        table(std::move(machines));
        ReportTable memory{Text::tr("Plans and memory"), {{Text::tr("Workload"), Align::left, 1.5}, {Text::tr("Plan"), Align::left, 2.5}, {Text::tr("Memory a device"), Align::right, 1.4}, {Text::tr("Fits"), Align::centre, .5}}, {}};
        for (const WorkloadEstimate& w : m_estimate->workloads) {
            if (!w.placed)
                continue;
            const QString used = w.memory ? Text::tr("%1 of %2").arg(quantityText(w.memory->used), quantityText(w.memory->capacity)) : QStringLiteral("–");
            memory.rows.push_back({{fromUtf8(w.name), w.plan ? planText(*w.plan) : QStringLiteral("–"), used, w.memory ? yesNo(w.memory->fits) : QStringLiteral("–")}});
        }
        table(std::move(memory));
    }

    void network()
    {
        heading(Text::tr("Network"));
        paragraph(Text::tr("%1 switches, %2 cables; narrowest bisection %3, worst oversubscription %4 : 1.")
                      .arg(m_estimate->network.switches)
                      .arg(m_estimate->network.cables)
                      .arg(quantityText(m_estimate->network.bisection),
                           m_estimate->network.oversubscription.known() ? QString::number(m_estimate->network.oversubscription.value, 'g', 3) : QStringLiteral("?")));
        ReportTable tiers{Text::tr("Tiers"), {{Text::tr("Tier")}, {Text::tr("Devices that meet there"), Align::right}, {Text::tr("Bandwidth a device"), Align::right}, {Text::tr("Oversubscription"), Align::right}, {Text::tr("Bisection"), Align::right}}, {}};
        for (const auto& tier : m_estimate->network.tiers) {
            const double bisection = tierBisection(m_estimate->network, tier);
            tiers.rows.push_back({{tierName(tier.name), QString::number(tier.devices), quantityText(tier.bandwidthPerDevice, Unit::bytesPerSecond), QString::number(tier.oversubscription, 'g', 3),
                                   bisection > 0 ? quantityText(bisection, Unit::bytesPerSecond) : QStringLiteral("–")}});
        }
        table(std::move(tiers));
        ReportTable links{Text::tr("Load of every drawn link, all its cables together, one direction"),
                          {{Text::tr("Link"), Align::left, 2.2}, {Text::tr("Cables"), Align::right, .8}, {Text::tr("Capacity"), Align::right}, {Text::tr("Load →"), Align::right}, {Text::tr("Load ←"), Align::right}, {Text::tr("Mean"), Align::right, .8}, {Text::tr("Active"), Align::right, .8}, {Text::tr("Traffic"), Align::left, 1.8}}, {}};
        for (const LinkLoad& load : m_estimate->links) {
            QStringList traffic;
            for (const auto& share : load.shares)
                if (const QString name = trafficName(share.traffic); !traffic.contains(name))
                    traffic << name;
            links.rows.push_back({{elementName(m_project, {ElementKind::link, m_alternative->id, load.link.value}), QString::number(load.cables),
                                   quantityText(load.capacity, Unit::bytesPerSecond), quantityText(load.forward, Unit::bytesPerSecond),
                                   quantityText(load.backward, Unit::bytesPerSecond), quantityText(load.utilisation, Unit::fraction),
                                   quantityText(load.peakUtilisation, Unit::fraction), traffic.join(QStringLiteral(", "))}});
        }
        table(std::move(links));
        if (!m_estimate->links.empty())
            chart(ChartKind::linkLoads, {}, QStringLiteral("links"));
    }

    void racks()
    {
        heading(Text::tr("Racks, power and cooling"), 1, true);
        ReportTable made{{}, {{Text::tr("Rack"), Align::left, 1.5}, {Text::tr("Count"), Align::right, .6}, {Text::tr("Units"), Align::right, .8}, {Text::tr("Power, peak"), Align::right}, {Text::tr("Limit"), Align::right}, {Text::tr("Airflow"), Align::right, 1.1}, {Text::tr("Coolant"), Align::right, 1.1}, {Text::tr("Outlet"), Align::right, .8}, {Text::tr("Weight"), Align::right, .9}, {Text::tr("OK"), Align::centre, .4}}, {}};
        bool automatic = false;
        for (const RackEstimate& rack : m_estimate->racks) {
            automatic = automatic || rack.automatic;
            made.rows.push_back({{fromUtf8(rack.name) + (rack.automatic ? QStringLiteral(" *") : QString()), QString::number(rack.count), Text::tr("%1 of %2").arg(rack.unitsUsed).arg(rack.units),
                                  quantityText(rack.power), quantityText(rack.limit), quantityText(rack.airflow), rack.coolant ? quantityText(*rack.coolant) : QStringLiteral("–"),
                                  quantityText(rack.outlet), quantityText(rack.weight), yesNo(rack.ok)}});
        }
        table(std::move(made));
        if (automatic)
            note(Text::tr("* Not drawn: machines that stand in no drawn rack, packed into racks of the site's kind."));
        if (!m_estimate->racks.empty()) {
            chart(ChartKind::rackMargin, {}, QStringLiteral("rack-margin"));
            elevations();
        }
    }

    /// A row of a few racks a picture, so that the names in them can be read on paper.
    void elevations()
    {
        const QSize size(560, 350);
        for (int first = 0, painted = 1; painted > 0; first += painted) {
            QPicture picture;
            QPainter painter(&picture);
            painted = renderRacks(painter, m_project, m_alternative->id, m_estimate->catalog, m_estimate, QRectF(QPointF(0, 0), QSizeF(size)), ThemeKind::light, first);
            painter.end();
            if (painted > 0)
                m_content.blocks.push_back(ReportPicture{first == 0 ? QStringLiteral("elevations") : QStringLiteral("elevations-%1").arg(first),
                                                         Text::tr("Rack elevations, front"), Text::tr("Rack elevations"), picture, size, 1});
        }
    }

    void power()
    {
        heading(Text::tr("Power of the whole"), 2);
        ReportTable made{{}, {{Text::tr("Figure"), Align::left, 2}, {Text::tr("Estimate"), Align::right}, {Text::tr("Range"), Align::right, 1.4}}, {}};
        const PowerEstimate& p = m_estimate->power;
        for (const auto& [name, q] : {std::pair{Text::tr("IT, idle"), p.idle}, {Text::tr("IT, expected"), p.it}, {Text::tr("IT, peak"), p.peak}, {Text::tr("PUE"), p.pue},
                                      {Text::tr("Facility, expected"), p.facility}, {Text::tr("Facility, peak"), p.facilityPeak}, {Text::tr("Energy a year"), p.energyPerYear}})
            made.rows.push_back({{name, quantityText(q), rangeText(q)}});
        for (const auto& part : p.byPart)
            made.rows.push_back({{Text::tr("of which %1").arg(powerPartName(part.name)), quantityText(part.quantity), rangeText(part.quantity)}});
        table(std::move(made));
        chart(ChartKind::power, {}, QStringLiteral("power"));
    }

    void bill()
    {
        heading(Text::tr("Bill of materials"), 1, true);
        const Bill bill = billOfMaterials(m_project, *m_estimate);
        ReportTable made{{}, {{Text::tr("#"), Align::right, .4}, {Text::tr("Description"), Align::left, 2.6}, {Text::tr("Category"), Align::left, 1.1}, {Text::tr("Used by"), Align::left, 1.6}, {Text::tr("Qty"), Align::right, .7}, {Text::tr("Unit price"), Align::right}, {Text::tr("Total"), Align::right}}, {}};
        for (const BillLine& l : bill.lines)
            made.rows.push_back({{QString::number(l.line), l.description, l.category, l.usedBy, QString::number(l.quantity, 'f', 0), quantityText(l.unitPrice, Unit::dollars), quantityText(l.total, Unit::dollars)}});
        made.rows.push_back({{QString(), Text::tr("Total"), QString(), QString(), QString(), QString(), quantityText(bill.total, Unit::dollars)}, true});
        if (bill.lines.empty())
            paragraph(Text::tr("Nothing is bought: all machines are rented."));
        else
            table(std::move(made));
        if (bill.unknownPrices)
            note(Text::tr("%1 prices are unknown; the total cannot be given.").arg(bill.unknownPrices));
    }

    void cost()
    {
        heading(Text::tr("Cost"));
        const CostEstimate& c = m_estimate->cost;
        ReportTable made{Text::tr("Over %1 years at %2 % discount").arg(m_project.site.horizonYears).arg(m_project.site.discountRate * 100), {{Text::tr("Figure"), Align::left, 2}, {Text::tr("Estimate"), Align::right}, {Text::tr("Range"), Align::right, 1.4}}, {}};
        const auto row = [&](const QString& name, const Quantity& q, bool strong = false) { made.rows.push_back({{name, quantityText(q), rangeText(q)}, strong}); };
        for (const auto& part : c.byCategory)
            row(costCategoryName(part.name), part.quantity);
        row(Text::tr("Purchase"), c.capex, true);
        for (const auto& part : c.yearly)
            row(Text::tr("%1 a year").arg(costCategoryName(part.name)), part.quantity);
        row(Text::tr("Running cost a year"), c.opexPerYear, true);
        row(Text::tr("TCO"), c.tco, true);
        row(Text::tr("Cost per hour"), c.perHour, true);
        if (c.buyPerHour && c.rentPerHour) {
            row(Text::tr("Bought, per hour"), *c.buyPerHour);
            row(Text::tr("Rented, per hour"), *c.rentPerHour);
        }
        table(std::move(made));
        chart(ChartKind::cost, {}, QStringLiteral("cost"));
    }

    void reliability()
    {
        heading(Text::tr("Reliability and carbon"));
        const ReliabilityEstimate& r = m_estimate->reliability;
        ReportTable made{{}, {{Text::tr("Figure"), Align::left, 2}, {Text::tr("Estimate"), Align::right}, {Text::tr("Range"), Align::right, 1.4}}, {}};
        const auto row = [&](const QString& name, const Quantity& q) { made.rows.push_back({{name, quantityText(q), rangeText(q)}}); };
        row(Text::tr("Time between failures"), r.mtbfHours);
        row(Text::tr("Failures a day"), r.failuresPerDay);
        row(Text::tr("Goodput"), r.goodput);
        if (r.checkpointInterval)
            row(Text::tr("Best checkpoint interval"), *r.checkpointInterval);
        row(Text::tr("Carbon of operation a year"), m_estimate->carbon.operationPerYear);
        if (m_estimate->carbon.embodied)
            row(Text::tr("Embodied carbon"), *m_estimate->carbon.embodied);
        table(std::move(made));
        ReportTable tiers{Text::tr("Availability by tier"), {{Text::tr("Tier"), Align::left, 2}, {Text::tr("Availability"), Align::right}, {Text::tr("Capacity with one down"), Align::right}}, {}};
        for (const auto& tier : r.tiers)
            tiers.rows.push_back({{fromUtf8(tier.name), QString::number(tier.availability * 100, 'f', 4) + QStringLiteral(" %"), quantityText(tier.capacityWithOneDown, Unit::fraction)}});
        table(std::move(tiers));
    }

    void findings()
    {
        heading(Text::tr("Findings"), 1, true);
        if (m_estimate->findings.empty())
            paragraph(Text::tr("Nothing to report."));
        ReportTable made{{}, {{Text::tr("Weight"), Align::left, .7}, {Text::tr("Finding"), Align::left, 1.6}, {Text::tr("What it means"), Align::left, 3}, {Text::tr("Proposed change"), Align::left, 1.4}}, {}};
        for (const Finding& finding : m_estimate->findings)
            made.rows.push_back({{severityName(finding.severity), findingTitle(finding), findingDetail(finding), finding.fix ? fixLabel(finding) : QString()}});
        table(std::move(made));
    }

    void assumptions()
    {
        heading(Text::tr("Assumptions and sources"));
        paragraph(Text::tr("Everything the figures of this report rest on and that no datasheet says: what was assumed, calibrated or estimated."));
        table(assumptionTable(*m_estimate));
        if (ReportTable measured = measuredTable(m_project, *m_alternative, *m_estimate); !measured.rows.empty()) {
            heading(Text::tr("Measured neighbours"), 2);
            paragraph(Text::tr("Published runs most like the workloads of this design, and how far the estimator of this report is off there."));
            table(std::move(measured));
        }
        heading(Text::tr("Facts of the parts used"), 2);
        table(factTable(*m_estimate));
        heading(Text::tr("Sources"), 2);
        m_content.blocks.push_back(BulletList{sourceList(*m_estimate)});
    }

    const EstimateSet& m_set;
    const Project& m_project;
    const Alternative* m_alternative = nullptr;
    const AlternativeEstimate* m_estimate = nullptr;
    ReportContent m_content;
};

} // namespace

ReportContent buildReport(const EstimateSet& estimates, const AlternativeId& chosen) { return Builder(estimates, chosen).build(); }

} // namespace cw
