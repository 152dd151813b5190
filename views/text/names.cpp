// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/names.h"

#include "views/text/quantity_text.h"
#include "views/text/vocabulary.h"

#include <cmath>

namespace cw {

namespace {

using text::Word;
using text::wordFor;

constexpr Word resources[] = {
    CW_WORD("gpu.compute", "GPU compute"),
    CW_WORD("gpu.memory_bandwidth", "HBM bandwidth"),
    CW_WORD("gpu.memory_capacity", "GPU memory"),
    CW_WORD("gpu.memory", "GPU memory"),
    CW_WORD("gpu.scale_up", "Scale-up link"),
    CW_WORD("network.link", "Link"),
    CW_WORD("network.shared", "Others on its links"),
    CW_WORD("network.latency", "Network latency"),
    CW_WORD("cpu.cores", "CPU cores"),
    CW_WORD("cpu.compute", "CPU compute"),
    CW_WORD("cpu.memory_bandwidth", "CPU memory bandwidth"),
    CW_WORD("cpu.memory_capacity", "CPU memory"),
    CW_WORD("storage.read", "Storage reads"),
    CW_WORD("storage.write", "Storage writes"),
    CW_WORD("storage.capacity", "Storage capacity"),
    CW_WORD("host.launch", "Launch overhead of the host"),
    CW_WORD("host.pcie", "PCIe"),
    CW_WORD("pipeline.bubble", "Pipeline bubble"),
    CW_WORD("pipeline.stage", "Stage"),
    CW_WORD("power.rack", "Rack power"),
};

constexpr Word workloadKinds[] = {
    CW_WORD("llm_training", "LLM training"),
    CW_WORD("llm_serving", "LLM serving"),
    CW_WORD("batch_inference", "Batch inference"),
    CW_WORD("service", "CPU service"),
    CW_WORD("stream", "Stream"),
    CW_WORD("batch_job", "Batch job"),
    CW_WORD("hpc", "HPC"),
    CW_WORD("pipeline", "Pipeline of stages"),
};

constexpr Word traffics[] = {
    CW_WORD("gradients", "Gradient all-reduce"),
    CW_WORD("parameters", "Parameter gathering"),
    CW_WORD("pipeline", "Pipeline activations"),
    CW_WORD("tensor", "Tensor-parallel all-reduce"),
    CW_WORD("experts", "Expert all-to-all"),
    CW_WORD("context", "Context-parallel exchange"),
    CW_WORD("requests", "Requests and answers"),
    CW_WORD("kv", "KV cache transfer"),
    CW_WORD("shuffle", "Shuffle"),
    CW_WORD("replication", "Replication"),
    CW_WORD("checkpoint", "Checkpoints"),
    CW_WORD("storage", "Storage reads and writes"),
    CW_WORD("halo", "Halo exchange"),
    CW_WORD("reductions", "Global reductions"),
};

constexpr Word costCategories[] = {
    CW_WORD("servers", "Servers"),
    CW_WORD("switches", "Switches"),
    CW_WORD("cables", "Cables and optics"),
    CW_WORD("racks", "Racks"),
    CW_WORD("power", "Power distribution"),
    CW_WORD("cooling", "Cooling"),
    CW_WORD("installation", "Installation"),
    CW_WORD("spares", "Spares"),
    CW_WORD("energy", "Energy"),
    CW_WORD("support", "Support"),
    CW_WORD("space", "Space"),
    CW_WORD("staff", "Staff"),
    CW_WORD("rent", "Rent"),
    CW_WORD("capital", "Capital"),
    CW_WORD("transfer", "Billed traffic"),
};

constexpr Word powerParts[] = {
    CW_WORD("gpu", "GPUs"),      CW_WORD("cpu", "CPUs"),        CW_WORD("switches", "Switches"),
    CW_WORD("optics", "Optics"), CW_WORD("fans", "Fans"),       CW_WORD("storage", "Storage"),
    CW_WORD("other", "Other"),   CW_WORD("cooling", "Cooling"), CW_WORD("distribution", "Power distribution losses"),
};

constexpr Word tiers[] = {
    CW_WORD("scale-up", "Scale-up"),
    CW_WORD("leaf", "Leaf"),
    CW_WORD("spine", "Spine"),
    CW_WORD("core", "Core"),
    CW_WORD("super-core", "Super-core"),
    CW_WORD("frame", "Between frames"),
    CW_WORD("ring", "Ring"),
    CW_WORD("torus", "Torus"),
    CW_WORD("direct", "Direct"),
    CW_WORD("machine", "Machine"),
    CW_WORD("PCIe", "PCIe"),
};

constexpr Word partKinds[] = {
    CW_WORD("gpu", "GPU"),
    CW_WORD("cpu", "CPU"),
    CW_WORD("server", "Server"),
    CW_WORD("switch", "Switch"),
    CW_WORD("medium", "Link technology"),
    CW_WORD("protocol", "Protocol"),
    CW_WORD("rack", "Rack"),
    CW_WORD("pdu", "PDU"),
    CW_WORD("cooling", "Cooling"),
    CW_WORD("cloud_instance", "Cloud instance"),
    CW_WORD("model", "Neural network"),
    CW_WORD("region", "Region"),
    CW_WORD("constants", "Constants"),
};

constexpr Word targets[] = {
    CW_WORD("dollars_per_hour", "Cost per hour"),
    CW_WORD("dollars_per_unit", "Cost per unit"),
    CW_WORD("facility_power", "Facility power"),
};

constexpr Word algorithms[] = {
    CW_WORD("ring", "ring"),
    CW_WORD("tree", "tree"),
    CW_WORD("in-switch", "in the switches (SHARP)"),
    CW_WORD("NVLS", "in the NVLink switches (NVLS)"),
    CW_WORD("direct", "direct"),
    CW_WORD("switches", "not possible, some switch cannot sum"),
    CW_WORD("switched_off", "switched off"),
    CW_WORD("all-reduce", "all-reduce"),
    CW_WORD("all-gather", "all-gather"),
    CW_WORD("reduce-scatter", "reduce-scatter"),
    CW_WORD("all-to-all", "all-to-all"),
    CW_WORD("broadcast", "broadcast"),
    CW_WORD("point to point", "point to point"),
};

constexpr Word rejections[] = {
    CW_WORD("memory", "does not fit into memory"),
    CW_WORD("divisibility", "does not divide the model or the machines"),
    CW_WORD("slower", "slower"),
};

constexpr Word purposes[] = {
    CW_WORD("any", "Any"),
    CW_WORD("compute", "Compute"),
    CW_WORD("storage", "Storage"),
    CW_WORD("management", "Management"),
};

template <class T, class Field> QString nameIn(const T* element, Field field, const QString& fallback) {
    return element && !(element->*field).empty() ? text::fromUtf8(element->*field) : fallback;
}

} // namespace

bool hasResourceName(std::string_view code) { return text::knows(resources, code); }
QString resourceName(std::string_view code) { return wordFor(resources, code); }
QString workloadKindName(std::string_view kind) { return wordFor(workloadKinds, kind); }
QString trafficName(std::string_view kind) { return wordFor(traffics, kind); }
QString costCategoryName(std::string_view key) { return wordFor(costCategories, key); }
QString powerPartName(std::string_view key) { return wordFor(powerParts, key); }
QString tierName(std::string_view key) { return wordFor(tiers, key); }
QString partKindName(std::string_view kind) { return wordFor(partKinds, kind); }
QString algorithmName(std::string_view code) { return wordFor(algorithms, code); }
QString rejectionName(std::string_view code) { return wordFor(rejections, code); }
QString purposeName(std::string_view purpose) { return wordFor(purposes, purpose); }

QString targetName(std::string_view key) { return text::knows(targets, key) ? wordFor(targets, key) : quantityName(key); }

QString resourceText(const ResourceUse& use) {
    const QString name = resourceName(use.resource);
    if (use.label.empty())
        return name;
    const QString label = text::fromUtf8(use.label);
    return use.resource == "network.link" ? label : label + QStringLiteral(": ") + name;
}

QString elementName(const Project& project, const ElementRef& ref) {
    const QString id = ref.id.empty() ? elementKindName(ref.kind) : text::fromUtf8(ref.id);
    const Alternative* alternative = project.findAlternative(ref.alternative);
    switch (ref.kind) {
    case ElementKind::workload:
        return nameIn(project.findWorkload(WorkloadId(ref.id)), &Workload::name, id);
    case ElementKind::alternative:
        return nameIn(project.findAlternative(AlternativeId(ref.id)), &Alternative::name, id);
    case ElementKind::node:
        return alternative ? nameIn(alternative->findNode(NodeId(ref.id)), &Node::name, id) : id;
    case ElementKind::rack:
        return alternative ? nameIn(alternative->findRack(RackId(ref.id)), &Rack::name, id) : id;
    case ElementKind::frame:
        return alternative ? nameIn(alternative->findFrame(FrameId(ref.id)), &Frame::name, id) : id;
    case ElementKind::link: {
        const Link* link = alternative ? alternative->findLink(LinkId(ref.id)) : nullptr;
        if (!link)
            return id;
        if (!link->name.empty())
            return text::fromUtf8(link->name);
        const auto end = [&](const NodeId& node) {
            return nameIn(alternative->findNode(node), &Node::name, text::fromUtf8(node.value));
        };
        return end(link->from) + QStringLiteral(" → ") + end(link->to);
    }
    default:
        return id;
    }
}

QString bottleneckTitle(const Bottleneck& bottleneck) {
    const QString busy = quantityText(bottleneck.binding.utilisation, Unit::fraction);
    // At a light load nothing is full; what is named then is what fills first.
    const bool light = bottleneck.binding.utilisation < .5;
    return (light ? QCoreApplication::translate("Names", "%1 would bind first, %2 busy now") : QCoreApplication::translate("Names", "%1, %2 busy"))
        .arg(resourceText(bottleneck.binding), busy);
}

QString bottleneckDetail(const Bottleneck& bottleneck) {
    QStringList parts;
    if (bottleneck.next)
        parts += QCoreApplication::translate("Names", "next: %1").arg(resourceText(*bottleneck.next));
    if (std::isfinite(bottleneck.gainIfRelieved))
        parts += QCoreApplication::translate("Names", "relieving it: +%1 throughput")
                     .arg(quantityText(bottleneck.gainIfRelieved, Unit::fraction));
    return parts.join(QStringLiteral(" · "));
}

} // namespace cw
