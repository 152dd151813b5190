// SPDX-License-Identifier: GPL-3.0-or-later
//
// One serving replica on the drawn machines: a layout (tensor, pipeline and attention-data parallel ranks) of a model on GPUs, or a host
// with its CPUs, as step coefficients and a KV cache of so many tokens. Everything later (batching, queues, capacity) works on a Replica
// and does not ask what it runs on. Pure and thread-safe.
#pragma once

#include "estimators/base/context.h"
#include "estimators/network/collectives.h"
#include "estimators/serving/served_model.h"
#include "estimators/serving/serving_constants.h"
#include "estimators/serving/step_model.h"

namespace cw {

/// tensor · attentionData ranks share one copy of the experts; a pipeline of `pipeline` such groups holds the model.
struct ReplicaLayout {
    int tensor = 1, pipeline = 1, attentionData = 1;
    int devices() const { return tensor * pipeline * attentionData; }
    bool operator==(const ReplicaLayout&) const = default;
};

/// Memory of one device (GPU, or a whole CPU machine), bytes.
struct ReplicaMemory {
    double capacity = 0; ///< of the device
    double usable = 0;   ///< what the serving program takes
    double weights = 0, reserved = 0;
    double kvPerToken = 0; ///< of the replica's sequences, spread over its devices
    bool fits() const { return weights + reserved < usable; }
};

struct Replica {
    ReplicaLayout layout;
    StepModel step;
    ServingStack stack;
    ReplicaMemory memory;
    double kvTokens = 0;          ///< that the whole replica can hold
    double stateTokens = 0;       ///< what the state of a sequence takes, in tokens of KV
    double errorTpot = 0, errorTtft = 0, errorCapacity = 0;
    double peak16 = 0;            ///< of one device, for utilisation of model FLOPs
    bool onCpu = false;
    bool tensorOverNetwork = false;
    // What the derivation shows:
    double bandwidth = 0;         ///< of one device's memory, bytes/s
    double peak = 0;              ///< FLOP/s of the arithmetic used, power cap included
    double peakRatio = 1;         ///< over the data sheet's: power limit, or sockets
    double efficiency = 0, bandwidthShare = 0;
    const char* efficiencyKey = ""; ///< in the device constants
    const Constants* deviceSet = nullptr;
};

/// What a replica is built from. `group` is the fabric of the stack for ranks that leave the scale-up domain; may be null when none do.
struct ReplicaSite {
    const Machine* machine = nullptr;
    const GroupFabric* group = nullptr;
    const Catalog* catalog = nullptr;
    Relief relief;
    ServingStack stack;
    ServingDevice device; ///< of a GPU machine
    ServingCpu cpu;       ///< of a CPU machine
};

Replica gpuReplica(const ReplicaSite& site, const ServedModel& model, const ReplicaLayout& layout, double typicalContext);
/// A machine's sockets serve as one replica.
Replica cpuReplica(const ReplicaSite& site, const ServedModel& model, double typicalContext);

/// Does the layout divide the model (heads, layers, experts)?
bool legal(const ServedModel& model, const ReplicaLayout& layout);

} // namespace cw
