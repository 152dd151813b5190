// SPDX-License-Identifier: GPL-3.0-or-later
//
// Machines as places where CPU work runs: what services, streams, batch jobs and stages of pipelines see of the stacks they are placed
// on. GPU machines count with their host cores. Made per estimate; pointers belong to the design.
#pragma once

#include "estimators/base/context.h"

#include <span>
#include <vector>

namespace cw {

/// One stack of a placement.
struct CpuPool {
    const Placement* placement = nullptr;
    const Machine* machine = nullptr;
    std::uint32_t node = 0;
    double machines = 0;
    double cores = 0;   ///< of one machine, relief included
    double weight = 0;  ///< of the arrivals; all pools together 1
    double allCores() const { return machines * cores; }
};

/// Stacks that have cores, each once. Arrivals divide by the shares of the placements and within one by cores. `stage`: only placements
/// of this stage; null: all of them.
std::vector<CpuPool> cpuPools(const EstimateContext& context, std::span<const Placement* const> placements, const char* stage = nullptr);

/// Findings that all CPU work has: stacks without cores, GPUs that idle beside it.
void addCpuFindings(EstimateContext& context, WorkloadResult& result, std::span<const Placement* const> placements,
                    std::span<const CpuPool> pools);

/// Cores of all pools as a figure that opens down to the CPUs.
Quantity coresTerm(EstimateContext& context, std::span<const CpuPool> pools);

/// Elements of all pools, for findings and resources.
std::vector<ElementRef> poolRefs(const EstimateContext& context, std::span<const CpuPool> pools);
std::string poolLabel(const EstimateContext& context, std::span<const CpuPool> pools);

} // namespace cw
