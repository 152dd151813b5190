// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/training_case.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double hostLinkShare = .8;    // of PCIe or chip-to-chip line rate in long copies
constexpr double hostStreamShare = .6;  // of host memory bandwidth with default placement
constexpr double adapterShare = .003;   // parameters of rank-16 adapters on all projections
constexpr double largestNarrowGain = 4; // the higher 4-bit peak of GB300 does not show in products

/// Peak of what 16-bit training uses; CPUs without such units train in fp32.
double basePeak(const Gpu* gpu, const Cpu* cpu, double sockets) {
    if (gpu) {
        const auto peak = gpu->peakFor(Precision::bf16);
        return peak ? si(*peak) : 0;
    }
    if (!cpu)
        return 0;
    double best = 0;
    for (const Precision precision : {Precision::bf16, Precision::fp16, Precision::fp32})
        if (const auto found = cpu->peak.find(precision); found != cpu->peak.end())
            best = std::max(best, si(found->second));
    return best * sockets;
}

/// Bandwidth in the step model: fitted for a device, scaled to the link of its relatives, else the achievable rate of the link.
double stepBandwidth(const Gpu& gpu, const Catalog& catalog, const FabricTier& inside) {
    const bool pcie = std::string_view(inside.name) == "PCIe";
    const Constants* set = pcie ? catalog.constants("collectives", "pcie") : catalog.constants("collectives", gpu.id.value);
    if (!set && !pcie)
        set = catalog.constants("collectives", gpu.architecture);
    const double link = pcie ? si(gpu.pcieBandwidth) : gpu.scaleUpBandwidth ? si(*gpu.scaleUpBandwidth) : 0;
    if (!set || !(link > 0))
        return inside.bandwidthPerDevice;
    return (*set)["step_gb_s"] * 1e9 * link / ((*set)["link_gb_s"] * 1e9);
}

const Machine* slowest(const EstimateContext& context, const GroupFabric& group) {
    const Machine* worst = nullptr;
    double least = 0;
    for (const std::uint32_t node : group.nodes) {
        const Machine& machine = context.design.machines[node];
        const double peak = basePeak(machine.gpu, machine.cpu, machine.sockets);
        if (!worst || peak < least) {
            worst = &machine;
            least = peak;
        }
    }
    return least > 0 ? worst : nullptr;
}

void setHost(TrainingCase& run, const Machine& machine, const Relief& relief) {
    const double share = 1.0 / std::max(run.gpu ? machine.gpus : 1, 1);
    run.hostMemory = machine.ramBytes * share;
    run.hostBandwidth = machine.memoryBandwidth * share * hostStreamShare * relief.cpu * relief.host;
    if (run.gpu)
        run.hostLink = hostLinkShare * si(run.gpu->hostLinkBandwidth.value_or(run.gpu->pcieBandwidth)) * relief.host;
}

} // namespace

CommunicationTime stepCollective(const TrainingCase& run, double stages, double bytes, const RankGroup& ranks, double messages) {
    if (ranks.ranks() < 2 || !(bytes > 0))
        return {};
    const double inner = ranks.inner, outer = ranks.outer;
    const double local = stages * (inner - 1) / inner * bytes / run.scaleUpBandwidth;
    double network = 0, latency = run.stack.levelScaleUp * std::log2(inner);
    double border = 0;
    if (ranks.outer > 1) {
        const double efficiency = run.stack.networkShare * run.networkRelief;
        network = networkSeconds(stages * (outer - 1) / outer * bytes / inner, ranks, Neighbours::ring, efficiency);
        double levels = std::log2(outer);
        if (stages == 2 && ranks.reducesInNetwork()) { // the library takes what is faster
            network = std::min(network, networkSeconds(bytes / inner, ranks, Neighbours::ring, efficiency));
            levels = std::min(levels, (ranks.topTier().hops + 1) / 2.0);
        }
        latency += run.stack.levelNetwork * levels;
        // The fitted latency contains a normal fabric. A border between zones comes on top: a message passes it there and back.
        border = 2 * run.fabric->tierFor(static_cast<double>(ranks.span)).borderLatency;
    }
    const double most = std::max(local, network), least = std::min(local, network);
    return {most + .15 * least + stages * (latency + border * messages), network > local};
}

ArithmeticRate arithmeticRate(Precision precision, const Gpu* gpu, const TrainingStack& stack, bool experts) {
    if (!gpu)
        return precision == Precision::fp64 ? ArithmeticRate{.5, 8, 0, .5} : ArithmeticRate{};
    const auto base = gpu->peakFor(Precision::bf16), own = gpu->peakFor(precision);
    const double gain = base && own && si(*base) > 0 ? si(*own) / si(*base) : 1;
    switch (precision) {
    case Precision::bf16:
    case Precision::fp16:
        return {};
    case Precision::fp64:
        return {gain, 8, 0, gain};
    case Precision::fp32:
    case Precision::tf32:
        return {gain, 4, 0, gain};
    default:
        break;
    }
    if (gain <= 1)
        return {};
    const bool fourBits = bytesPerValue(precision) < .9 && gain > 2.5;
    if (fourBits && !experts)
        return {std::min(gain, largestNarrowGain) * stack.fp4, 1, stack.cast, gain};
    const bool blocks = precision == Precision::mxfp8 || bytesPerValue(precision) < .9;
    return {std::min(gain, 2.0) * (blocks ? stack.mx : stack.fp8), 1, stack.cast, gain};
}

double optimizerStateBytes(std::string_view optimizer) {
    if (optimizer == "adam8bit")
        return 6;
    if (optimizer == "sgd" || optimizer == "lion" || optimizer == "muon")
        return 8;
    if (optimizer == "adafactor")
        return 4;
    return 12;
}

std::optional<TrainingCase> trainingCase(EstimateContext& context, const LlmTraining& spec, const ModelShape& shape,
                                         std::optional<Precision> precision, const PartId& stack, const GroupFabric& group,
                                         const Relief& relief) {
    const Machine* machine = slowest(context, group);
    if (!machine)
        return std::nullopt;
    TrainingCase run;
    run.shape = shape;
    run.machine = machine;
    run.gpu = machine->gpu;
    run.stack = trainingStack(context.catalog, stack, run.gpu);
    if (run.gpu) {
        if (machine->gpuPowerCap && run.gpu->tdp)
            run.clock = clockUnderCap(context.catalog, *machine->gpuPowerCap, si(*run.gpu->tdp));
        run.device =
            KernelDevice(gemmConstants(context.catalog, *run.gpu), basePeak(run.gpu, nullptr, 0) * run.clock * relief.gpuCompute,
                         si(run.gpu->memoryBandwidth) * relief.gpuMemoryBandwidth);
        run.memory = si(run.gpu->memory) * relief.gpuMemory;
        run.scaleUpBandwidth =
            stepBandwidth(*run.gpu, context.catalog, group.tiers.front()) * run.stack.scaleUpShare * relief.scaleUp;
    } else {
        run.device =
            KernelDevice(cpuGemmConstants(context.catalog), basePeak(nullptr, machine->cpu, machine->sockets) * relief.cpu,
                         machine->memoryBandwidth * relief.cpu);
        run.memory = machine->ramBytes;
        run.scaleUpBandwidth = machine->memoryBandwidth;
    }
    run.stack.hostForward /= relief.host;
    run.stack.hostBackward /= relief.host;
    run.stack.hostMoe /= relief.host;
    run.stack.fixed /= relief.host;
    run.stack.perMicroBatch /= relief.host;
    setHost(run, *machine, relief);
    const Precision format = precision.value_or(spec.precision);
    run.dense =
        arithmeticRate(format, run.gpu, run.stack, shape.moe); // 4-bit products of mixed models gain nothing over 8-bit ones
    run.expert = arithmeticRate(format, run.gpu, run.stack, true);
    run.batch = std::max(spec.globalBatch, 1);
    run.sequence = shape.vision ? std::max(shape.sequenceLimit, 1) : std::max(spec.sequence, 1);
    run.devices = std::max<std::int64_t>(group.devices, 1);
    run.devicesPerMachine = group.devicesPerMachine;
    run.fabric = &group;
    run.domain = static_cast<int>(std::max(1.0, group.tiers.front().devicesPerBlock));
    run.networkRelief = relief.network;
    run.optimizerState = optimizerStateBytes(spec.optimizer);
    run.frozen = spec.adaptersOnly;
    run.trained = spec.adaptersOnly ? adapterShare : 1;
    if (const Constants* vision = context.catalog.constants("vision_training", "")) {
        run.convolutionalBytes = (*vision)["bytes_per_operation"];
        run.convolutionalShare = (*vision)["eta"];
    }
    return run;
}

} // namespace cw
