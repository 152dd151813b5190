// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/request_trace.h"

#include "model/io/trace_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

namespace cw {

namespace {

constexpr double dayLength = 86400, hourLength = 3600;
constexpr std::size_t mostFaults = 5;
constexpr std::int64_t progressEvery = 1 << 17;

/// Lengths in buckets of 2 %, and their moments.
class LengthCount {
public:
    void add(double tokens) {
        ++m_count;
        const double delta = tokens - m_mean; // Welford
        m_mean += delta / static_cast<double>(m_count);
        m_squares += delta * (tokens - m_mean);
        m_most = std::max(m_most, tokens);
        ++m_buckets[std::min(m_buckets.size() - 1, static_cast<std::size_t>(std::log(std::max(1., tokens)) / m_step))];
    }

    LengthSummary summary() const {
        LengthSummary out;
        out.mean = m_mean;
        out.cv = m_count > 1 && m_mean > 0 ? std::sqrt(m_squares / static_cast<double>(m_count)) / m_mean : 0;
        out.most = m_most;
        out.p50 = quantile(.5);
        out.p95 = quantile(.95);
        out.p99 = quantile(.99);
        for (std::size_t i = 0; i < m_buckets.size(); ++i) {
            if (m_buckets[i] == 0)
                continue;
            const auto at = static_cast<std::size_t>((static_cast<double>(i) + .5) * m_step / std::log(histogramStep));
            out.histogram.resize(std::max(out.histogram.size(), at + 1));
            out.histogram[at] += static_cast<double>(m_buckets[i]);
        }
        return out;
    }

private:
    double quantile(double p) const {
        const double wanted = p * static_cast<double>(m_count);
        double seen = 0;
        for (std::size_t i = 0; i < m_buckets.size(); ++i) {
            seen += static_cast<double>(m_buckets[i]);
            if (seen >= wanted && m_buckets[i] > 0)
                return std::min(m_most, std::exp((static_cast<double>(i) + .5) * m_step));
        }
        return m_most;
    }

    double m_step = std::log(1.02);
    std::array<std::int64_t, 1100> m_buckets{};
    std::int64_t m_count = 0;
    double m_mean = 0, m_squares = 0, m_most = 0;
};

/// Requests over time in bins that double in width when there are too many of them.
class RateBins {
public:
    void add(double at) {
        const auto [low, high] = m_bins.empty() ? std::pair(index(at), index(at)) : std::pair(m_bins.begin()->first, m_bins.rbegin()->first);
        ++m_bins[index(at)];
        while (std::max(high, m_bins.rbegin()->first) - std::min(low, m_bins.begin()->first) >= mostBins)
            widen();
    }
    double width() const { return m_width; }
    /// The busiest bin and its neighbours, the busier first, as long as they hold at most so many requests.
    std::pair<double, double> busiest(std::int64_t most) const {
        const auto top = std::max_element(m_bins.begin(), m_bins.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        std::int64_t low = top->first, high = top->first, count = top->second;
        const auto at = [&](std::int64_t bin) {
            const auto found = m_bins.find(bin);
            return found == m_bins.end() ? 0 : found->second;
        };
        const std::int64_t first = m_bins.begin()->first, last = m_bins.rbegin()->first;
        while (low > first || high < last) {
            const bool down = high == last || (low > first && at(low - 1) > at(high + 1));
            count += at(down ? low - 1 : high + 1);
            if (count > most)
                break;
            (down ? low : high) += down ? -1 : 1;
        }
        return {static_cast<double>(low) * m_width, static_cast<double>(high + 1) * m_width};
    }
    std::vector<double> rates() const {
        std::vector<double> out;
        if (m_bins.empty())
            return out;
        out.resize(static_cast<std::size_t>(m_bins.rbegin()->first - m_bins.begin()->first) + 1);
        for (const auto& [at, count] : m_bins)
            out[static_cast<std::size_t>(at - m_bins.begin()->first)] = static_cast<double>(count) / m_width;
        return out;
    }

private:
    std::int64_t index(double at) const { return static_cast<std::int64_t>(std::floor(at / m_width)); }
    void widen() {
        m_width *= 2;
        std::map<std::int64_t, std::int64_t> wider;
        for (const auto& [at, count] : m_bins)
            wider[at >= 0 ? at / 2 : (at - 1) / 2] += count;
        m_bins.swap(wider);
    }
    double m_width = 1;
    std::map<std::int64_t, std::int64_t> m_bins;
};

std::size_t hourOf(double at) {
    const double ofDay = std::fmod(at, dayLength) + (at < 0 ? dayLength : 0);
    return std::min<std::size_t>(23, static_cast<std::size_t>(ofDay / hourLength));
}

class TraceReader {
public:
    explicit TraceReader(std::string name) : m_name(std::move(name)) {}

    Expected<TraceSummary> read(std::istream& in, const std::function<bool(std::int64_t)>& progress) {
        std::string line;
        if (!std::getline(in, line) || line.find_first_not_of(" \t\r\n") == std::string::npos)
            return fail({m_name, "a header line with columns of time, prompt and output tokens", "nothing", "The trace is empty."});
        m_line = 1;
        if (line.starts_with("\xef\xbb\xbf"))
            line.erase(0, 3);
        Expected<TraceColumns> columns = traceColumns(line, m_name);
        if (!columns)
            return fail(columns.error());
        while (std::getline(in, line)) {
            ++m_line;
            if (m_line % progressEvery == 0 && progress && !progress(m_line))
                return fail({m_name, {}, {}, "Reading was stopped."});
            if (line.find_first_not_of(" \t\r") != std::string::npos)
                add(line, *columns);
        }
        if (m_out.requests == 0)
            return fail({m_out.faults.empty() ? m_name : m_out.faults.front().where, "at least one request",
                         m_out.faults.empty() ? "only a header" : m_out.faults.front().found, "The trace has no request that can be read."});
        finish();
        if (!record(in, *columns, progress))
            return fail({m_name, {}, {}, "Reading was stopped."});
        return std::move(m_out);
    }

private:
    /// Reads once more what lies about the busiest bin; false when stopped. Only the earliest requests are kept where a bin has too many.
    bool record(std::istream& in, const TraceColumns& columns, const std::function<bool(std::int64_t)>& progress) {
        std::string line;
        in.clear();
        if (m_out.requests < 2 || !(m_out.seconds > 0) || !in.seekg(0) || !std::getline(in, line))
            return true;
        const auto [from, to] = m_bins.busiest(static_cast<std::int64_t>(mostRecorded));
        const auto earlier = [](const TraceLine& a, const TraceLine& b) { return a.seconds < b.seconds; };
        std::vector<TraceLine> kept; // a heap, the latest on top
        for (std::int64_t read = 1; std::getline(in, line); ++read) {
            if (read % progressEvery == 0 && progress && !progress(m_line + read))
                return false;
            const TraceLine request = readTraceLine(line, columns);
            const double at = request.seconds - m_first;
            if (!request.expected.empty() || !(at >= from && at < to) || (kept.size() >= mostRecorded && !earlier(request, kept.front())))
                continue;
            kept.push_back(request);
            std::push_heap(kept.begin(), kept.end(), earlier);
            if (kept.size() > mostRecorded) {
                std::pop_heap(kept.begin(), kept.end(), earlier);
                kept.pop_back();
            }
        }
        std::stable_sort(kept.begin(), kept.end(), earlier);
        if (kept.size() < 2 || !(kept.back().seconds > kept.front().seconds))
            return true;
        RecordedRequests recorded;
        for (const TraceLine& request : kept) {
            recorded.at.push_back(std::round((request.seconds - kept.front().seconds) * 1e6) / 1e6); // microseconds are enough for a file
            if (columns.prompt >= 0)
                recorded.prompts.push_back(std::max(1., request.prompt));
            if (columns.output >= 0)
                recorded.outputs.push_back(std::max(1., request.output));
        }
        m_out.recorded = std::make_shared<const RecordedRequests>(std::move(recorded));
        return true;
    }

    void add(std::string_view line, const TraceColumns& columns) {
        const TraceLine read = readTraceLine(line, columns);
        if (!read.expected.empty()) {
            ++m_out.skipped;
            if (m_out.faults.size() < mostFaults)
                m_out.faults.push_back({fmt::format("{}:{}", m_name, m_line), read.expected, read.found, "The line cannot be read."});
            return;
        }
        if (m_out.requests == 0) {
            m_first = m_earliest = m_latest = m_previous = read.seconds;
            m_out.absolute = read.absolute;
        } else if (read.seconds < m_previous) {
            ++m_out.outOfOrder;
        } else {
            const double gap = read.seconds - m_previous;
            m_gaps += gap;
            m_gapSquares += gap * gap;
        }
        ++m_out.requests;
        m_previous = read.seconds;
        m_earliest = std::min(m_earliest, read.seconds);
        m_latest = std::max(m_latest, read.seconds);
        m_bins.add(read.seconds - m_first);
        ++m_hours[hourOf(read.seconds)];
        if (columns.prompt >= 0)
            m_prompt.add(read.prompt);
        if (columns.output >= 0 && read.output > 0)
            m_output.add(read.output); // none: the request failed
    }

    void finish() {
        const double count = static_cast<double>(m_out.requests);
        m_out.start = m_earliest;
        m_out.seconds = m_latest - m_earliest;
        m_out.binSeconds = m_bins.width();
        m_out.rates = m_bins.rates();
        m_out.meanRate = m_out.seconds > 0 ? (count - 1) / m_out.seconds : 0;
        m_out.peakRate = m_out.rates.empty() ? 0 : *std::max_element(m_out.rates.begin(), m_out.rates.end());
        m_out.prompt = m_prompt.summary();
        m_out.output = m_output.summary();
        m_out.gapCv = std::numeric_limits<double>::quiet_NaN();
        if (m_out.outOfOrder == 0 && count > 2 && m_gaps > 0) {
            const double mean = m_gaps / (count - 1);
            m_out.gapCv = std::sqrt(std::max(0., m_gapSquares / (count - 1) - mean * mean)) / mean;
        }
        m_out.busyRate = m_out.meanRate;
        if (m_out.seconds >= .8 * dayLength)
            spreadOverDay();
    }

    /// The mean day: requests in each hour of the day over the time the trace spends in it.
    void spreadOverDay() {
        std::array<double, 24> covered{};
        const double days = std::floor(m_out.seconds / dayLength);
        covered.fill(days * hourLength);
        for (double at = m_earliest + days * dayLength; at < m_latest; at += 60)
            covered[hourOf(at)] += std::min(60., m_latest - at);
        std::vector<double> rate(24, 0);
        for (std::size_t hour = 0; hour < rate.size(); ++hour)
            if (covered[hour] > 60)
                rate[hour] = static_cast<double>(m_hours[hour]) / covered[hour];
        const double most = *std::max_element(rate.begin(), rate.end());
        if (!(most > 0))
            return;
        m_out.busyRate = most;
        for (double& hour : rate)
            hour /= most;
        m_out.hourly = std::move(rate);
    }

    std::string m_name;
    TraceSummary m_out;
    std::int64_t m_line = 0;
    double m_first = 0, m_earliest = 0, m_latest = 0, m_previous = 0, m_gaps = 0, m_gapSquares = 0;
    RateBins m_bins;
    std::array<std::int64_t, 24> m_hours{};
    LengthCount m_prompt, m_output;
};

cw::Lengths lengthsOf(const LengthSummary& summary, const cw::Lengths& before) {
    return summary.mean > 0 ? cw::Lengths{std::max(1., summary.mean), summary.cv} : before;
}

} // namespace

Expected<TraceSummary> readTrace(std::istream& in, const std::string& name, const std::function<bool(std::int64_t)>& progress) {
    return TraceReader(name).read(in, progress);
}

Expected<TraceSummary> readTraceFile(const std::string& path, const std::function<bool(std::int64_t)>& progress) {
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return fail({path, "a readable file", "none", "The trace cannot be opened."});
    std::vector<char> buffer(1 << 20);
    in.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    return readTrace(in, path, progress);
}

bool applyTrace(Workload& workload, const TraceSummary& trace, const std::string& name) {
    const bool has = std::visit(
        [&](auto& spec) {
            if constexpr (requires { spec.prompt; }) {
                spec.prompt = lengthsOf(trace.prompt, spec.prompt);
                spec.output = lengthsOf(trace.output, spec.output);
                spec.concurrency.reset();
            }
            if constexpr (requires { spec.arrivalRate; }) {
                spec.arrivalRate = trace.busyRate > 0 ? trace.busyRate : spec.arrivalRate;
                return true;
            } else if constexpr (requires { spec.eventRate; }) {
                spec.eventRate = trace.busyRate > 0 ? trace.busyRate : spec.eventRate;
                return true;
            }
            return false;
        },
        workload.spec);
    if (!has)
        return false;
    workload.load.hourly = trace.hourly;
    workload.flow.recorded = trace.recorded;
    if (trace.gapCv >= 0)
        workload.flow.arrivalCv = std::min(trace.gapCv, 100.);
    const std::string said = fmt::format("Load recorded in {}: {} requests over {:.3g} h.", name, trace.requests, trace.seconds / hourLength);
    if (workload.notes.find(said) == std::string::npos)
        workload.notes += (workload.notes.empty() ? "" : "\n") + said;
    return true;
}

} // namespace cw
