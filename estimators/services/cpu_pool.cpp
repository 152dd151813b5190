// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/cpu_pool.h"

#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

double shareOf(const Placement& placement) { return placement.share > 0 && std::isfinite(placement.share) ? placement.share : 0; }

void weigh(std::vector<CpuPool>& pools) {
    double all = 0;
    std::vector<std::pair<const Placement*, double>> cores; // of each placement
    for (const CpuPool& pool : pools) {
        if (cores.empty() || cores.back().first != pool.placement) {
            cores.emplace_back(pool.placement, 0);
            all += shareOf(*pool.placement);
        }
        cores.back().second += pool.allCores();
    }
    for (CpuPool& pool : pools) {
        const auto own = std::find_if(cores.begin(), cores.end(), [&](const auto& entry) { return entry.first == pool.placement; });
        const double share = all > 0 ? shareOf(*pool.placement) / all : 1. / static_cast<double>(cores.size());
        pool.weight = own->second > 0 ? share * pool.allCores() / own->second : 0;
    }
}

} // namespace

std::vector<CpuPool> cpuPools(const EstimateContext& context, std::span<const Placement* const> placements, const char* stage) {
    std::vector<CpuPool> pools;
    for (const Placement* placement : placements) {
        if (stage && placement->stage != stage)
            continue;
        for (const NodeId& id : placement->nodes) {
            const int index = context.design.indexOf(id);
            if (index < 0)
                continue;
            const auto node = static_cast<std::uint32_t>(index);
            const Machine& machine = context.design.machines[node];
            const bool twice = std::any_of(pools.begin(), pools.end(), [&](const CpuPool& p) { return p.node == node; });
            if (twice || !(machine.cores >= 1) || machine.count <= 0)
                continue;
            pools.push_back({placement, &machine, node, static_cast<double>(machine.count), machine.cores * context.relief.cpu, 0});
        }
    }
    weigh(pools);
    return pools;
}

void addCpuFindings(EstimateContext& context, WorkloadResult& result, std::span<const Placement* const> placements,
                    std::span<const CpuPool> pools) {
    for (const Placement* placement : placements) {
        for (const NodeId& id : placement->nodes) {
            const int index = context.design.indexOf(id);
            if (index < 0)
                continue;
            const auto node = static_cast<std::uint32_t>(index);
            const bool runs = std::any_of(pools.begin(), pools.end(), [&](const CpuPool& p) { return p.node == node; });
            if (!runs && context.design.machines[node].count > 0)
                addFinding(context, result, Severity::error, "service.machine_unsuitable",
                           {placementRef(context, *placement), nodeRef(context, node)}, 1, {{"node", nodeName(context, node)}});
        }
    }
    for (const CpuPool& pool : pools)
        if (pool.machine->gpus > 0)
            addFinding(context, result, Severity::advice, "service.gpus_idle", {nodeRef(context, pool.node)}, .5,
                       {{"node", nodeName(context, pool.node)},
                        {"gpus", format(pool.machines * pool.machine->gpus, Unit::count)}});
}

Quantity coresTerm(EstimateContext& context, std::span<const CpuPool> pools) {
    Derivation& d = context.derivation;
    std::vector<Quantity> parts;
    for (const CpuPool& pool : pools) {
        const Machine& machine = *pool.machine;
        const Quantity each = machine.cpu ? d.fact("cores of a CPU", *machine.cpu, "cores_count", machine.cpu->cores, Unit::count)
                                          : d.input("cores of a machine", machine.cores, Unit::count, "machine");
        const double per = machine.cpu && machine.cpu->cores > 0 ? pool.cores / machine.cpu->cores : pool.cores / machine.cores;
        parts.push_back(d.product("cores of a stack", "machines · sockets · cores of a CPU", {each}, Unit::count, per * pool.machines));
    }
    return d.sum("cores", parts, Unit::count);
}

std::vector<ElementRef> poolRefs(const EstimateContext& context, std::span<const CpuPool> pools) {
    std::vector<ElementRef> refs;
    for (const CpuPool& pool : pools)
        refs.push_back(nodeRef(context, pool.node));
    return refs;
}

std::string poolLabel(const EstimateContext& context, std::span<const CpuPool> pools) {
    std::string label;
    for (const CpuPool& pool : pools)
        label += (label.empty() ? "" : ", ") + nodeName(context, pool.node);
    return label;
}

} // namespace cw
