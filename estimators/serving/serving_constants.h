// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calibrated constants of serving: what a device reaches of its data sheet and what a software stack adds. They live in the catalog
// (calibration_serving.json, kinds "serving_device", "serving_cpu", "serving_stack"); this is their one place of lookup. Thread-safe.
#pragma once

#include "estimators/base/resolved.h"

namespace cw {

/// Of a GPU. `set` is the catalog entry; its range and `fittedOn` go into derivations.
struct ServingDevice {
    const Constants* set = nullptr;
    double weightBandwidth = 0;  ///< share of the memory bandwidth that streaming weights reaches
    double kvBandwidth = 0, expertBandwidth = 0;
    double efficiency16 = 0, efficiency8 = 0, efficiency4 = 0; ///< of the dense peak, by arithmetic width
    double attentionEfficiency = 0;    ///< of the 16-bit peak
    double allReduceLatency = 0;       ///< s, within the scale-up domain
    double scaleUpShare = 0;           ///< of the scale-up bandwidth
    double pcieAllReduceLatency = 0, pcieShare = 0; ///< the same without a scale-up link
    double layerOverheadRatio = 1;     ///< on the stack's overhead a layer
    double usableMemory = 1.05;        ///< bytes a driver offers over the catalog's (10⁹, really 2³⁰) figure
    double errorTpot = 0, errorTtft = 0, errorCapacity = 0; ///< relative, of estimates on this device
};

/// Of a serving program.
struct ServingStack {
    const Constants* set = nullptr;
    double layerOverhead = 0, expertLayerOverhead = 0, mlaLayerOverhead = 0; ///< s a layer and step
    double stepOverhead = 0, sequenceOverhead = 0;                          ///< s
    double sequencePower = 1;   ///< the overhead of b sequences grows as b to this power
    double requestOverhead = 0; ///< s of the replica's time a request
    double outputLatency = 0;   ///< s added to the first token, not to the replica's work
    double burstShare = 0;      ///< beta: requests that wait behind a synchronised burst (closed loop)
    double burstShareEqual = 0; ///< the same where all requests are of one length, so that lockstep lasts
    double burstPowerEqual = 1; ///< the prompts of a burst grow as the number of users to this power
    double queueShare = 0;      ///< c_q
    double tpotTail = 1.1;      ///< p99 over mean
    double waitShare = .6;      ///< psi at prompt variation 1
    double memoryShare = .9;    ///< of the device's memory that the program takes
    bool shareOfFree = false;   ///< that share is of what weights leave (TensorRT-LLM), and goes to the KV cache
    double reservedBytes = 1.5e9;
    double blockTokens = 1;
    double maxSequences = 2048;
    double chunkTokens = 8192;  ///< prompt tokens of one step
    double reservedOutput = .5; ///< share of the output that a request must find room for when it is admitted; 0: none, it may be preempted
    bool prefillFirst = false;  ///< prompts stop the decoding of others; else both share steps
    double admission = .95;     ///< of the KV places, beyond which preemption sets in
    double activationPasses = 23; ///< unsharded element-wise traffic of prefill, in passes over the hidden vectors
    double expertPrefill = .18; ///< of the device's efficiency, that the small matrices of routed experts reach in prefill
    double hostOverlap = 1;     ///< p of (device^p + host^p)^(1/p): 1 adds them (captured graphs), large where the host runs ahead (eager)
    double prefillHost = 0;     ///< s a prompt besides the layers' overhead; eager stacks
    double draftAccepted = .7;  ///< speculative decoding: share of proposed tokens that are kept
    double draftCost = .05;     ///< of a step's weight traffic, a proposed token
};

/// Of inference on host CPUs: keys of one "serving_cpu" entry by instruction set.
struct ServingCpu {
    const Constants* set = nullptr;
    double bandwidthOneSocket = 0, bandwidthSockets = 0; ///< share of all sockets' bandwidth
    double efficiency = 0;   ///< of the peak at base clock
    double memoryShare = .9; ///< of the RAM
    double layerOverhead = 0, stepOverhead = 0;
    double errorTpot = 0, errorTtft = 0, errorCapacity = 0;
};

/// By part id, else by architecture, else the entry of unmeasured devices. Null set: the catalog has none at all. Keys that the stack
/// states itself (it was measured as a whole) replace the device's; a key with an architecture behind it ("efficiency_8bit_hopper") holds
/// for that one only.
ServingDevice servingDevice(const Catalog& catalog, const Gpu& gpu, const ServingStack& stack);
ServingCpu servingCpu(const Catalog& catalog, const Cpu& cpu, const ServingStack& stack);
/// The stack a placement names, else the default ("stack_vllm" on GPUs, "stack_llamacpp" on CPUs).
ServingStack servingStack(const Catalog& catalog, const PartId& wanted, bool onCpu);

} // namespace cw
