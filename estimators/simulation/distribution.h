// SPDX-License-Identifier: GPL-3.0-or-later
//
// Positive random times and lengths by kind, mean and coefficient of variation. Values; sampling is pure in the draws it is given.
#pragma once

#include "estimators/simulation/random.h"

namespace cw::simulation {

class Distribution {
public:
    enum class Kind : std::uint8_t { constant, exponential, gamma, logNormal };

    Distribution() = default; ///< always 0
    static Distribution constant(double value) { return {Kind::constant, value, 0}; }
    static Distribution exponential(double mean) { return {Kind::exponential, mean, 1}; }
    static Distribution gamma(double mean, double cv);
    static Distribution logNormal(double mean, double cv);

    Kind kind() const { return m_kind; }
    double mean() const { return m_mean; }
    double cv() const { return m_cv; }

    double sample(Draws& draws) const {
        return m_kind == Kind::constant ? m_mean : m_kind == Kind::exponential ? m_mean * draws.exponential() : sampleShaped(draws);
    }

private:
    Distribution(Kind kind, double mean, double cv);
    double sampleShaped(Draws& draws) const;

    Kind m_kind = Kind::constant;
    double m_mean = 0, m_cv = 0;
    double m_shape = 1, m_scale = 0; ///< gamma: shape and scale; log-normal: sigma and mu
};

} // namespace cw::simulation
