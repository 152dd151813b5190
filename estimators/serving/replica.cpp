// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/replica.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

/// Arithmetic of a weight format: its dense peak and the width whose efficiency applies. Formats that the device only stores are
/// widened to 16 bits first.
struct Arithmetic {
    double peak = 0;
    int bits = 16;
};

Arithmetic arithmeticOf(const Gpu& gpu, Precision weights)
{
    using enum Precision;
    const auto has = [&](Precision p) { return gpu.peak.contains(p); };
    const double sixteen = si(gpu.peakFor(bf16).value_or(OperationsPerSecond{}));
    switch (weights) {
    case fp8:
    case mxfp8: return has(fp8) ? Arithmetic{si(gpu.peak.at(fp8)), 8} : Arithmetic{sixteen, 16};
    case int8: return has(int8) ? Arithmetic{si(gpu.peak.at(int8)), 8} : Arithmetic{sixteen, 16};
    case nvfp4:
    case mxfp4: {
        const Precision own = has(weights) ? weights : weights == nvfp4 ? mxfp4 : nvfp4;
        return has(own) ? Arithmetic{si(gpu.peak.at(own)), 4} : Arithmetic{sixteen, 16};
    }
    case fp32:
    case tf32:
    case fp64: return {si(gpu.peakFor(weights).value_or(OperationsPerSecond{})), 16};
    default: return {sixteen, 16};
    }
}

/// Compute falls with the root of the power that a part or a cap leaves (H100 and H200 variants, study 2.4); streaming memory does not.
double powerRatio(const Machine& machine, const Constants* set)
{
    const Gpu& gpu = *machine.gpu;
    double ratio = 1;
    const double reference = set ? set->get("tdp_reference_w", 0) : 0;
    if (gpu.tdp && reference > 0)
        ratio = std::min(1., std::sqrt(si(*gpu.tdp) / reference));
    if (gpu.tdp && machine.gpuPowerCap && *machine.gpuPowerCap > 0 && *machine.gpuPowerCap < si(*gpu.tdp))
        ratio *= std::sqrt(*machine.gpuPowerCap / si(*gpu.tdp));
    return ratio;
}

/// fixed + bytes · perByte through two sizes that occur: one sequence's vector and a prompt's.
CollectiveCost networkCost(Collective op, double small, double large, const RankGroup& ranks, const ReplicaSite& site)
{
    const double atSmall = collectiveTime(op, small, ranks, *site.catalog, site.machine->gpu).seconds;
    const double atLarge = collectiveTime(op, large, ranks, *site.catalog, site.machine->gpu).seconds;
    CollectiveCost cost;
    cost.perByte = std::max(0., (atLarge - atSmall) / (large - small)) / site.relief.network;
    cost.fixed = std::max(0., atSmall / site.relief.network - cost.perByte * small);
    return cost;
}

struct GpuBuilder {
    const ReplicaSite& site;
    const ServedModel& model;
    const ReplicaLayout& layout;
    Replica& out;

    const ServingDevice& of = site.device;
    const Gpu& gpu = *site.machine->gpu;
    double tp = layout.tensor, pp = layout.pipeline, dp = layout.attentionData, group = tp * dp;

    void arithmetic() const
    {
        const Arithmetic used = arithmeticOf(gpu, model.weights);
        const double power = powerRatio(*site.machine, of.set) * site.relief.gpuCompute;
        out.peak = used.peak * power;
        out.peakRatio = power;
        out.peak16 = si(gpu.peakFor(Precision::bf16).value_or(OperationsPerSecond{})) * power;
        out.efficiency = used.bits == 4 ? of.efficiency4 : used.bits == 8 ? of.efficiency8 : of.efficiency16;
        out.efficiencyKey = used.bits == 4 ? "efficiency_4bit" : used.bits == 8 ? "efficiency_8bit" : "efficiency_16bit";
        out.bandwidth = si(gpu.memoryBandwidth) * site.relief.gpuMemoryBandwidth;
        out.bandwidthShare = of.weightBandwidth;
    }

    void matrices() const
    {
        StepModel& step = out.step;
        const double stream = of.weightBandwidth * out.bandwidth, flops = out.efficiency * out.peak;
        step.mixerMemory = model.mixer * model.bytesMixer / (tp * stream);
        step.mixerPerRow = 2 * model.mixer / (tp * flops);
        step.denseMemory = model.dense * model.bytesDense / (tp * stream);
        step.densePerRow = 2 * model.dense / (tp * flops);
        step.headMemory = 2 * model.hidden * model.vocabulary / (tp * stream);
        step.linearPerToken = 2 * (model.mixer + model.dense) / (tp * flops);
        if (model.experts > 0) {
            const double expertStream = group * of.expertBandwidth * out.bandwidth;
            const double active = model.expertsPerToken * model.expert + model.shared;
            step.experts = model.experts;
            step.expertsPerToken = model.expertsPerToken;
            step.expertMemory = model.moeLayers * model.expert * model.bytesExpert / expertStream;
            step.sharedMemory = model.moeLayers * model.shared * model.bytesExpert / expertStream;
            step.expertPerToken = 2 * model.moeLayers * active / (group * flops);
            step.expertPrefillPerToken = 2 * model.moeLayers * active / (tp * flops * expertPrefill());
        }
    }

    /// Share of the dense efficiency in prefill. Measured on models whose experts see a few hundred rows of a chunk; where they see more,
    /// their matrices come nearer to dense ones in proportion.
    double expertPrefill() const
    {
        constexpr double measuredRows = 512;
        const double rows = out.step.chunk * model.expertsPerToken / model.experts;
        return std::min(1., site.stack.expertPrefill * std::max(1., rows / measuredRows));
    }

    void attention() const
    {
        StepModel& step = out.step;
        const double flops16 = of.attentionEfficiency * out.peak16;
        const double spread = model.mla ? 1 : std::min(tp, model.kvHeads); // ranks that share the KV heads
        step.kvMemory = model.kvValues * model.bytesKv / (spread * of.kvBandwidth * out.bandwidth);
        step.kvPerRow = 4 * model.widthDecode / (tp * flops16);
        step.stateMemory = 2 * model.stateBytes() / (tp * of.kvBandwidth * out.bandwidth);
        step.attentionPerPair = 4 * model.widthPrefill / (tp * flops16);
        // These passes run mostly out of the caches, at the clock that a power cap leaves.
        const double tdp = gpu.tdp ? si(*gpu.tdp) : 0, cap = site.machine->gpuPowerCap.value_or(tdp);
        const double clock = tdp > 0 && cap > 0 ? std::sqrt(std::min(1., cap / tdp)) : 1;
        step.elementwisePerToken = site.stack.activationPasses * model.layers * 2 * model.hidden / (out.bandwidth * clock);
        step.fullLayers = model.fullLayers;
        step.windowLayers = model.windowLayers;
        step.window = model.window;
    }

    void host() const
    {
        const ServingStack& stack = site.stack;
        const double layer = stack.layerOverhead * of.layerOverheadRatio + (model.experts > 0 ? stack.expertLayerOverhead : 0)
                           + (model.mla ? stack.mlaLayerOverhead : 0);
        out.step.hostFixed = (model.layers * layer + stack.stepOverhead) / site.relief.host;
        out.step.hostPerSequence = stack.sequenceOverhead / site.relief.host;
        out.step.hostSequencePower = stack.sequencePower;
        out.step.prefillAlone = stack.hostOverlap > 1;
        out.step.hostOverlap = stack.hostOverlap;
        out.step.prefillHost = stack.hostOverlap > 1 ? out.step.hostFixed + stack.prefillHost / site.relief.host : 0;
    }

    /// Ranks of a domain talk over the scale-up link (PCIe where there is none or the domain is too small), others over the drawn network.
    CollectiveCost scaleUp(double factor) const
    {
        const bool linked = gpu.scaleUpBandwidth && layout.tensor * layout.attentionData <= site.machine->scaleUpDomain;
        const double rate = (linked ? of.scaleUpShare * si(*gpu.scaleUpBandwidth) : of.pcieShare * si(gpu.pcieBandwidth)) * site.relief.scaleUp;
        return {(linked ? of.allReduceLatency : of.pcieAllReduceLatency) / site.relief.scaleUp, factor / rate};
    }

    void collectives(double typicalContext) const
    {
        StepModel& step = out.step;
        const int domain = std::max(site.machine->scaleUpDomain, site.machine->gpus);
        step.rowBytes = 2 * model.hidden;
        const double row = step.rowBytes, prompt = row * std::max(256., typicalContext);
        if (layout.tensor > 1) {
            step.allReduces = 2 * model.layers;
            out.tensorOverNetwork = layout.tensor > domain;
            step.allReduceOverNetwork = out.tensorOverNetwork;
            step.allReduce = out.tensorOverNetwork && site.group
                               ? networkCost(Collective::allReduce, row, prompt, rankGroup(*site.group, domain, layout.tensor, 1), site)
                               : scaleUp(2 * (tp - 1) / tp);
        }
        if (layout.attentionData > 1 && model.experts > 0) {
            const int ranks = layout.tensor * layout.attentionData;
            step.allToAlls = 2 * model.moeLayers;
            step.allToAllOverNetwork = ranks > domain;
            step.allToAll = step.allToAllOverNetwork && site.group
                              ? networkCost(Collective::allToAll, row, prompt, rankGroup(*site.group, domain, ranks, 1), site)
                              : scaleUp(1);
            step.dispatchBytesPerToken = row * std::min(model.expertsPerToken, group) / group;
        }
        if (layout.pipeline > 1) {
            const int span = layout.tensor * layout.attentionData;
            const bool inside = layout.devices() <= domain || !site.group;
            const CollectiveCost hop
                = inside ? scaleUp(1)
                         : networkCost(Collective::pointToPoint, row, prompt, rankGroup(*site.group, domain, layout.pipeline, span), site);
            step.stageHop = (pp - 1) * hop.fixed;
            step.stageHopPerByte = (pp - 1) * hop.perByte;
        }
        step.attentionRanks = layout.attentionData;
        step.stages = layout.pipeline;
    }

    void memory(double typicalContext) const
    {
        ReplicaMemory& memory = out.memory;
        memory.capacity = si(gpu.memory) * site.relief.gpuMemory;
        memory.reserved = site.stack.reservedBytes;
        const double layers = (model.mixer * model.bytesMixer + model.dense * model.bytesDense) / tp
                            + model.moeLayers * (model.experts * model.expert + model.shared) * model.bytesExpert / group;
        // The first stage holds the embedding, the last the head: with a pipeline no device has both.
        const double embedding = model.embeddingParameters() * ServedModel::bytesHead / tp;
        memory.weights = layers / pp + (layout.pipeline > 1 && !model.source->tiedEmbeddings ? embedding / 2 : embedding);
        const double all = memory.capacity * of.usableMemory, fixed = memory.weights + memory.reserved;
        memory.usable = site.stack.shareOfFree && all > fixed ? fixed + site.stack.memoryShare * (all - fixed) : site.stack.memoryShare * all;
        const double spread = model.mla ? 1 : std::min(tp, model.kvHeads);
        memory.kvPerToken = model.kvBytesPerToken(typicalContext) / (spread * pp);
        const double free = std::max(1e8, memory.usable - memory.weights - memory.reserved);
        out.kvTokens = memory.kvPerToken > 0 ? free / memory.kvPerToken * dp : 1e12;
        out.stateTokens = memory.kvPerToken > 0 ? model.stateBytes() / (tp * pp) / memory.kvPerToken : 0;
    }
};

double cpuPeak(const Cpu& cpu, Precision weights)
{
    using enum Precision;
    const bool narrow = weights == int8 && cpu.peak.contains(int8);
    return si(cpu.peakFor(narrow ? int8 : bf16).value_or(OperationsPerSecond{}));
}

} // namespace

Replica gpuReplica(const ReplicaSite& site, const ServedModel& model, const ReplicaLayout& layout, double typicalContext)
{
    Replica replica;
    replica.layout = layout;
    replica.stack = site.stack;
    replica.deviceSet = site.device.set;
    // Nine of ten published rows of mixtures of experts are within twice the error of dense models.
    const double kind = model.experts > 0 ? 2 : 1;
    replica.errorTpot = kind * site.device.errorTpot;
    replica.errorTtft = kind * site.device.errorTtft;
    replica.errorCapacity = site.device.errorCapacity;
    const GpuBuilder build{site, model, layout, replica};
    build.arithmetic();
    build.matrices();
    build.attention();
    build.host();
    build.collectives(typicalContext);
    build.memory(typicalContext);
    return replica;
}

Replica cpuReplica(const ReplicaSite& site, const ServedModel& model, double typicalContext)
{
    const Machine& machine = *site.machine;
    const ServingCpu& of = site.cpu;
    Replica replica;
    replica.onCpu = true;
    replica.stack = site.stack;
    replica.deviceSet = of.set;
    replica.errorTpot = of.errorTpot;
    replica.errorTtft = of.errorTtft;
    replica.errorCapacity = of.errorCapacity;
    replica.efficiency = of.efficiency;
    replica.efficiencyKey = "efficiency";
    replica.bandwidthShare = machine.sockets > 1 ? of.bandwidthSockets : of.bandwidthOneSocket;
    replica.bandwidth = machine.memoryBandwidth * site.relief.cpu;
    replica.peak = (machine.cpu ? cpuPeak(*machine.cpu, model.weights) : 0) * machine.sockets * site.relief.cpu;
    replica.peak16 = replica.peak;
    replica.peakRatio = machine.sockets > 0 ? machine.sockets * site.relief.cpu : 1;

    StepModel& step = replica.step;
    const double stream = replica.bandwidthShare * replica.bandwidth, flops = replica.efficiency * replica.peak;
    step.mixerMemory = model.mixer * model.bytesMixer / stream;
    step.mixerPerRow = 2 * model.mixer / flops;
    step.denseMemory = model.dense * model.bytesDense / stream;
    step.densePerRow = 2 * model.dense / flops;
    step.headMemory = 2 * model.hidden * model.vocabulary / stream;
    step.linearPerToken = 2 * (model.mixer + model.dense) / flops;
    step.experts = model.experts;
    step.expertsPerToken = model.expertsPerToken;
    step.expertMemory = model.moeLayers * model.expert * model.bytesExpert / stream;
    step.sharedMemory = model.moeLayers * model.shared * model.bytesExpert / stream;
    step.expertPerToken = 2 * model.moeLayers * (model.expertsPerToken * model.expert + model.shared) / flops;
    step.expertPrefillPerToken = step.expertPerToken;
    step.kvMemory = model.kvValues * model.bytesKv / stream;
    step.kvPerRow = 4 * model.widthDecode / flops;
    step.stateMemory = 2 * model.stateBytes() / stream;
    step.attentionPerPair = 4 * model.widthPrefill / flops;
    step.hostFixed = (model.layers * of.layerOverhead + of.stepOverhead) / site.relief.host;
    step.fullLayers = model.fullLayers;
    step.windowLayers = model.windowLayers;
    step.window = model.window;
    step.rowBytes = 2 * model.hidden;

    ReplicaMemory& memory = replica.memory;
    memory.capacity = machine.ramBytes;
    memory.usable = of.memoryShare * memory.capacity;
    memory.weights = model.weightBytes();
    memory.kvPerToken = model.kvBytesPerToken(typicalContext);
    const double free = std::max(1e8, memory.usable - memory.weights);
    replica.kvTokens = memory.kvPerToken > 0 ? free / memory.kvPerToken : 1e12;
    replica.stateTokens = memory.kvPerToken > 0 ? model.stateBytes() / memory.kvPerToken : 0;
    return replica;
}

bool legal(const ServedModel& model, const ReplicaLayout& layout)
{
    const auto divides = [](double whole, int part) { return part >= 1 && std::fmod(whole, part) == 0; };
    if (layout.tensor < 1 || layout.pipeline < 1 || layout.attentionData < 1 || layout.pipeline > model.layers)
        return false;
    if (!divides(model.heads, layout.tensor))
        return false;
    return layout.attentionData == 1 || (model.experts > 0 && layout.attentionData * layout.tensor <= model.experts);
}

} // namespace cw
