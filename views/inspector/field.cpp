// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/field.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Field)
};

QString withoutZeros(QString text) {
    static const QRegularExpression whole(QStringLiteral(R"((\d)\.0+(?=\D|$))"));
    static const QRegularExpression part(QStringLiteral(R"((\d\.\d*?[1-9])0+(?=\D|$))"));
    return text.replace(whole, QStringLiteral("\\1")).replace(part, QStringLiteral("\\1"));
}

QString numberText(double value, Unit unit) {
    for (int digits = 3; digits <= 15; ++digits) {
        const QString text = withoutZeros(QString::fromStdString(format(value, unit, digits)));
        const Expected<double> back = parse(text.toStdString(), unit);
        if (back && std::abs(*back - value) <= 1e-12 * std::abs(value))
            return text;
    }
    return QString::fromStdString(format(value, unit, 15));
}

QString limitText(const FieldSpec& spec) {
    const bool bounded = spec.high < 1e17;
    const QString low = withoutZeros(QString::fromStdString(format(spec.low, spec.unit)));
    if (!bounded)
        return (spec.whole ? Words::tr("a whole number from %1") : Words::tr("at least %1")).arg(low);
    return (spec.whole ? Words::tr("a whole number from %1 to %2") : Words::tr("from %1 to %2"))
        .arg(low, withoutZeros(QString::fromStdString(format(spec.high, spec.unit))));
}

tl::unexpected<Error> refused(const QString& message, const QString& expected, const QString& found) {
    return fail({{}, expected.toStdString(), found.toStdString(), message.toStdString()});
}

Expected<FieldValue> readNumber(const FieldSpec& spec, const QString& text) {
    const Expected<double> number = parse(text.toStdString(), spec.unit);
    if (!number)
        return fail(number.error());
    if (*number < spec.low || *number > spec.high || (spec.whole && std::floor(*number) != *number))
        return refused(Words::tr("Expected: %1.").arg(limitText(spec)), limitText(spec), text);
    return FieldValue(*number);
}

} // namespace

QString editText(const FieldSpec& spec, const FieldValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return QString::fromStdString(*text);
    if (const auto* number = std::get_if<double>(&value))
        return std::isnan(*number) ? QString() : numberText(*number, spec.unit);
    return {};
}

Expected<FieldValue> readValue(const FieldSpec& spec, const QString& text) {
    const QString trimmed = text.trimmed();
    if (spec.kind != FieldKind::number) {
        if (spec.required && trimmed.isEmpty())
            return refused(Words::tr("Something must stand here."), Words::tr("some text"), text);
        return FieldValue((spec.kind == FieldKind::longText ? text : trimmed).toStdString());
    }
    if (trimmed.isEmpty() || (!spec.unset.isEmpty() && trimmed.compare(spec.unset, Qt::CaseInsensitive) == 0)) {
        if (spec.unset.isEmpty())
            return refused(Words::tr("Expected: %1.").arg(limitText(spec)), limitText(spec), text);
        return FieldValue();
    }
    return readNumber(spec, trimmed);
}

double nudgedNumber(const FieldSpec& spec, double value, double steps) {
    const double size = std::max(std::abs(value), spec.whole ? 1.0 : 0.0);
    double step = size == 0 ? std::max(spec.low, spec.unit == Unit::fraction ? .01 : 1.0)
                            : std::pow(10., std::floor(std::log10(size) + 1e-9) - 1);
    if (spec.whole)
        step = std::max(step, 1.0);
    if (spec.unit == Unit::fraction)
        step = std::max(step, .01);
    // Whole multiples of the step, so that scrubbing gives round numbers.
    double moved = (std::round(value / step) + std::round(steps)) * step;
    if (std::round(steps) == 0)
        moved = value;
    // Kills the dust of binary fractions: 0.30000000000000004.
    moved = std::round(moved / step * 1e6) / 1e6 * step;
    moved = QString::number(moved, 'g', 12).toDouble();
    return std::clamp(moved, spec.low, spec.high);
}

} // namespace cw
