// SPDX-License-Identifier: GPL-3.0-or-later
//
// The drawn network as a platform file of SimGrid (XML, DTD version 4.1), for its own tools and as an independent check of the estimators.
// Hosts are devices: the GPUs of a machine, or the machine where it has none. SimGrid gives every pair of hosts one route, so switches
// that are alike become one router and the equal paths over them one link of their joint bandwidth: ideal spraying, as in linkLoads().
// Rates and latencies are those of Fabric::capacity(). Pure function.
#pragma once

#include "estimators/network/fabric.h"
#include "model/base/error.h"

#include <string>

namespace cw {

/// SimGrid keeps a table of routes for each host that sends; above this a simulation is no longer a matter of minutes.
constexpr std::int64_t maxSimgridHosts = 10'000;

/// Host of a device: "ID-MEMBER" of machines without GPUs, else "ID-MEMBER.gpuN"; numbers from 0.
std::string simgridHost(const Node& node, std::int64_t member, int gpus, int device);

/// Links are split-duplex, named by the drawn links they stand for, "LINK+LINK:ROUTER:ROUTER", _UP from the first router to the second.
Expected<std::string> simgridPlatform(const Fabric& fabric);

} // namespace cw
