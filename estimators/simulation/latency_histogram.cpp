// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/latency_histogram.h"

#include <algorithm>

namespace cw::simulation {

LatencyHistogram::LatencyHistogram()
    : m_counts(steps + 1, 0) {}

double LatencyHistogram::lowerEdge(std::uint32_t step) {
    constexpr std::uint64_t first = std::uint64_t(1023 + lowestExponent) << bits;
    return step == 0 ? 0 : std::bit_cast<double>((first + step - 1) << (52 - bits));
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
    for (std::uint32_t step = other.m_lowest; step <= other.m_highest; ++step)
        m_counts[step] += other.m_counts[step];
    m_lowest = std::min(m_lowest, other.m_lowest);
    m_highest = std::max(m_highest, other.m_highest);
    m_count += other.m_count;
    m_sum += other.m_sum;
}

void LatencyHistogram::clear() {
    std::fill(m_counts.begin(), m_counts.end(), 0);
    m_lowest = steps;
    m_highest = 0;
    m_count = 0;
    m_sum = 0;
}

double LatencyHistogram::quantile(double p) const {
    const double wanted = p * static_cast<double>(m_count);
    std::uint64_t before = 0;
    for (std::uint32_t step = m_lowest; step <= m_highest; ++step) {
        const std::uint32_t here = m_counts[step];
        if (here == 0 || static_cast<double>(before + here) < wanted) {
            before += here;
            continue;
        }
        if (step == 0)
            return 0;
        const double within = std::max(0., wanted - static_cast<double>(before)) / here;
        return lowerEdge(step) + within * (lowerEdge(step + 1) - lowerEdge(step));
    }
    return 0;
}

double LatencyHistogram::below(double t) const {
    if (m_count == 0 || t < 0)
        return 0;
    const std::uint32_t last = stepOf(t);
    std::uint64_t sum = 0;
    for (std::uint32_t step = m_lowest; step < std::min(last, m_highest + 1); ++step)
        sum += m_counts[step];
    const double low = lowerEdge(last), high = lowerEdge(last + 1);
    const double within = last == 0 ? 1 : std::clamp((t - low) / (high - low), 0., 1.);
    return (static_cast<double>(sum) + within * m_counts[last]) / static_cast<double>(m_count);
}

} // namespace cw::simulation
