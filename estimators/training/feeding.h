// SPDX-License-Identifier: GPL-3.0-or-later
//
// What flows between a training job and storage: samples in, checkpoints out; and failures between checkpoints. Works on the storage that is
// drawn and reached, else on local drives as a stated assumption.
#pragma once

#include "estimators/training/step.h"

namespace cw {

/// Storage as the job's machines reach it, all of it together, bytes/s.
struct StorageAccess {
    std::vector<std::uint32_t> nodes; ///< storage stacks that are connected; empty: local drives
    double read = 0, write = 0;
    bool limitedByNetwork = false; ///< reading: links are slower than drives
    bool drawnButUnreachable = false;
    Quantity readTerm, writeTerm;
};
StorageAccess storageAccess(EstimateContext& context, const GroupFabric& group, const Relief& relief);

/// Samples and checkpoints between storage stacks and the machines of the job.
void addStorageTraffic(WorkloadResult& result, const EstimateContext& context, const StorageAccess& storage,
                       const GroupFabric& group, double bytesPerStep, double stepSeconds, bool writing);

struct Survival {
    Quantity goodput, interval, checkpoint;
    double checkpointBytes = 0, checkpointSeconds = 0, intervalSeconds = 0;
};
/// Share of time that makes kept progress, with failures, checkpoints and restarts.
Survival survival(EstimateContext& context, const LlmTraining& spec, const TrainingCase& run, const StorageAccess& storage);

} // namespace cw
