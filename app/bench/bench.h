// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the program on the machine it runs on: estimator, canvas, files, window. Each figure is the median of several runs after a
// warm-up, on generated designs or the largest shipped example. Names are stable.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cw::bench {

struct Benchmark {
    std::string name, unit;
    std::function<double()> measure; ///< NaN: could not be measured here
};

const std::vector<Benchmark>& benchmarks();

/// Median seconds of one call of f: a warm-up, then `runs` runs of as many calls as take a few milliseconds.
double medianSeconds(const std::function<void()>& f, int runs = 9);

/// What a child process prints for startup_ms and memory_largest_example_mb: opens the largest example in a window without a display, waits
/// until its estimate is painted, prints "milliseconds megabytes". The start of the process, in ms since the epoch, comes in
/// the environment as CLUSTERWRIGHT_STARTED_AT.
int startupProbe();

} // namespace cw::bench
