// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/headline/headline_figures.h"

#include "views/text/finding_text.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"
#include "views/text/simulation_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace cw {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Headline)
};

enum class Better { up, down };

/// What a tile is made from; the rest follows.
struct TileSource {
    std::string key;
    QString caption;
    std::string figureKey; ///< of figureNamed()
    Better better = Better::down;
    std::vector<std::string> targetKeys;
};

/// What was asked for says which latency matters, a missed target first; else the one that is usual for the kind of work.
std::string latencyKey(const WorkloadEstimate& workload) {
    for (const bool met : {false, true}) {
        for (const WorkloadEstimate::TargetResult& target : workload.targets)
            if (target.met == met && workload.latencyNamed(target.target))
                return target.target;
    }
    for (const char* key : {"step", "p99", "job", "finish", "ttft_p99", "p95", "p50"})
        if (workload.latencyNamed(key))
            return key;
    return workload.latency.empty() ? std::string() : workload.latency.front().name;
}

const WorkloadEstimate::TargetResult* targetOf(const WorkloadEstimate* workload, const std::vector<std::string>& keys) {
    if (!workload)
        return nullptr;
    for (const WorkloadEstimate::TargetResult& target : workload->targets)
        if (std::find(keys.begin(), keys.end(), target.target) != keys.end())
            return &target;
    return nullptr;
}

void addTarget(HeadlineFigure& tile, const WorkloadEstimate* workload, const std::vector<std::string>& keys) {
    const auto* target = targetOf(workload, keys);
    if (!target)
        return;
    tile.target = target->met ? TargetState::met : TargetState::missed;
    // A target on another percentile than the one shown says so: a latency tile may carry the target on the first token.
    const QString wanted = quantityText(target->wanted, target->unit);
    tile.targetText = target->target == keys.front() ? Words::tr("target %1").arg(wanted)
                                                     : Words::tr("%1 target %2").arg(targetName(target->target), wanted);
}

void addChange(HeadlineFigure& tile, const Quantity& value, const std::optional<Quantity>& before, Better better) {
    if (!before || before->unit != value.unit)
        return;
    const ChangeText change = changeText(value, *before);
    if (!change.ratio || *change.ratio == 0)
        return;
    tile.change = change.text;
    tile.changeIs = (*change.ratio > 0) == (better == Better::up) ? Judgement::good : Judgement::bad;
}

void addHelp(HeadlineFigure& tile, const std::optional<Quantity>& value, const std::optional<Quantity>& before,
             const QString& referenceName) {
    QStringList lines{tile.caption + QStringLiteral(": ") + tile.value};
    if (value)
        if (const QString range = rangeText(*value); !range.isEmpty())
            lines += Words::tr("Range: %1").arg(range);
    if (!tile.targetText.isEmpty())
        lines += tile.target == TargetState::met ? Words::tr("Meets its %1").arg(tile.targetText)
                                                 : Words::tr("Misses its %1").arg(tile.targetText);
    if (before && !tile.change.isEmpty())
        lines += Words::tr("%1 against %2: %3").arg(tile.change, referenceName, quantityText(*before));
    if (value)
        lines += Words::tr("Click to see how it is computed.");
    tile.help = lines.join(u'\n');
}

HeadlineFigure tileOf(const TileSource& source, const AlternativeEstimate& estimate, const WorkloadId& workload,
                      const AlternativeEstimate* reference, const QString& referenceName) {
    HeadlineFigure tile;
    tile.key = source.key;
    tile.caption = source.caption;
    const std::optional<Quantity> value = figureNamed(estimate, workload, source.figureKey);
    const std::optional<Quantity> before = reference ? figureNamed(*reference, workload, source.figureKey) : std::nullopt;
    tile.value = quantityText(value);
    addTarget(tile, estimate.workload(workload), source.targetKeys);
    if (value) {
        addChange(tile, *value, before, source.better);
        tile.figure = figureOf(estimate.id, workload, source.figureKey);
    }
    addHelp(tile, value, before, referenceName);
    if (const QString simulated = simulationText(estimate, workload, source.figureKey); !simulated.isEmpty()) {
        tile.note = Words::tr("sim", "figure of a simulation");
        tile.help += u'\n' + simulated;
    }
    return tile;
}

/// Share of the largest rate within the targets that is left; empty for work that does not arrive.
std::optional<double> marginOf(const WorkloadEstimate* workload) {
    if (!workload || !workload->throughput || !workload->capacity || !workload->latencyNamed("p99"))
        return std::nullopt;
    const Quantity &served = *workload->throughput, &most = *workload->capacity;
    if (!(served.value > 0) || !(most.value > 0) || served.unit != most.unit)
        return std::nullopt;
    return std::max(0.0, 1 - served.value / most.value);
}

/// Near its largest rate a service's tail is a matter of small errors: what is left is said first, and how wide the latency's range is.
void addMargin(HeadlineFigure& throughput, HeadlineFigure& latency, const WorkloadEstimate* workload) {
    constexpr double little = .1;
    const std::optional<double> margin = marginOf(workload);
    if (!margin)
        return;
    const QString most = quantityText(*workload->capacity);
    throughput.note = Words::tr("of %1").arg(most);
    throughput.help = Words::tr("Largest rate within the targets: %1, a margin of %2").arg(most, quantityText(*margin, Unit::fraction)) + u'\n' + throughput.help;
    if (*margin > little)
        return;
    throughput.note = Words::tr("margin %1").arg(quantityText(*margin, Unit::fraction));
    throughput.noteIs = Judgement::bad;
    const Quantity* p99 = workload->latencyNamed("p99");
    if (latency.note.isEmpty() && p99->known() && p99->high > 2 * p99->low)
        latency.note = Words::tr("%1 … %2").arg(quantityText(p99->low, p99->unit), quantityText(p99->high, p99->unit));
}

/// "742 / 868 kW" where both have the same unit.
QString pairText(const Quantity& first, const Quantity& second) {
    const QString a = quantityText(first), b = quantityText(second);
    const qsizetype spaceA = a.indexOf(u' '), spaceB = b.indexOf(u' ');
    if (spaceA > 0 && spaceB > 0 && a.mid(spaceA) == b.mid(spaceB))
        return a.left(spaceA) + QStringLiteral(" / ") + b;
    return a + QStringLiteral(" / ") + b;
}

HeadlineFigure powerTile(const AlternativeEstimate& estimate, const WorkloadId& workload, const AlternativeEstimate* reference,
                         const QString& referenceName) {
    HeadlineFigure tile = tileOf({"power", Words::tr("Power, IT / facility"), "facility", Better::down, {"facility_power"}},
                                 estimate, workload, reference, referenceName);
    tile.value = pairText(estimate.power.it, estimate.power.facility);
    if (estimate.power.pue.known())
        tile.note = Words::tr("PUE %1").arg(quantityText(estimate.power.pue));
    tile.help = Words::tr("IT: %1").arg(quantityWithRange(estimate.power.it)) + u'\n' +
        Words::tr("Facility: %1").arg(quantityWithRange(estimate.power.facility)) + u'\n' +
        Words::tr("Facility at peak: %1").arg(quantityText(estimate.power.facilityPeak)) + u'\n' + tile.help.section(u'\n', 2);
    return tile;
}

/// The rack that is nearest to its limit, or null.
const RackEstimate* fullestRack(const AlternativeEstimate& estimate) {
    const RackEstimate* fullest = nullptr;
    double share = -1;
    for (const RackEstimate& rack : estimate.racks) {
        const double its = rack.power.value / rack.limit.value;
        if (its > share) {
            share = its;
            fullest = &rack;
        }
    }
    return fullest;
}

std::int64_t rackCount(const AlternativeEstimate& estimate) {
    std::int64_t count = 0;
    for (const RackEstimate& rack : estimate.racks)
        count += rack.count;
    return count;
}

HeadlineFigure rackTile(const AlternativeEstimate& estimate, const AlternativeEstimate* reference, const QString& referenceName) {
    HeadlineFigure tile;
    tile.key = "racks";
    tile.caption = Words::tr("Racks");
    const Quantity count{static_cast<double>(rackCount(estimate)), {}, {}, Unit::count, noTerm};
    tile.value = estimate.racks.empty() ? QStringLiteral("–") : quantityText(count);
    if (reference) {
        const Quantity before{static_cast<double>(rackCount(*reference)), {}, {}, Unit::count, noTerm};
        addChange(tile, count, before, Better::down);
        if (!tile.change.isEmpty())
            tile.help = Words::tr("%1 against %2: %3").arg(tile.change, referenceName, quantityText(before)) + u'\n';
    }
    const auto over =
        std::count_if(estimate.racks.begin(), estimate.racks.end(), [](const RackEstimate& rack) { return !rack.ok; });
    const RackEstimate* fullest = fullestRack(estimate);
    if (over > 0) {
        tile.note = Words::tr("%1 over limit").arg(over);
        tile.noteIs = Judgement::bad;
    } else if (fullest && fullest->limit.known()) {
        tile.note = Words::tr("limit %1").arg(quantityText(fullest->limit));
    }
    if (!fullest)
        return tile;
    tile.help += Words::tr("Fullest: %1, %2 of %3")
                     .arg(QString::fromStdString(fullest->name), quantityText(fullest->power), quantityText(fullest->limit));
    tile.figure = Figure{estimate.id, Words::tr("Power of the fullest rack"),
                         [](const AlternativeEstimate& other) -> std::optional<Quantity> {
                             const RackEstimate* rack = fullestRack(other);
                             return rack ? std::optional(rack->power) : std::nullopt;
                         }};
    return tile;
}

} // namespace

WorkloadId defaultWorkload(const AlternativeEstimate& estimate) {
    for (const WorkloadEstimate& workload : estimate.workloads)
        if (workload.placed)
            return workload.id;
    return estimate.workloads.empty() ? WorkloadId() : estimate.workloads.front().id;
}

std::vector<HeadlineFigure> headlineFigures(const AlternativeEstimate& estimate, const WorkloadId& workloadId,
                                            const AlternativeEstimate* reference, const QString& referenceName) {
    const WorkloadEstimate* workload = estimate.workload(workloadId);
    const auto tile = [&](const TileSource& source) { return tileOf(source, estimate, workloadId, reference, referenceName); };
    const Unit rate = workload && workload->throughput ? workload->throughput->unit : Unit::one;
    const Unit perUnit = workload && workload->costPerUnit ? workload->costPerUnit->unit : Unit::dollarsPerMillionTokens;
    const std::string latency = workload ? latencyKey(*workload) : std::string();
    std::vector<HeadlineFigure> tiles;
    tiles.push_back(tile({"throughput", throughputName(rate), "throughput", Better::up, {"throughput"}}));
    tiles.push_back(tile({"latency",
                          latency.empty() ? Words::tr("Latency") : quantityName(latency),
                          latency,
                          Better::down,
                          {latency, "ttft_p99", "tpot_p99"}}));
    addMargin(tiles[0], tiles[1], workload);
    tiles.push_back(tile({"per_unit", costPerUnitName(perUnit), "per_unit", Better::down, {"dollars_per_unit"}}));
    tiles.push_back(tile({"per_hour", Words::tr("Cost per hour"), "per_hour", Better::down, {"dollars_per_hour"}}));
    tiles.push_back(powerTile(estimate, workloadId, reference, referenceName));
    tiles.push_back(rackTile(estimate, reference, referenceName));
    return tiles;
}

HeadlineBottleneck headlineBottleneck(const AlternativeEstimate& estimate, const WorkloadId& workloadId) {
    HeadlineBottleneck card;
    const WorkloadEstimate* workload = estimate.workload(workloadId);
    if (!workload) {
        card.title = Words::tr("No workload yet");
        card.detail = Words::tr("Add one in the inspector, with nothing selected.");
    } else if (!workload->placed) {
        card.title = Words::tr("Runs nowhere yet");
        card.detail = Words::tr("Select machines and choose “%1” in the inspector.").arg(QString::fromStdString(workload->name));
    } else if (!workload->feasible) {
        card.feasible = false;
        card.title = workload->memory && !workload->memory->fits ? Words::tr("Does not fit into memory")
                                                                 : Words::tr("Cannot run as drawn");
        for (const Finding& finding : estimate.findings)
            if (finding.severity == Severity::error) {
                card.title = findingTitle(finding);
                card.detail = findingDetail(finding);
                card.elements = finding.elements;
                break;
            }
    } else if (workload->bottleneck) {
        card.binds = true;
        card.title = bottleneckTitle(*workload->bottleneck);
        card.detail = bottleneckDetail(*workload->bottleneck);
        card.elements = workload->bottleneck->binding.elements;
    } else {
        card.title = Words::tr("No bottleneck found");
    }
    return card;
}

} // namespace cw
