// SPDX-License-Identifier: GPL-3.0-or-later
//
// One training run on one group of machines, reduced to the numbers that the step needs. Made once per estimate and relief; the plan
// search evaluates hundreds of plans on it without allocating. Pointers belong to the estimate's design and catalog.
#pragma once

#include "estimators/base/context.h"
#include "estimators/network/collectives.h"
#include "estimators/training/kernels.h"
#include "estimators/training/model_shape.h"
#include "estimators/training/stack.h"

namespace cw {

/// How matrix products run in a number format, against the device's 16-bit rate.
struct ArithmeticRate {
    double rate = 1; ///< FLOP/s over the 16-bit peak, efficiency of the format included
    double operandBytes = 2;
    double cast = 0; ///< passes that convert operands, in bytes an element
    double gain = 1; ///< peak of the format over the 16-bit peak, for MFU
};

struct TrainingCase {
    ModelShape shape;
    TrainingStack stack;
    KernelDevice device;
    ArithmeticRate dense, expert;
    double batch = 1, sequence = 1; ///< samples a step; tokens a sample
    std::int64_t devices = 1;
    int domain = 1; ///< devices of one scale-up domain
    int devicesPerMachine = 1;
    const GroupFabric* fabric = nullptr;
    double scaleUpBandwidth = 0; ///< bytes/s of one device in the step model
    double networkRelief = 1;
    bool inNetworkReduction = false; ///< collectives may sum in the switches, where those can
    double memory = 0; ///< bytes of one device
    double hostMemory = 0, hostBandwidth = 0,
           hostLink = 0;              ///< of the host, one device's share: bytes, bytes/s; PCIe or chip-to-chip bytes/s
    double optimizerState = 12;       ///< bytes a parameter: fp32 weights and moments
    double samplesPerSecondRead = 0;  ///< what storage delivers; 0: no limit known or asked for
    const Gpu* gpu = nullptr;         ///< null: CPUs train
    const Machine* machine = nullptr; ///< the slowest of the group
    double clock = 1;                 ///< share left by a power cap
    bool frozen = false;              ///< only adapters are trained: no gradients of the weights
    double trained = 1;               ///< share of the parameters that have gradients and optimizer state
    double convolutionalBytes = 0, convolutionalShare = .45; ///< of CNNs: bytes an operation, share of peak

    /// The ranks of a parallel dimension whose neighbours are `stride` devices apart.
    RankGroup ranks(int count, std::int64_t stride) const {
        RankGroup group = rankGroup(*fabric, domain, count, stride);
        group.inSwitch = group.inScaleUpSwitch = inNetworkReduction;
        return group;
    }
};

/// Time of one collective in a step, before any overlap, by where it flows.
struct CommunicationTime {
    double seconds = 0;
    bool network = false; ///< the network stage is the longer one
};

/// stages 2: all-reduce, 1: all-gather or reduce-scatter, of `bytes` over these ranks; `messages` collectives in a row pay latency each.
CommunicationTime stepCollective(const TrainingCase& run, double stages, double bytes, const RankGroup& ranks,
                                 double messages = 1);

ArithmeticRate arithmeticRate(Precision precision, const Gpu* gpu, const TrainingStack& stack, bool experts);

/// Bytes of optimizer state a parameter: "adam" and "adamw" 12, "adam8bit" 6, "lion" and "muon" and "sgd" 8, "adafactor" 4.
double optimizerStateBytes(std::string_view optimizer);

/// What the slowest machine of the group gives. `group` must outlive the case. Empty: nothing that can train.
std::optional<TrainingCase> trainingCase(EstimateContext& context, const LlmTraining& spec, const ModelShape& shape,
                                         std::optional<Precision> precision, const PartId& stack, const GroupFabric& group,
                                         const Relief& relief);

} // namespace cw
