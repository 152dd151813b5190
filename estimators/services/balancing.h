// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a balancer and bursts make of the wait in front of equal queues, in closed form. Random choice and round robin change how regularly
// requests come to one queue (Kingman; Allen and Cunneen; Kraemer and Langenbach-Belz below 1), least work makes one queue of all, and of
// two queues at random the better one lies between (Mitzenmacher 2001). Replicas that fail leave their share to the others. Pure functions.
// Equations: docs/equations-serving.md, "Balancers, bursts and failures".
#pragma once

#include "estimators/services/queueing.h"
#include "model/design/workload.h"

namespace cw {

struct Balancing {
    Routing routing = Routing::random;
    double queues = 1;     ///< equal ones that share the arrivals
    double arrivalCv2 = 1; ///< of all arrivals together, squared variation of the time between them
    double up = 1;         ///< share of the time in which a replica is not broken

    bool usual() const { return routing == Routing::random && arrivalCv2 == 1; }
};

/// Of a workload, in safe numbers; the number of queues is to be filled in.
Balancing balancingOf(const RequestFlow& flow);

/// The wait in one of the queues, each with `servers` servers and `rate` requests per second.
Waiting balancedWaiting(double rate, double serviceTime, std::int64_t servers, double serviceCv2, const Balancing& balancing);

/// The same for a wait that was found for random arrivals at a queue with one server in the utilisation that it names.
Waiting balanced(const Waiting& atRandom, double serviceCv2, const Balancing& balancing);

} // namespace cw
