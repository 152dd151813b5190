// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/names.h"
#include "views/text/vocabulary.h"

namespace cw {

namespace {

QString translated(const char* source) { return QCoreApplication::translate("Names", source); }

} // namespace

QString timePartName(TimePart part) {
    switch (part) {
    case TimePart::compute:
        return translated(QT_TRANSLATE_NOOP("Names", "Compute"));
    case TimePart::memory:
        return translated(QT_TRANSLATE_NOOP("Names", "Memory"));
    case TimePart::host:
        return translated(QT_TRANSLATE_NOOP("Names", "Host"));
    case TimePart::scaleUp:
        return translated(QT_TRANSLATE_NOOP("Names", "Scale-up link"));
    case TimePart::network:
        return translated(QT_TRANSLATE_NOOP("Names", "Network"));
    case TimePart::storage:
        return translated(QT_TRANSLATE_NOOP("Names", "Storage"));
    case TimePart::bubble:
        return translated(QT_TRANSLATE_NOOP("Names", "Pipeline bubble"));
    case TimePart::queueing:
        return translated(QT_TRANSLATE_NOOP("Names", "Queueing"));
    case TimePart::idle:
        return translated(QT_TRANSLATE_NOOP("Names", "Idle"));
    }
    return {};
}

QString elementKindName(ElementKind kind) {
    switch (kind) {
    case ElementKind::meta:
        return translated(QT_TRANSLATE_NOOP("Names", "Project"));
    case ElementKind::site:
        return translated(QT_TRANSLATE_NOOP("Names", "Site"));
    case ElementKind::workload:
        return translated(QT_TRANSLATE_NOOP("Names", "Workload"));
    case ElementKind::part:
        return translated(QT_TRANSLATE_NOOP("Names", "Part"));
    case ElementKind::alternative:
        return translated(QT_TRANSLATE_NOOP("Names", "Alternative"));
    case ElementKind::baseline:
        return translated(QT_TRANSLATE_NOOP("Names", "Baseline"));
    case ElementKind::node:
        return translated(QT_TRANSLATE_NOOP("Names", "Node"));
    case ElementKind::link:
        return translated(QT_TRANSLATE_NOOP("Names", "Link"));
    case ElementKind::rack:
        return translated(QT_TRANSLATE_NOOP("Names", "Rack"));
    case ElementKind::frame:
        return translated(QT_TRANSLATE_NOOP("Names", "Frame"));
    case ElementKind::placement:
        return translated(QT_TRANSLATE_NOOP("Names", "Placement"));
    case ElementKind::view:
        return translated(QT_TRANSLATE_NOOP("Names", "Drawing"));
    }
    return {};
}

QString patternName(Pattern pattern) {
    switch (pattern) {
    case Pattern::each:
        return translated(QT_TRANSLATE_NOOP("Names", "Each"));
    case Pattern::mesh:
        return translated(QT_TRANSLATE_NOOP("Names", "Mesh"));
    case Pattern::rail:
        return translated(QT_TRANSLATE_NOOP("Names", "Rail"));
    case Pattern::pair:
        return translated(QT_TRANSLATE_NOOP("Names", "Pair"));
    case Pattern::ring:
        return translated(QT_TRANSLATE_NOOP("Names", "Ring"));
    case Pattern::torus:
        return translated(QT_TRANSLATE_NOOP("Names", "Torus"));
    case Pattern::plane:
        return translated(QT_TRANSLATE_NOOP("Names", "Plane"));
    }
    return {};
}

QString patternHelp(Pattern pattern) {
    switch (pattern) {
    case Pattern::each:
        return translated(QT_TRANSLATE_NOOP("Names", "Every member has its cables, spread evenly over the other end."));
    case Pattern::mesh:
        return translated(QT_TRANSLATE_NOOP("Names", "Every member is cabled to every member of the other end."));
    case Pattern::rail:
        return translated(QT_TRANSLATE_NOOP("Names", "Port i of every member goes to member i of the other end."));
    case Pattern::pair:
        return translated(QT_TRANSLATE_NOOP("Names", "Member i is cabled to member i."));
    case Pattern::ring:
        return translated(QT_TRANSLATE_NOOP("Names", "The members of one stack form a ring."));
    case Pattern::plane:
        return translated(QT_TRANSLATE_NOOP(
            "Names", "Members go to the planes of the other end in turn, as spines of many pods meet in a core."));
    case Pattern::torus:
        return translated(QT_TRANSLATE_NOOP("Names", "The members of one stack form a torus of the given dimensions."));
    }
    return {};
}

QString frameKindName(FrameKind kind) {
    switch (kind) {
    case FrameKind::pod:
        return translated(QT_TRANSLATE_NOOP("Names", "Pod"));
    case FrameKind::room:
        return translated(QT_TRANSLATE_NOOP("Names", "Room"));
    case FrameKind::zone:
        return translated(QT_TRANSLATE_NOOP("Names", "Availability zone"));
    case FrameKind::region:
        return translated(QT_TRANSLATE_NOOP("Names", "Region"));
    case FrameKind::cloud:
        return translated(QT_TRANSLATE_NOOP("Names", "Cloud"));
    }
    return {};
}

QString procurementName(Procurement procurement) {
    switch (procurement) {
    case Procurement::inherit:
        return translated(QT_TRANSLATE_NOOP("Names", "As the alternative"));
    case Procurement::buy:
        return translated(QT_TRANSLATE_NOOP("Names", "Buy"));
    case Procurement::onDemand:
        return translated(QT_TRANSLATE_NOOP("Names", "Rent on demand"));
    case Procurement::reserved:
        return translated(QT_TRANSLATE_NOOP("Names", "Rent reserved"));
    case Procurement::spot:
        return translated(QT_TRANSLATE_NOOP("Names", "Rent spot"));
    }
    return {};
}

QString routingName(Routing routing) {
    switch (routing) {
    case Routing::random:
        return translated(QT_TRANSLATE_NOOP("Names", "At random"));
    case Routing::roundRobin:
        return translated(QT_TRANSLATE_NOOP("Names", "Round robin"));
    case Routing::leastWork:
        return translated(QT_TRANSLATE_NOOP("Names", "Least work"));
    case Routing::powerOfTwo:
        return translated(QT_TRANSLATE_NOOP("Names", "Better of two"));
    }
    return {};
}

QString scalingName(Scaling scaling) {
    switch (scaling) {
    case Scaling::whileUsed:
        return translated(QT_TRANSLATE_NOOP("Names", "While there is work"));
    case Scaling::fixed:
        return translated(QT_TRANSLATE_NOOP("Names", "Always"));
    case Scaling::autoscaled:
        return translated(QT_TRANSLATE_NOOP("Names", "As the load needs"));
    case Scaling::toZero:
        return translated(QT_TRANSLATE_NOOP("Names", "As needed, down to none"));
    }
    return {};
}

QString recomputeName(Recompute recompute) {
    switch (recompute) {
    case Recompute::automatic:
        return translated(QT_TRANSLATE_NOOP("Names", "Auto"));
    case Recompute::none:
        return translated(QT_TRANSLATE_NOOP("Names", "None"));
    case Recompute::selective:
        return translated(QT_TRANSLATE_NOOP("Names", "Selective"));
    case Recompute::full:
        return translated(QT_TRANSLATE_NOOP("Names", "Full"));
    }
    return {};
}

QString precisionName(Precision precision) {
    // Names of formats are the same in every language.
    switch (precision) {
    case Precision::mxfp8:
        return QStringLiteral("MXFP8");
    case Precision::nvfp4:
        return QStringLiteral("NVFP4");
    case Precision::mxfp4:
        return QStringLiteral("MXFP4");
    default:
        return text::fromUtf8(name(precision)).toUpper();
    }
}

QString provenanceName(Provenance provenance) {
    switch (provenance) {
    case Provenance::read:
        return translated(QT_TRANSLATE_NOOP("Names", "read"));
    case Provenance::recalled:
        return translated(QT_TRANSLATE_NOOP("Names", "recalled"));
    case Provenance::estimated:
        return translated(QT_TRANSLATE_NOOP("Names", "estimated"));
    case Provenance::user:
        return translated(QT_TRANSLATE_NOOP("Names", "yours"));
    }
    return {};
}

QString termOriginName(TermOrigin origin) {
    switch (origin) {
    case TermOrigin::computed:
        return translated(QT_TRANSLATE_NOOP("Names", "computed"));
    case TermOrigin::fact:
        return translated(QT_TRANSLATE_NOOP("Names", "fact"));
    case TermOrigin::input:
        return translated(QT_TRANSLATE_NOOP("Names", "input"));
    case TermOrigin::assumption:
        return translated(QT_TRANSLATE_NOOP("Names", "assumption"));
    case TermOrigin::calibrated:
        return translated(QT_TRANSLATE_NOOP("Names", "calibrated"));
    case TermOrigin::simulated:
        return translated(QT_TRANSLATE_NOOP("Names", "simulated"));
    }
    return {};
}

} // namespace cw
