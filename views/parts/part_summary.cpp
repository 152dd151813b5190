// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/part_summary.h"

#include "model/units/unit.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"
#include "views/theme/part_look.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace cw {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(PartSummary)
};
QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

struct GroupOf {
    using Group = std::optional<PartGroup>;
    Group operator()(const Server& server) const {
        switch (server.role) {
        case ServerRole::gpuServer:
        case ServerRole::rackSystem:
            return PartGroup::gpuServers;
        case ServerRole::cpuServer:
        case ServerRole::headNode:
            return PartGroup::cpuServers;
        case ServerRole::loadBalancer:
        case ServerRole::cacheNode:
        case ServerRole::storageServer:
            return PartGroup::services;
        }
        return PartGroup::cpuServers;
    }
    Group operator()(const Switch&) const { return PartGroup::switches; }
    Group operator()(const CloudInstance&) const { return PartGroup::cloud; }
    Group operator()(const RackType&) const { return PartGroup::racks; }
    Group operator()(const Gpu&) const { return PartGroup::devices; }
    Group operator()(const Cpu&) const { return PartGroup::devices; }
    Group operator()(const Medium&) const { return PartGroup::links; }
    Group operator()(const Protocol&) const { return PartGroup::links; }
    Group operator()(const Pdu&) const { return PartGroup::facility; }
    Group operator()(const Cooling&) const { return PartGroup::facility; }
    Group operator()(const NeuralModel&) const { return PartGroup::models; }
    Group operator()(const Region&) const { return std::nullopt; }
    Group operator()(const Constants&) const { return std::nullopt; }
};

QString bandText(const Band<Dollars>& band) {
    const QString low = quantityText(si(band.low), Unit::dollars);
    const QString high = quantityText(si(band.high), Unit::dollars);
    return low == high ? low : low + QStringLiteral(" – ") + high;
}

template <class P> QString priceOf(const P& part) {
    if constexpr (std::is_same_v<P, CloudInstance>) {
        if (part.onDemand)
            return quantityText(si(*part.onDemand) * 3600, Unit::dollarsPerHour);
        return {};
    } else if constexpr (requires { part.price->low; }) {
        return part.price ? bandText(*part.price) : QString();
    } else {
        return {};
    }
}

constexpr std::array<std::string_view, 22> keyFacts{"power_max_w",
                                                    "tdp_w",
                                                    "u_height",
                                                    "gpu_count",
                                                    "cpu_count",
                                                    "ram_gb",
                                                    "nics",
                                                    "memory_capacity_gb",
                                                    "memory_bandwidth_gb_s",
                                                    "bf16_tflops",
                                                    "fp16_tflops",
                                                    "cores_count",
                                                    "ports",
                                                    "radix_count",
                                                    "on_demand_usd_per_hour",
                                                    "raw_gb_s",
                                                    "achievable_gb_s",
                                                    "usable_kw",
                                                    "rack_limit_typical_kw",
                                                    "params_total_b",
                                                    "layers_count",
                                                    "hidden_size"};

QString listed(const std::vector<std::string>& fields) {
    QStringList names;
    for (const std::string& field : fields)
        names += factName(field);
    return names.join(QStringLiteral(", "));
}

QString paragraph(const QString& text) { return QStringLiteral("<p style='margin:4px 0 0 0'>%1</p>").arg(text); }

} // namespace

QString partGroupName(PartGroup group) {
    switch (group) {
    case PartGroup::favourites:
        return Words::tr("Favourites");
    case PartGroup::recent:
        return Words::tr("Recently used");
    case PartGroup::own:
        return Words::tr("Own parts");
    case PartGroup::gpuServers:
        return Words::tr("GPU servers");
    case PartGroup::cpuServers:
        return Words::tr("CPU servers");
    case PartGroup::switches:
        return Words::tr("Switches");
    case PartGroup::services:
        return Words::tr("Storage & services");
    case PartGroup::cloud:
        return Words::tr("Cloud instances");
    case PartGroup::racks:
        return Words::tr("Racks & frames");
    case PartGroup::devices:
        return Words::tr("Bare GPUs & CPUs");
    case PartGroup::links:
        return Words::tr("Links & protocols");
    case PartGroup::facility:
        return Words::tr("Power & cooling");
    case PartGroup::models:
        return Words::tr("Neural networks");
    }
    return {};
}

std::optional<PartGroup> partGroup(const Part& part) { return std::visit(GroupOf(), part); }

bool isPlaceable(const Part& part) {
    return std::holds_alternative<Server>(part) || std::holds_alternative<Switch>(part) ||
        std::holds_alternative<CloudInstance>(part) || std::holds_alternative<Gpu>(part) || std::holds_alternative<Cpu>(part) ||
        std::holds_alternative<RackType>(part);
}

QString partShortName(const PartInfo& part) {
    const QString name = fromUtf8(part.name);
    const QString vendor = fromUtf8(part.vendor) + QLatin1Char(' ');
    return vendor.size() > 1 && name.startsWith(vendor) && name.size() > vendor.size() ? name.mid(vendor.size()) : name;
}

QString partPrice(const Part& part) {
    return std::visit([](const auto& known) { return priceOf(known); }, part);
}

bool hasEstimatedKeyFacts(const Part& part) {
    const PartInfo& facts = info(part);
    if (facts.confidence == Provenance::estimated)
        return true;
    return std::any_of(facts.estimatedFields.begin(), facts.estimatedFields.end(), [](const std::string& field) {
        return std::find(keyFacts.begin(), keyFacts.end(), field) != keyFacts.end();
    });
}

QString partToolTip(const Part& part, const Catalog& catalog) {
    const PartInfo& facts = info(part);
    QString text = QStringLiteral("<b>%1</b>").arg(fromUtf8(facts.name).toHtmlEscaped());
    const QString figures = partFacts(part, catalog);
    if (!figures.isEmpty())
        text += paragraph(figures.toHtmlEscaped());
    if (const QString price = partPrice(part); !price.isEmpty())
        text += paragraph(Words::tr("Price: %1").arg(price).toHtmlEscaped());
    if (!facts.estimatedFields.empty())
        text += paragraph(Words::tr("Estimated: %1").arg(listed(facts.estimatedFields)).toHtmlEscaped());
    if (!facts.recalledFields.empty())
        text += paragraph(Words::tr("Recalled: %1").arg(listed(facts.recalledFields)).toHtmlEscaped());
    if (!facts.notes.empty())
        text += paragraph(QStringLiteral("<i>%1</i>").arg(fromUtf8(facts.notes).toHtmlEscaped()));
    QStringList sources;
    for (std::size_t i = 0; i < facts.sources.size() && i < 4; ++i)
        sources += QStringLiteral("• ") + fromUtf8(facts.sources[i].title).toHtmlEscaped();
    if (facts.sources.size() > 4)
        sources += Words::tr("… and %1 more").arg(facts.sources.size() - 4);
    if (!sources.isEmpty())
        text += paragraph(sources.join(QStringLiteral("<br/>")));
    return QStringLiteral("<div style='max-width:360px'>%1</div>").arg(text);
}

QString frameItemId(FrameKind kind) { return QStringLiteral("frame:") + fromUtf8(name(kind)); }

std::optional<FrameKind> frameKindOfItem(std::string_view id) {
    for (const FrameKind kind : frameKinds)
        if (frameItemId(kind) == fromUtf8(id))
            return kind;
    return std::nullopt;
}

} // namespace cw
