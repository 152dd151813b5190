// SPDX-License-Identifier: GPL-3.0-or-later
//
// The gamma distribution by mean and squared coefficient of variation (cv2 0: a constant, 1: exponential): service times, and sums of
// several stages by their first two moments. Pure functions, thread-safe, no allocation.
#pragma once

namespace cw {

/// Regularised incomplete gamma functions, shape > 0, x >= 0: lower P and upper Q = 1 - P. Series and Lentz's continued fraction, as in
/// Abramowitz and Stegun 6.5.29 and 6.5.31; relative error below 1e-11 for shapes up to 1e5.
double gammaLower(double shape, double x);
double gammaUpper(double shape, double x);

/// ln Γ(x), x > 0; unlike std::lgamma it writes no global.
double logGamma(double x);

/// z with P(Z <= z) = p for a standard normal Z (Acklam's approximation with one Halley step: 1e-15).
double normalQuantile(double p);

struct GammaDistribution {
    double mean = 0;
    double cv2 = 0; ///< variance over mean squared

    /// Below this a variation counts as none.
    static constexpr double leastCv2 = 1e-5;
    bool constant() const { return !(mean > 0) || cv2 < leastCv2; }
    double variance() const { return cv2 * mean * mean; }
    double tail(double t) const;      ///< P(X > t)
    double quantile(double p) const;  ///< smallest t with P(X <= t) >= p
    /// The gamma of these two moments.
    static GammaDistribution ofMoments(double mean, double variance);
};

} // namespace cw
