// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/hpc/hpc_model.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double doubleBytes = 8;
constexpr double haloMessages = 6;             // faces of a cube
constexpr double customCompute = .6;           // share of the peak that tuned, not hand-written kernels reach
constexpr double hpcgEdge = 256;               // local grid of a device
constexpr double hpcgOperationsPerPoint = 300; // one iteration of multigrid-preconditioned CG on a 27-point stencil
constexpr double hpcgReductions = 3;

double reductionSeconds(const HpcCase& run) {
    if (run.devices < 2)
        return 0;
    const FabricTier& top = run.group->tierFor(run.devices);
    return std::ceil(std::log2(run.devices)) * (run.messageLatency + top.latency - top.borderLatency) + 2 * top.borderLatency;
}

/// Exchange of halos with six neighbours: tiers work side by side, the slowest counts.
void addHalo(const HpcCase& run, double bytes, HpcTime& time) {
    time.haloBytes = bytes;
    if (!(bytes > 0) || run.devices < 2)
        return;
    double below = 1, slowestInside = 0, slowestNetwork = 0, latency = 0;
    for (const FabricTier& tier : run.group->tiers) {
        const double share = haloShare(below, run.devices);
        if (share > 0 && tier.bandwidthPerDevice > 0) {
            const double relief = tier.network() ? run.networkRelief : run.scaleUpRelief;
            double& slowest = tier.network() ? slowestNetwork : slowestInside;
            if (tier.network() || run.gpu)
                slowest = std::max(slowest, share * bytes / (tier.bandwidthPerDevice * relief));
            latency = std::max(latency, tier.latency);
        }
        below = std::max(below, tier.devicesPerBlock);
    }
    (slowestNetwork >= slowestInside ? time.network : time.scaleUp) = std::max(slowestNetwork, slowestInside);
    time.latency += haloMessages * run.messageLatency + latency;
}

void roofline(const HpcCase& run, double operations, double bytes, double computeShare, HpcTime& time) {
    const double compute = run.peak > 0 ? operations / (computeShare * run.peak) : 0;
    const double memory = run.bandwidth > 0 ? bytes / (run.constant("stream", .8) * run.bandwidth) : 0;
    (compute >= memory ? time.compute : time.memory) = std::max(compute, memory);
    time.serial = std::max(compute, memory);
}

/// Dongarra, Luszczek and Petitet 2003: 2N³/3 operations on a P × Q grid, N²(3P+Q)/(2PQ) words a process, N((NB+1) log P + P)/NB messages.
HpcTime linpack(const HpcCase& run, const Hpc& spec) {
    HpcTime time;
    const double n = run.devices;
    const double total = run.memory * n * run.constant("hpl_fill", .8);
    const double byMemory = std::sqrt(total / doubleBytes);
    time.problem =
        spec.operationsPerStep.value() > 0 ? std::min(byMemory, std::cbrt(1.5 * spec.operationsPerStep.value())) : byMemory;
    const double order = time.problem, block = run.constant("hpl_block", 384);
    double rows = std::floor(std::sqrt(n));
    while (rows > 1 && std::fmod(n, rows) != 0)
        --rows;
    const double columns = n / rows;
    time.operations = 2.0 / 3 * order * order * order + 2 * order * order;
    const double share = run.constant(run.gpu ? "dgemm_gpu" : "dgemm_cpu", .85);
    time.compute = run.peak > 0 ? time.operations / (n * share * run.peak) : 0;
    time.serial = time.compute;
    if (n < 2)
        return time;
    const FabricTier& top = run.group->tierFor(run.devices);
    const double words = order * order * (3 * rows + columns) / (2 * rows * columns);
    const double relief = top.network() ? run.networkRelief : run.scaleUpRelief;
    const double wire = top.bandwidthPerDevice > 0 ? doubleBytes * words / (top.bandwidthPerDevice * relief) : 0;
    // Look-ahead factors and sends the next panel while the rest of the matrix is updated.
    const double exposed = 1 - run.constant("hpl_overlap", .7);
    (top.network() ? time.network : time.scaleUp) = wire * exposed;
    time.latency = exposed * (run.messageLatency + top.latency) * order * ((block + 1) * std::log2(std::max(rows, 1.0)) + rows) / block;
    return time;
}

HpcTime gradients(const HpcCase& run) {
    HpcTime time;
    const double points = hpcgEdge * hpcgEdge * hpcgEdge, local = points * hpcgOperationsPerPoint;
    time.operations = local * run.devices;
    const double rate =
        run.constant("hpcg_intensity", .25) * run.constant(run.gpu ? "hpcg_mu_gpu" : "hpcg_mu_cpu", .62) * run.bandwidth;
    time.memory = rate > 0 ? local / rate : 0;
    time.serial = time.memory;
    time.reductions = hpcgReductions;
    time.latency = time.reductions * reductionSeconds(run);
    addHalo(run, 2 * haloMessages * hpcgEdge * hpcgEdge * doubleBytes,
            time); // once for the product, about once for the coarser grids
    return time;
}

HpcTime stepped(const HpcCase& run, const Hpc& spec) {
    HpcTime time;
    const double each = spec.weakScaling ? 1 : 1 / run.devices;
    roofline(run, spec.operationsPerStep.value() * each, spec.memoryBytesPerStep.value() * each, customCompute, time);
    time.operations = spec.operationsPerStep.value() * each * run.devices;
    time.reductions = spec.reductionsPerStep;
    time.latency = time.reductions * reductionSeconds(run);
    addHalo(run, spec.haloBytesPerStep.value(), time);
    return time;
}

} // namespace

double haloShare(double devicesPerBlock, double devices) {
    if (devicesPerBlock >= devices)
        return 0;
    return std::min(1.0, 1 / std::cbrt(std::max(devicesPerBlock, 1.0)));
}

HpcTime hpcTime(const HpcCase& run, const Hpc& spec) {
    HpcTime time = spec.preset == Hpc::Preset::hpl ? linpack(run, spec)
        : spec.preset == Hpc::Preset::hpcg         ? gradients(run)
                                                   : stepped(run, spec);
    time.seconds = time.compute + time.memory + time.scaleUp + time.network + time.latency;
    return time;
}

} // namespace cw
