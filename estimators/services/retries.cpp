// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/services/retries.h"

#include <algorithm>
#include <cmath>

namespace cw {

double Retries::attempts(double late) const {
    if (!any() || !(late > 0))
        return 1;
    const double q = std::min(late, 1.);
    return q > 1 - 1e-9 ? again + 1. : (1 - std::pow(q, again + 1)) / (1 - q);
}

double Retries::failed(double late) const { return any() && late > 0 ? std::pow(std::min(late, 1.), again + 1) : 0; }

Retries::Place Retries::place(double p, double late) const {
    if (!any() || !(late > 0))
        return {0, p};
    const double beyond = 1 - p; // P(T > t) = q^j P(S > t - j timeout) in the j-th attempt
    double reached = 1;
    for (int j = 0; j <= again; ++j, reached *= std::min(late, 1.)) {
        if (beyond > reached * late || j == again)
            return beyond > reached * late ? Place{j, std::clamp(1 - beyond / reached, 0., 1.)} : Place{again + 1, 1};
    }
    return {again + 1, 1};
}

} // namespace cw
