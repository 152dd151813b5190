// SPDX-License-Identifier: GPL-3.0-or-later
//
// A recorded trace of requests (CSV: when, tokens in, tokens out) read as a stream and summarised on the way: how the rate goes over time
// and over the day, how long prompts and answers are. Memory does not grow with the trace; lines need not be in order. Pure functions;
// a file of ten million lines takes a few seconds, so windows read it in the background.
#pragma once

#include "model/base/error.h"
#include "model/design/workload.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace cw {

/// How some lengths are distributed: moments, and quantiles to about 1 %.
struct LengthSummary {
    double mean = 0, cv = 0;
    double p50 = 0, p95 = 0, p99 = 0, most = 0;
    std::vector<double> histogram; ///< requests by length, in steps of a factor `histogramStep` from one token
};
constexpr double histogramStep = 1.4142135623730951;

struct TraceSummary {
    std::int64_t requests = 0;
    std::int64_t outOfOrder = 0; ///< lines earlier than the one before
    std::int64_t skipped = 0;    ///< lines that cannot be read
    std::vector<Error> faults;   ///< of the first few of those
    double start = 0;            ///< seconds since 1970 (or of the trace's own clock)
    bool absolute = false;       ///< the trace says the date
    double seconds = 0;          ///< from the first request to the last
    double meanRate = 0;         ///< requests/s over that time
    double busyRate = 0;         ///< the rate to design for: of the busiest hour of the mean day, or the mean of a trace shorter than a day
    double peakRate = 0;         ///< of the busiest `binSeconds`
    double gapCv = 0;            ///< variation of the time between requests (1: random); NaN where lines are out of order
    std::vector<double> hourly;  ///< share of the busy rate in each of 24 hours; empty for traces shorter than a day
    double binSeconds = 0;
    std::vector<double> rates;   ///< requests/s over the trace, at most `mostBins` bins
    LengthSummary prompt, output;
    std::shared_ptr<const RecordedRequests> recorded; ///< the stretch about the busiest bin; null where the stream cannot be read twice
};
constexpr int mostBins = 512;
constexpr std::size_t mostRecorded = 16384; ///< requests of the stretch that a simulation replays

/// `progress` is called now and then with the lines read; returning false stops the reading with an error.
Expected<TraceSummary> readTrace(std::istream& in, const std::string& name, const std::function<bool(std::int64_t)>& progress = {});
Expected<TraceSummary> readTraceFile(const std::string& path, const std::function<bool(std::int64_t)>& progress = {});

/// The trace as the load of a workload: rate, load over the day, burstiness, the stretch to replay, and lengths where the kind has them. A trace
/// whose requests all come at one time leaves the rate as it is. False for kinds without arrivals.
bool applyTrace(Workload& workload, const TraceSummary& trace, const std::string& name);

} // namespace cw
