// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time of a step of high-performance computing codes on the drawn network: roofline of a device, halo exchange with neighbours in three
// dimensions, global reductions; Linpack and HPCG by their own operation counts. Plain numbers; pure. Equations: docs/equations.md, "HPC".
#pragma once

#include "estimators/base/context.h"
#include "estimators/network/collectives.h"

namespace cw {

/// A device of the job and the network, after relief.
struct HpcCase {
    const GroupFabric* group = nullptr;
    const Catalog* catalog = nullptr;
    const Constants* constants = nullptr;
    bool gpu = false;
    double devices = 1;
    double peak = 0, bandwidth = 0, memory = 0; ///< of one device: FLOP/s at the precision asked for, bytes/s, bytes
    double networkRelief = 1, scaleUpRelief = 1;
    double messageLatency = 2e-6; ///< software of a message, ends included

    double constant(const char* key, double otherwise) const { return constants ? constants->get(key, otherwise) : otherwise; }
};

struct HpcTime {
    double seconds = 0;              ///< a step, or the whole run of a benchmark
    double compute = 0, memory = 0;  ///< the longer one counts, the other is 0
    double scaleUp = 0, network = 0; ///< exposed exchange
    double latency = 0;              ///< reductions and message starts
    double operations = 0;           ///< of all devices
    double serial = 0;               ///< time of the same work shared ideally among the devices
    double problem = 0;              ///< order N of Linpack's matrix
    double haloBytes = 0;            ///< a device sends a step
    double reductions = 0;

    double efficiency() const { return seconds > 0 ? serial / seconds : 0; }
};

HpcTime hpcTime(const HpcCase& run, const Hpc& spec);

/// Share of a device's neighbours in a three-dimensional grid that lie outside of its block of so many devices.
double haloShare(double devicesPerBlock, double devices);

} // namespace cw
