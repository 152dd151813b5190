// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/feeding.h"

#include "estimators/facility/failures.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double secondsPerYear = 8760.0 * 3600;
constexpr double nicShareOfStorage = .8;                                    // of its ports, when drives are unknown
constexpr double localRead = 3e9, localReadLow = 1e9, localReadHigh = 12e9; // one to four NVMe drives
constexpr double localWrite = 2e9, localWriteLow = .8e9, localWriteHigh = 8e9;

double portSum(const Server& server) {
    double all = 0;
    for (const PortGroup& group : server.ports)
        if (group.purpose != "management")
            all += group.count * si(group.speed);
    return all;
}

/// Bytes/s of the drives of a stack.
double driveRate(const Machine& machine, bool write) {
    if (!machine.server)
        return 0;
    const auto known = write ? machine.server->storageWrite : machine.server->storageRead;
    const double one = known ? si(*known) : nicShareOfStorage * portSum(*machine.server);
    return one * static_cast<double>(machine.count);
}

struct Reach {
    double drives = 0, links = 0;
    double rate() const { return std::min(drives, links); }
};

/// One direction: all links between storage and the stacks of the job.
Reach reach(const EstimateContext& context, const GroupFabric& group, std::uint32_t store, bool write, const Relief& relief) {
    Reach result;
    result.drives = driveRate(context.design.machines[store], write) * relief.storage;
    for (const std::uint32_t node : group.nodes) {
        const auto route = write ? context.fabric.route(node, store, "storage") : context.fabric.route(store, node, "storage");
        if (route)
            result.links += route->bandwidth * relief.storage;
    }
    return result;
}

Quantity drawnTerm(Derivation& d, bool write, double rate, double drives, double links) {
    const Quantity inputs[] = {
        d.computed("drives of the storage stacks", "machines · rate of one", drives, drives, drives, Unit::bytesPerSecond, {}),
        d.computed("links to storage", "narrowest link of the ways, all members, less what other traffic takes", links, links, links, Unit::bytesPerSecond, {})};
    return d.computed(write ? "storage write rate" : "storage read rate", "min(drives, links)", rate, rate * .8, rate,
                      Unit::bytesPerSecond, inputs);
}

} // namespace

StorageAccess storageAccess(EstimateContext& context, const GroupFabric& group, const Relief& relief) {
    StorageAccess access;
    Derivation& d = context.derivation;
    double readDrives = 0, readLinks = 0, writeDrives = 0, writeLinks = 0;
    for (std::uint32_t i = 0; i < context.design.machines.size(); ++i) {
        const Machine& machine = context.design.machines[i];
        if (machine.kind != MachineKind::storage || machine.count <= 0)
            continue;
        const Reach read = reach(context, group, i, false, relief), write = reach(context, group, i, true, relief);
        if (!(read.links > 0)) {
            access.drawnButUnreachable = true;
            continue;
        }
        access.nodes.push_back(i);
        access.read += read.rate();
        access.write += write.rate();
        readDrives += read.drives;
        readLinks += read.links;
        writeDrives += write.drives;
        writeLinks += write.links;
    }
    if (!access.nodes.empty()) {
        access.limitedByNetwork = readLinks < readDrives;
        access.readTerm = drawnTerm(d, false, access.read, readDrives, readLinks);
        access.writeTerm = drawnTerm(d, true, access.write, writeDrives, writeLinks);
        return access;
    }
    const auto machines = static_cast<double>(group.machines);
    const Quantity count = d.input("machines of the job", machines, Unit::count, "placement");
    const double factor = relief.storage;
    access.readTerm = d.product(
        "storage read rate", "machines · local drive",
        {count,
         d.assumption("local drives of a machine, read", localRead * factor, localReadLow * factor, localReadHigh * factor,
                      Unit::bytesPerSecond, "no storage drawn: data staged on one to four NVMe drives")},
        Unit::bytesPerSecond);
    access.writeTerm = d.product(
        "storage write rate", "machines · local drive",
        {count,
         d.assumption("local drives of a machine, write", localWrite * factor, localWriteLow * factor, localWriteHigh * factor,
                      Unit::bytesPerSecond, "no storage drawn: checkpoints on local NVMe drives")},
        Unit::bytesPerSecond);
    access.read = access.readTerm.value;
    access.write = access.writeTerm.value;
    return access;
}

void addStorageTraffic(WorkloadResult& result, const EstimateContext& context, const StorageAccess& storage,
                       const GroupFabric& group, double bytesPerStep, double stepSeconds, bool writing) {
    if (storage.nodes.empty() || !(bytesPerStep > 0) || !(stepSeconds > 0))
        return;
    double drives = 0, devices = 0;
    for (const std::uint32_t store : storage.nodes)
        drives += driveRate(context.design.machines[store], writing);
    const auto size = [&](std::uint32_t node) {
        const Machine& machine = context.design.machines[node];
        return static_cast<double>(machine.count) * std::max(machine.gpus, 1);
    };
    for (const std::uint32_t node : group.nodes)
        devices += size(node);
    for (const std::uint32_t store : storage.nodes)
        for (const std::uint32_t node : group.nodes) {
            Traffic traffic;
            traffic.workload = result.estimate.id;
            traffic.kind = writing ? "checkpoint" : "storage";
            traffic.from = static_cast<int>(writing ? node : store);
            traffic.to = static_cast<int>(writing ? store : node);
            const double share = drives > 0 ? driveRate(context.design.machines[store], writing) / drives
                                            : 1.0 / static_cast<double>(storage.nodes.size());
            traffic.bytes = bytesPerStep * share * size(node) / devices;
            traffic.period = stepSeconds;
            traffic.activeTime = writing ? bytesPerStep / std::max(storage.write, 1.0) : 0;
            result.traffic.push_back(traffic);
        }
}

Survival survival(EstimateContext& context, const LlmTraining& spec, const TrainingCase& run, const StorageAccess& storage) {
    Derivation& d = context.derivation;
    Survival s;
    const double perParameter = 2 + run.optimizerState;
    s.checkpointBytes = perParameter * run.shape.parameters * run.trained;
    const Quantity bytes = d.computed(
        "checkpoint", "parameters · (weights + optimizer state)", s.checkpointBytes, s.checkpointBytes, s.checkpointBytes,
        Unit::bytes, {d.input("bytes a parameter in a checkpoint", perParameter, Unit::bytes, "16-bit weights and optimizer")});
    s.checkpoint =
        d.quotient("time to write a checkpoint", "checkpoint / storage write rate", bytes, storage.writeTerm, Unit::seconds);
    s.checkpointSeconds = s.checkpoint.value;
    const Quantity rate = interruptionsPerYear(context, run.fabric->nodes, spec.mtbfNodeHours);
    const Quantity restart = restartTime(context);
    const Quantity reload =
        d.quotient("time to read a checkpoint back", "checkpoint / storage read rate", bytes, storage.readTerm, Unit::seconds);
    if (!rate.known() || !(rate.value > 0) || !s.checkpoint.known()) {
        s.goodput = d.unknown("goodput", Unit::fraction, "failure rate or storage rate unknown");
        return s;
    }
    const auto outcome = [&](double perYear, double write, double down) -> Checkpointing {
        const double mtbf = secondsPerYear / perYear;
        if (spec.checkpointInterval && si(*spec.checkpointInterval) > 0) {
            const double interval = si(*spec.checkpointInterval);
            return {interval, goodputWithInterval(mtbf, write, down, interval)};
        }
        return bestCheckpointing(mtbf, write, down);
    };
    const Checkpointing likely = outcome(rate.value, s.checkpoint.value, restart.value + reload.value);
    const Checkpointing worst = outcome(rate.high, s.checkpoint.high, restart.high + reload.high);
    const Checkpointing best = outcome(rate.low, s.checkpoint.low, restart.low + reload.low);
    const Quantity inputs[] = {rate, s.checkpoint, restart, reload};
    s.intervalSeconds = likely.interval;
    s.interval = d.computed("time between checkpoints", spec.checkpointInterval ? "as given" : "sqrt(2 d M) (1 + …) − d",
                            likely.interval, std::min(worst.interval, best.interval), std::max(worst.interval, best.interval),
                            Unit::seconds, inputs, "Daly 2006");
    s.goodput = d.computed("goodput", "interval e^(−R/M) / (M (e^((interval + d)/M) − 1))", likely.goodput, worst.goodput,
                           best.goodput, Unit::fraction, inputs, "Daly 2006");
    return s;
}

} // namespace cw
