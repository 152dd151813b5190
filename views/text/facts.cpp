// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/facts.h"

#include "model/units/unit.h"
#include "views/text/fact_words.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"
#include "views/text/vocabulary.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace cw {

namespace {

struct Suffix {
    const char* text;
    double factor;
    Unit unit;
};

// Longer endings before the shorter ones they contain.
constexpr Suffix suffixes[] = {
    {"_usd_per_hour", 1, Unit::dollarsPerHour},
    {"usd_per_gpu_hour", 1, Unit::dollarsPerHour},
    {"_usd_per_kwh", 1, Unit::dollarsPerKilowattHour},
    {"_g_per_kwh", 1, Unit::gramsPerKilowattHour},
    {"_gb_s", 1e9, Unit::bytesPerSecond},
    {"_tflops", 1e12, Unit::operationsPerSecond},
    {"_tops", 1e12, Unit::operationsPerSecond},
    {"_gflops", 1e9, Unit::operationsPerSecond},
    {"_gops", 1e9, Unit::operationsPerSecond},
    {"_gflops_per_sample", 1e9, Unit::operations},
    {"gflops_per_sample", 1e9, Unit::operations},
    {"gmacs_per_sample", 2e9, Unit::operations},
    {"_usd", 1, Unit::dollars},
    {"_gb", 1e9, Unit::bytes},
    {"_tb", 1e12, Unit::bytes},
    {"_mb", 1e6, Unit::bytes},
    {"_kw", 1e3, Unit::watts},
    {"_w", 1, Unit::watts},
    {"_kg", 1, Unit::kilograms},
    {"_hours", 1, Unit::hours},
    {"_us", 1e-6, Unit::seconds},
    {"_ns", 1e-9, Unit::seconds},
    {"_ms", 1e-3, Unit::seconds},
    {"_fraction", 1, Unit::fraction},
    {"_per_s", 1, Unit::requestsPerSecond},
    {"_s", 1, Unit::seconds},
    {"_count", 1, Unit::count},
    {"_size", 1, Unit::count},
    {"_gpus", 1, Unit::count},
    {"_tokens", 1, Unit::tokens},
    {"_b", 1e9, Unit::count},
    {"_c", 1, Unit::celsius},
    {"_m", 1, Unit::metres},
};

struct Plain {
    const char* ending;
    const char* unit;
};

constexpr Plain plainUnits[] = {{"_ghz", " GHz"}, {"_gbit_s", " Gb/s"}, {"_tbit_s", " Tb/s"}, {"_mt_s", " MT/s"}, {"_mm", " mm"},
                                {"_cfm", " CFM"}, {"_v", " V"},         {"_a", " A"},         {"u_height", " U"}};

constexpr std::array<std::string_view, 9> leftOut{
    "id", "name", "vendor", "sources", "notes", "confidence", "recalled_fields", "estimated_fields", "values"};

QString numberText(const std::string& key, double value) {
    for (const Plain& plain : plainUnits)
        if (key.ends_with(plain.ending))
            return QString::number(value, 'g', 6) + QString::fromLatin1(plain.unit);
    for (const Suffix& suffix : suffixes)
        if (key.ends_with(suffix.text))
            return quantityText(value * suffix.factor, suffix.unit);
    return QString::number(value, 'g', 8);
}

QString valueText(const std::string& key, const QJsonValue& value);

/// One member of a list: "8×400 Gb/s compute", "DAC, 3 m, …".
QString objectText(const QJsonObject& object) {
    QStringList parts;
    QString count;
    for (auto member = object.begin(); member != object.end(); ++member) {
        if (member.value().isNull())
            continue;
        if (member.key() == QStringLiteral("count"))
            count = QString::number(member.value().toInt()) + QStringLiteral("×");
        else if (member.key().startsWith(QStringLiteral("speed")))
            parts.prepend(valueText(member.key().toStdString(), member.value()));
        else if (!member.key().startsWith(QStringLiteral("price")))
            parts += valueText(member.key().toStdString(), member.value());
    }
    return count + parts.join(u' ');
}

QString valueText(const std::string& key, const QJsonValue& value) {
    switch (value.type()) {
    case QJsonValue::Bool:
        return value.toBool() ? QCoreApplication::translate("Names", "yes") : QCoreApplication::translate("Names", "no");
    case QJsonValue::Double:
        return numberText(key, value.toDouble());
    case QJsonValue::String:
        return value.toString();
    case QJsonValue::Object:
        return objectText(value.toObject());
    case QJsonValue::Array: {
        const QJsonArray all = value.toArray();
        constexpr qsizetype most = 8; // of numbers; more are told by their ends
        if (all.size() > most && all.first().isDouble()) {
            double low = all.first().toDouble(), high = low;
            for (const QJsonValue& element : all) {
                low = std::min(low, element.toDouble());
                high = std::max(high, element.toDouble());
            }
            return QCoreApplication::translate("Names", "%1 values, %2 to %3").arg(all.size()).arg(numberText(key, low), numberText(key, high));
        }
        QStringList parts;
        for (const QJsonValue& element : all)
            parts += valueText(key, element);
        return parts.join(QStringLiteral(", "));
    }
    default:
        return {};
    }
}

} // namespace

FactText factText(const std::string& key, const QJsonValue& value) {
    std::string bare = key;
    for (const Suffix& suffix : suffixes) {
        const std::string_view ending = suffix.text;
        if (ending.starts_with('_') && bare.ends_with(ending) && ending != "_tokens" && ending != "_size") {
            bare.resize(bare.size() - ending.size());
            break;
        }
    }
    return {key, factName(factName(key) == text::readable(key) ? bare : key), valueText(key, value), Provenance::read};
}

std::vector<FactText> factTexts(const PartInfo& part) {
    std::vector<FactText> facts;
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(part.json)).object();
    for (auto member = object.begin(); member != object.end(); ++member) {
        const std::string key = member.key().toStdString();
        if (std::find(leftOut.begin(), leftOut.end(), key) != leftOut.end() || member.value().isNull())
            continue;
        const std::string whole = text::withoutBandSuffix(key);
        QString value = valueText(whole, member.value());
        if (value.isEmpty())
            continue;
        const auto other = whole == key ? facts.end() : std::find_if(facts.begin(), facts.end(), [&](const FactText& fact) {
            return fact.key != key && text::withoutBandSuffix(fact.key) == whole;
        });
        if (other != facts.end()) { // keys come in alphabetical order: high before low
            if (other->value != value)
                other->value = value + QStringLiteral(" – ") + other->value;
            other->provenance = std::max(other->provenance, part.provenance(key));
            continue;
        }
        facts.push_back({key, factName(key), std::move(value), part.provenance(key)});
    }
    std::stable_sort(facts.begin(), facts.end(), [](const FactText& a, const FactText& b) {
        return text::factRank(text::withoutBandSuffix(a.key)) < text::factRank(text::withoutBandSuffix(b.key));
    });
    return facts;
}

} // namespace cw
