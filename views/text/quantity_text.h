// SPDX-License-Identifier: GPL-3.0-or-later
//
// Figures as text: value, range, change against another, and the names of the keys that estimates use. Any thread. What is not known
// reads "?", never 0.
#pragma once

#include "estimators/estimate.h"

#include <QString>

#include <optional>
#include <string_view>

namespace cw {

QString quantityText(double value, Unit unit);
QString quantityText(const Quantity& quantity);
/// An absent figure does not apply: "–".
QString quantityText(const std::optional<Quantity>& quantity);
/// "1.62 M tok/s – 2.05 M tok/s"; empty when the quantity has no band.
QString rangeText(const Quantity& quantity);
/// "1.84 M tok/s (1.62 M tok/s – 2.05 M tok/s)".
QString quantityWithRange(const Quantity& quantity);

/// Speed of a port or cable as it is written on it: "400 Gb/s".
QString linkSpeedText(double bytesPerSecond);

/// How a figure moved against a reference: "▲ 12 %", "▼ 7 %", "＝"; ratio is empty when either is unknown or the reference is zero.
struct ChangeText {
    QString text;
    std::optional<double> ratio; ///< value/reference − 1
};
ChangeText changeText(const Quantity& value, const Quantity& reference);

/// "ttft_p99" gives "TTFT p99", "weights" gives "Weights". Unknown keys come back with their underscores as spaces.
QString quantityName(std::string_view key);
/// What throughput of this unit is called: "Throughput", "Requests", …; the thing one unit of cost buys: "M tok", "M requests", "job".
QString throughputName(Unit unit);
/// For the caption of a cost per unit: "Cost per M tokens", "Cost per job", …
QString costPerUnitName(Unit unit);

} // namespace cw
