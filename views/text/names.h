// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of codes and choices for people: one function a vocabulary. Any thread. Unknown codes come back readable (dots and underscores
// as spaces), so that new ones degrade gracefully.
#pragma once

#include "estimators/estimate.h"

#include <QString>

#include <string_view>

namespace cw {

QString resourceName(std::string_view code);     ///< "gpu.memory_bandwidth" → "HBM bandwidth"
bool hasResourceName(std::string_view code);     ///< for the test that compares the words with the sources
QString resourceText(const ResourceUse& use);    ///< with its label: "Leaf → Spine, link"
QString workloadKindName(std::string_view kind); ///< "llm_training" → "LLM training"
QString timePartName(TimePart part);
QString trafficName(std::string_view kind);     ///< "gradients" → "Gradient all-reduce"
QString costCategoryName(std::string_view key); ///< "servers", "energy", …
QString powerPartName(std::string_view key);    ///< "gpu", "cpu", "optics", …
QString tierName(std::string_view key);         ///< "scale-up", "leaf", …
QString partKindName(std::string_view kind);    ///< kindName(Part): "gpu" → "GPU"
QString elementKindName(ElementKind kind);
QString targetName(std::string_view key);     ///< TargetResult::target
QString algorithmName(std::string_view code); ///< of a collective: operation, algorithm, or what rules one out
QString rejectionName(std::string_view code); ///< ChosenPlan::Rejected::code
QString factName(std::string_view field);     ///< JSON key of a part: "tdp_w" → "TDP"

QString patternName(Pattern pattern);
QString patternHelp(Pattern pattern); ///< one sentence: how the members are cabled
QString frameKindName(FrameKind kind);
QString procurementName(Procurement procurement);
QString recomputeName(Recompute recompute);
QString scalingName(Scaling scaling);
QString routingName(Routing routing);
QString precisionName(Precision precision);
QString purposeName(std::string_view purpose);
QString provenanceName(Provenance provenance);
QString termOriginName(TermOrigin origin);

/// The name an element shows: its own, else its part or kind. Needs the project it is in.
QString elementName(const Project& project, const ElementRef& ref);

/// "Leaf → Spine uplinks, 93 % busy".
QString bottleneckTitle(const Bottleneck& bottleneck);
/// "next: HBM bandwidth, 71 % · relieving it: +18 % throughput".
QString bottleneckDetail(const Bottleneck& bottleneck);

} // namespace cw
