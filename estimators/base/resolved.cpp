// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/base/resolved.h"

#include <algorithm>
#include <variant>

namespace cw {

namespace {

/// Scale-up links of up to this many devices stay on one board; larger domains (NVL72, TPU pods) span the machines of a stack.
constexpr int largestBoardDomain = 8;

int scaleUpDomain(const Gpu& gpu, int gpus, bool rackSystem, std::int64_t count) {
    if (rackSystem)
        return std::max(gpus, 1);
    if (!gpu.scaleUpBandwidth || gpu.scaleUpDomain <= 1)
        return std::max(gpus, 1); // PCIe of the machine
    if (gpu.scaleUpDomain <= largestBoardDomain)
        return std::max(1, std::min(gpu.scaleUpDomain, gpus));
    const std::int64_t all = std::max<std::int64_t>(1, gpus * std::max<std::int64_t>(count, 1));
    return static_cast<int>(std::min<std::int64_t>(gpu.scaleUpDomain, all));
}

void takeCpu(Machine& machine, const Cpu* cpu, double sockets) {
    machine.cpu = cpu;
    machine.sockets = sockets;
    if (cpu) {
        machine.cores = sockets * cpu->cores;
        machine.memoryBandwidth = sockets * si(cpu->memoryBandwidth);
    }
}

/// Arm instances sell whole cores as vCPUs, the others sell hardware threads.
double coresOf(const CloudInstance& instance, const Cpu* cpu) {
    if (instance.physicalCores)
        return *instance.physicalCores;
    const bool wholeCores = cpu && cpu->threads > 0 && cpu->threads == cpu->cores;
    return wholeCores ? instance.vcpus : instance.vcpus / 2.0;
}

struct Resolver {
    const Catalog& catalog;
    Machine& machine;

    void operator()(const Server& server) const {
        machine.server = &server;
        machine.gpu = catalog.find<Gpu>(server.gpu);
        machine.gpus = server.gpuCount;
        takeCpu(machine, catalog.find<Cpu>(server.cpu), server.cpuCount);
        machine.ramBytes = si(server.ram);
        machine.kind = server.gpuCount > 0             ? MachineKind::gpu
            : server.role == ServerRole::storageServer ? MachineKind::storage
                                                       : MachineKind::cpu;
    }
    void operator()(const CloudInstance& instance) const {
        machine.cloud = &instance;
        machine.gpu = catalog.find<Gpu>(instance.gpu);
        machine.gpus = instance.gpuCount;
        const Cpu* cpu = catalog.find<Cpu>(instance.cpu);
        const double cores = coresOf(instance, cpu);
        takeCpu(machine, cpu, cpu && cpu->cores > 0 ? cores / cpu->cores : 0);
        machine.cores = cores;
        machine.ramBytes = si(instance.ram);
        machine.kind = instance.gpuCount > 0 ? MachineKind::gpu : MachineKind::cpu;
    }
    void operator()(const Switch& box) const {
        machine.switchBox = &box;
        machine.kind = MachineKind::switchBox;
    }
    void operator()(const Gpu& gpu) const {
        machine.gpu = &gpu;
        machine.gpus = 1;
        machine.kind = MachineKind::gpu;
    }
    void operator()(const Cpu& cpu) const {
        takeCpu(machine, &cpu, 1);
        machine.kind = MachineKind::cpu;
    }
    void operator()(const PartInfo&) const { machine.kind = MachineKind::other; }
};

Machine resolveNode(const Node& node, const Catalog& catalog) {
    Machine machine;
    machine.node = &node;
    machine.count = std::clamp<std::int64_t>(node.count, 0, maxStackCount);
    if (node.gpuPowerCap)
        machine.gpuPowerCap = si(*node.gpuPowerCap);
    const Part* part = catalog.findPart(node.part);
    if (!part)
        return machine;
    machine.part = &info(*part);
    std::visit(Resolver{catalog, machine}, *part);
    if (machine.gpu) {
        const bool rackSystem = machine.server && machine.server->role == ServerRole::rackSystem;
        machine.scaleUpDomain = scaleUpDomain(*machine.gpu, machine.gpus, rackSystem, machine.count);
    }
    return machine;
}

} // namespace

int ResolvedDesign::indexOf(const NodeId& id) const {
    const auto found = byId.find(id.value);
    return found == byId.end() ? -1 : static_cast<int>(found->second);
}

const Machine* ResolvedDesign::machine(const NodeId& id) const {
    const int index = indexOf(id);
    return index < 0 ? nullptr : &machines[static_cast<std::size_t>(index)];
}

ResolvedDesign resolve(const Project& project, const Alternative& alternative, const Catalog& catalog) {
    ResolvedDesign design;
    design.project = &project;
    design.alternative = &alternative;
    design.catalog = &catalog;
    design.machines.reserve(alternative.nodes.size());
    design.byId.reserve(alternative.nodes.size());
    for (const Node& node : alternative.nodes) {
        design.byId.try_emplace(node.id.value, static_cast<std::uint32_t>(design.machines.size()));
        design.machines.push_back(resolveNode(node, catalog));
    }
    return design;
}

} // namespace cw
