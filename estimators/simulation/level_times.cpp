// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/level_times.h"

#include <algorithm>

namespace cw::simulation {

double LevelTimes::levelOf(std::size_t step) {
    if (step < 1 << bits)
        return static_cast<double>(step);
    constexpr std::uint64_t first = std::uint64_t(1023 + bits) << bits;
    return std::bit_cast<double>((first + step - (1 << bits)) << (52 - bits));
}

void LevelTimes::merge(const LevelTimes& other) {
    m_weights.resize(std::max(m_weights.size(), other.m_weights.size()), 0);
    for (std::size_t step = 0; step < other.m_weights.size(); ++step)
        m_weights[step] += other.m_weights[step];
    m_all += other.m_all;
    m_sum += other.m_sum;
}

std::vector<std::pair<double, double>> LevelTimes::below() const {
    std::vector<std::pair<double, double>> out;
    double sum = 0;
    for (std::size_t step = 0; step < m_weights.size(); ++step) {
        if (!(m_weights[step] > 0))
            continue;
        sum += m_weights[step];
        out.emplace_back(levelOf(step), std::min(1., sum / m_all));
    }
    return out;
}

void LevelSeries::add(double from, double to, double level) {
    if (!(to > from))
        return;
    if (m_width == 0)
        m_width = (to - from) / 8;
    while (to >= m_width * static_cast<double>(most)) {
        const std::size_t half = (m_area.size() + 1) / 2;
        m_area.resize(2 * half, 0);
        m_covered.resize(2 * half, 0);
        for (std::size_t i = 0; i < half; ++i) {
            m_area[i] = m_area[2 * i] + m_area[2 * i + 1];
            m_covered[i] = m_covered[2 * i] + m_covered[2 * i + 1];
        }
        m_area.resize(half);
        m_covered.resize(half);
        m_width *= 2;
    }
    const auto last = static_cast<std::size_t>(to / m_width);
    if (last >= m_area.size()) {
        m_area.resize(last + 1, 0);
        m_covered.resize(last + 1, 0);
    }
    for (auto at = static_cast<std::size_t>(std::max(0., from) / m_width); at <= last; ++at) {
        const double start = static_cast<double>(at) * m_width;
        const double part = std::max(0., std::min(to, start + m_width) - std::max(from, start));
        m_area[at] += part * level;
        m_covered[at] += part;
    }
}

std::vector<std::pair<double, double>> LevelSeries::points() const {
    std::vector<std::pair<double, double>> out;
    for (std::size_t i = 0; i < m_area.size(); ++i)
        out.emplace_back((static_cast<double>(i) + .5) * m_width, m_area[i] / m_width); // what is not covered was empty
    if (out.size() > 1)
        out.pop_back(); // cut by the end
    return out;
}

} // namespace cw::simulation
