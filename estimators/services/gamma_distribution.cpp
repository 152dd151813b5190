// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/gamma_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <math.h> // lgamma_r

namespace cw {

namespace {

constexpr double epsilon = 1e-14;

/// x^shape e^-x / Γ(shape), in logarithms so that large shapes stay finite.
double kernel(double shape, double x) { return std::exp(shape * std::log(x) - x - logGamma(shape)); }

double lowerBySeries(double shape, double x)
{
    double term = 1 / shape, sum = term;
    for (double n = shape + 1; term > sum * epsilon; n += 1) {
        term *= x / n;
        sum += term;
    }
    return sum * kernel(shape, x);
}

double upperByFraction(double shape, double x)
{
    constexpr double tiny = 1e-300;
    double b = x + 1 - shape, c = 1 / tiny, d = 1 / b, value = d;
    for (int i = 1; i < 1000000; ++i) {
        const double a = -i * (i - shape);
        b += 2;
        d = a * d + b;
        d = std::abs(d) < tiny ? tiny : d;
        c = b + a / c;
        c = std::abs(c) < tiny ? tiny : c;
        d = 1 / d;
        const double step = d * c;
        value *= step;
        if (std::abs(step - 1) < epsilon)
            break;
    }
    return value * kernel(shape, x);
}

double acklam(double p)
{
    static constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                                   1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    static constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                                   -1.328068155288572e+01};
    static constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                                   -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    static constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
    constexpr double low = 0.02425;
    if (p < low || p > 1 - low) {
        const double q = std::sqrt(-2 * std::log(std::min(p, 1 - p)));
        const double z = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5])
                       / ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
        return p < low ? z : -z;
    }
    const double q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q
         / (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

} // namespace

double logGamma(double x)
{
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

double gammaLower(double shape, double x)
{
    if (!(x > 0))
        return 0;
    if (shape == 1)
        return -std::expm1(-x);
    return x < shape + 1 ? lowerBySeries(shape, x) : 1 - upperByFraction(shape, x);
}

double gammaUpper(double shape, double x)
{
    if (!(x > 0))
        return 1;
    if (shape == 1)
        return std::exp(-x);
    return x < shape + 1 ? 1 - lowerBySeries(shape, x) : upperByFraction(shape, x);
}

double normalQuantile(double p)
{
    if (!(p > 0))
        return -std::numeric_limits<double>::infinity();
    if (!(p < 1))
        return std::numeric_limits<double>::infinity();
    const double z = acklam(p);
    const double error = .5 * std::erfc(-z / std::sqrt(2.)) - p;
    const double step = error * std::sqrt(2 * 3.14159265358979323846) * std::exp(z * z / 2);
    return z - step / (1 + z * step / 2);
}

double GammaDistribution::tail(double t) const
{
    if (constant())
        return t < mean ? 1 : 0;
    const double shape = 1 / cv2;
    return gammaUpper(shape, t / (mean * cv2));
}

double GammaDistribution::quantile(double p) const
{
    if (constant())
        return std::max(mean, 0.);
    if (!(p > 0))
        return 0;
    if (!(p < 1))
        return std::numeric_limits<double>::infinity();
    const double shape = 1 / cv2, scale = mean * cv2;
    if (shape == 1)
        return -scale * std::log1p(-p);
    // Wilson and Hilferty's cube starts Newton's method; where it fails (small shapes far left) the leading power of the series does.
    const double cube = 1 - 1 / (9 * shape) + normalQuantile(p) / (3 * std::sqrt(shape));
    double x = cube > .2 ? shape * cube * cube * cube : std::exp((std::log(p) + logGamma(shape + 1)) / shape);
    double low = 0, high = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 60; ++i) {
        const double error = p > .5 ? (1 - p) - gammaUpper(shape, x) : gammaLower(shape, x) - p; // rises with x
        (error > 0 ? high : low) = x;
        const double slope = kernel(shape, x) / x;
        double next = slope > 0 ? x - error / slope : x;
        if (!(next > low && next < high))
            next = std::isfinite(high) ? .5 * (low + high) : 2 * x + 1e-12;
        if (std::abs(next - x) <= 1e-9 * x) // Newton doubles the digits: the next step is exact
            return next * scale;
        x = next;
    }
    return x * scale;
}

GammaDistribution GammaDistribution::ofMoments(double mean, double variance)
{
    return {mean, mean > 0 && variance > 0 ? variance / (mean * mean) : 0};
}

} // namespace cw
