// SPDX-License-Identifier: GPL-3.0-or-later
//
// How full something was: seconds (or batches) at each level, exact below 64 and in 64 steps an octave beyond, and the mean level over
// equal stretches of time, which double in length when there are too many of them. Value types; belong to one replication.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace cw::simulation {

class LevelTimes {
public:
    /// `level` counts wholes; shares are to be given in per mille or so.
    void add(double level, double weight) {
        const std::size_t step = stepOf(level);
        if (step >= m_weights.size())
            m_weights.resize(step + 1, 0);
        m_weights[step] += weight;
        m_all += weight;
        m_sum += weight * level;
    }
    void merge(const LevelTimes& other);
    void clear() { *this = {}; }

    double all() const { return m_all; }
    double mean() const { return m_all > 0 ? m_sum / m_all : 0; }
    /// Levels with the share of the weight at or below them, rising to 1.
    std::vector<std::pair<double, double>> below() const;

private:
    static constexpr int bits = 6;
    static std::size_t stepOf(double level) {
        if (!(level >= 1))
            return level > .5 ? 1 : 0;
        if (level < 1 << bits)
            return static_cast<std::size_t>(level + .5);
        constexpr std::uint64_t first = std::uint64_t(1023 + bits) << bits;
        return static_cast<std::size_t>((std::bit_cast<std::uint64_t>(level) >> (52 - bits)) - first) + (1 << bits);
    }
    static double levelOf(std::size_t step);

    std::vector<double> m_weights;
    double m_all = 0, m_sum = 0;
};

class LevelSeries {
public:
    static constexpr std::size_t most = 240;

    /// The level between two times since the start, in order.
    void add(double from, double to, double level);
    /// Middle of each stretch and the mean level in it.
    std::vector<std::pair<double, double>> points() const;

private:
    double m_width = 0; ///< s; 0: nothing came yet
    std::vector<double> m_area, m_covered;
};

} // namespace cw::simulation
