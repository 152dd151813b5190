// SPDX-License-Identifier: GPL-3.0-or-later
//
// Speed of the discrete-event engine on one core.
#pragma once

namespace cw::bench {

double simpleRequestsPerSecond();  ///< M/M/4 at 80 %
double batchingStepsPerSecond();   ///< decode steps and prompt steps of one replica of serving() at 80 % of its capacity
double slowestExampleMilliseconds(); ///< p99s of one alternative of a shipped serving example to 5 %; unknown if one is not reached

} // namespace cw::bench
