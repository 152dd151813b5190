// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts of times on a logarithmic scale, 512 steps an octave (.14 % wide) from 7 ns to twelve days, read off the bits of the number.
// Adding costs a few nanoseconds and no memory grows with the run; quantiles interpolate within a step. Value type.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace cw::simulation {

class LatencyHistogram {
public:
    LatencyHistogram();

    void add(double seconds) {
        const std::uint32_t step = stepOf(seconds);
        ++m_counts[step];
        m_lowest = step < m_lowest ? step : m_lowest;
        m_highest = step > m_highest ? step : m_highest;
        ++m_count;
        m_sum += seconds;
    }
    void merge(const LatencyHistogram& other);
    void clear();

    std::uint64_t count() const { return m_count; }
    double mean() const { return m_count > 0 ? m_sum / static_cast<double>(m_count) : 0; }
    /// Smallest t with a share p of all at or below it; 0 without any.
    double quantile(double p) const;
    /// Share at or below t.
    double below(double t) const;

private:
    static constexpr int bits = 9, lowestExponent = -27, highestExponent = 20;
    static constexpr std::uint32_t steps = (highestExponent - lowestExponent) << bits;

    static std::uint32_t stepOf(double seconds) {
        constexpr std::uint64_t first = std::uint64_t(1023 + lowestExponent) << bits;
        if (!(seconds >= 0x1p-27))
            return 0; // nothing, and what is too short to tell from it
        const std::uint64_t step = (std::bit_cast<std::uint64_t>(seconds) >> (52 - bits)) - first;
        return step < steps ? static_cast<std::uint32_t>(step) + 1 : steps;
    }
    static double lowerEdge(std::uint32_t step);

    std::vector<std::uint32_t> m_counts; ///< [0]: zero
    std::uint32_t m_lowest = steps, m_highest = 0; ///< of the counts that are not 0; nothing is counted where they cross
    std::uint64_t m_count = 0;
    double m_sum = 0;
};

} // namespace cw::simulation
