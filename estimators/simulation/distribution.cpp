// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/simulation/distribution.h"

namespace cw::simulation {

Distribution::Distribution(Kind kind, double mean, double cv)
    : m_kind(mean > 0 && cv > 0 ? kind : Kind::constant)
    , m_mean(mean > 0 ? mean : 0)
    , m_cv(m_kind == Kind::constant ? 0 : cv) {
    if (m_kind == Kind::gamma) {
        m_shape = 1 / (cv * cv);
        m_scale = mean * cv * cv;
    } else if (m_kind == Kind::logNormal) {
        const double variance = std::log1p(cv * cv);
        m_shape = std::sqrt(variance);
        m_scale = std::log(mean) - variance / 2;
    }
}

Distribution Distribution::gamma(double mean, double cv) { return {cv == 1 ? Kind::exponential : Kind::gamma, mean, cv}; }

Distribution Distribution::logNormal(double mean, double cv) { return {Kind::logNormal, mean, cv}; }

/// Gamma by Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).
double Distribution::sampleShaped(Draws& draws) const {
    if (m_kind == Kind::logNormal)
        return std::exp(m_scale + m_shape * draws.normal());
    const double d = (m_shape < 1 ? m_shape + 1 : m_shape) - 1. / 3, c = 1 / std::sqrt(9 * d);
    while (true) {
        const double x = draws.normal(), root = 1 + c * x;
        const double v = root * root * root, u = draws.uniform();
        if (!(v > 0) || !(std::log(u) < .5 * x * x + d - d * v + d * std::log(v)))
            continue;
        const double less = m_shape < 1 ? std::pow(draws.uniform(), 1 / m_shape) : 1;
        return d * v * less * m_scale;
    }
}

} // namespace cw::simulation
