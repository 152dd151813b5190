// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the headline says about one alternative and one of its workloads: a handful of tiles and the bottleneck. Pure functions of
// estimates, so that the strip, slides and tests agree. Any thread.
#pragma once

#include "views/text/figure.h"

#include <QString>

#include <optional>
#include <vector>

namespace cw {

enum class Judgement : quint8 { none, good, bad };
enum class TargetState : quint8 { none, met, missed };

struct HeadlineFigure {
    std::string key; ///< "throughput", "latency", "per_unit", "per_hour", "power", "racks"
    QString caption;
    QString value;  ///< "?" unknown, "–" does not apply
    QString change; ///< "▲ 12 %", empty when there is nothing to compare with
    Judgement changeIs = Judgement::none;
    QString note; ///< a short remark after the change: "IT / facility", "limit 41 kW"
    Judgement noteIs = Judgement::none;
    TargetState target = TargetState::none;
    QString targetText; ///< "target 300 ms"
    QString help;       ///< range, target and what the change is against, for the tool tip
    std::optional<Figure> figure;
};

struct HeadlineBottleneck {
    QString title; ///< "Leaf → Spine, 93 % busy"; why there is none otherwise
    QString detail;
    std::vector<ElementRef> elements;
    bool binds = false; ///< there is a bottleneck to look at
    bool feasible = true;
};

/// `reference` is what changes are told against (null: none) and `referenceName` how it is called in tool tips.
std::vector<HeadlineFigure> headlineFigures(const AlternativeEstimate& estimate, const WorkloadId& workload,
                                            const AlternativeEstimate* reference, const QString& referenceName);
HeadlineBottleneck headlineBottleneck(const AlternativeEstimate& estimate, const WorkloadId& workload);

/// The workload to start with: the first one that runs somewhere, else the first.
WorkloadId defaultWorkload(const AlternativeEstimate& estimate);

} // namespace cw
