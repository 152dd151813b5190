// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/quantity_text.h"

#include "views/text/vocabulary.h"

#include <cmath>

namespace cw {

namespace {

using text::Word;

constexpr Word quantityWords[] = {
    CW_WORD("p50", "Latency p50"),
    CW_WORD("p95", "Latency p95"),
    CW_WORD("p99", "Latency p99"),
    CW_WORD("mean", "Mean latency"),
    CW_WORD("ttft_p50", "TTFT p50"),
    CW_WORD("ttft_p95", "TTFT p95"),
    CW_WORD("ttft_p99", "TTFT p99"),
    CW_WORD("tpot_p50", "TPOT p50"),
    CW_WORD("tpot_p95", "TPOT p95"),
    CW_WORD("tpot_p99", "TPOT p99"),
    CW_WORD("step", "Step time"),
    CW_WORD("finish", "Time to finish"),
    CW_WORD("job", "Time of a job"),
    CW_WORD("jobs_per_day", "Jobs a day"),
    CW_WORD("batch", "Batch in flight"),
    CW_WORD("batch_simulated", "Batch in flight, simulated"),
    CW_WORD("batch_time", "Time of a batch"),
    CW_WORD("checkpoint_time", "Writing a checkpoint"),
    CW_WORD("cores_per_server", "Cores of a server"),
    CW_WORD("decode_step", "Decode step"),
    CW_WORD("efficiency", "Efficiency"),
    CW_WORD("parallel_efficiency", "Parallel efficiency"),
    CW_WORD("scaling_efficiency", "Scaling efficiency"),
    CW_WORD("gradient_exchange", "Gradient exchange, alone"),
    CW_WORD("relative_throughput", "Throughput against the baseline"),
    CW_WORD("latency_scale-up", "Latency inside a scale-up domain"),
    CW_WORD("latency_leaf", "Latency over a leaf switch"),
    CW_WORD("latency_spine", "Latency over a spine switch"),
    CW_WORD("latency_core", "Latency over a core switch"),
    CW_WORD("latency_frame", "Latency across the border of a frame"),
    CW_WORD("flops_per_device", "FLOP/s per device"),
    CW_WORD("host_memory", "Host memory"),
    CW_WORD("micro_batches", "Micro batches"),
    CW_WORD("replicas", "Replicas"),
    CW_WORD("rpeak", "Rpeak"),
    CW_WORD("run", "Whole run"),
    CW_WORD("servers", "Servers"),
    CW_WORD("speedup", "Speed-up"),
    CW_WORD("utilisation", "Utilisation"),
    CW_WORD("attempts", "Attempts of a request"),
    CW_WORD("given_up", "Without an answer"),
    CW_WORD("idle", "Idle"),
    CW_WORD("logits", "Logits"),
    CW_WORD("kv_use", "KV cache in use"),
    CW_WORD("kv_use_simulated", "KV cache in use, simulated"),
    CW_WORD("in_flight", "Requests in the system"),
    CW_WORD("p99_one_down", "p99, one replica broken"),
    CW_WORD("given_up_simulated", "Without an answer, simulated"),
    CW_WORD("preempted", "Preemptions a request"),
    CW_WORD("refused", "Requests that never fit"),
    CW_WORD("facility_peak", "Facility power at peak"),
    CW_WORD("energy_year", "Energy a year"),
    CW_WORD("rent_per_hour", "Rented, per hour"),
    CW_WORD("buy_per_hour", "Bought, per hour"),
    CW_WORD("bisection", "Bisection bandwidth"),
    CW_WORD("oversubscription", "Oversubscription"),
    CW_WORD("mtbf_hours", "Time between failures"),
    CW_WORD("failures_per_day", "Failures a day"),
    CW_WORD("goodput_all", "Goodput of the whole"),
    CW_WORD("checkpoint_interval", "Best checkpoint interval"),
    CW_WORD("carbon_year", "Carbon a year"),
    CW_WORD("embodied", "Embodied carbon"),
    CW_WORD("memory", "Memory used"),
    CW_WORD("memory_capacity", "Memory of a device"),
    CW_WORD("lag", "Consumer lag"),
    CW_WORD("throughput", "Throughput"),
    CW_WORD("capacity", "Largest throughput"),
    CW_WORD("mfu", "MFU"),
    CW_WORD("goodput", "Goodput"),
    CW_WORD("days", "Days to finish"),
    CW_WORD("weights", "Weights"),
    CW_WORD("gradients", "Gradients"),
    CW_WORD("optimizer", "Optimizer state"),
    CW_WORD("activations", "Activations"),
    CW_WORD("kv_cache", "KV cache"),
    CW_WORD("kv", "KV cache"),
    CW_WORD("workspace", "Workspace"),
    CW_WORD("reserved", "Reserved by the runtime"),
    CW_WORD("it", "IT power"),
    CW_WORD("facility", "Facility power"),
    CW_WORD("peak", "Peak power"),
    CW_WORD("pue", "PUE"),
    CW_WORD("capex", "Purchase and installation"),
    CW_WORD("opex_year", "Running cost a year"),
    CW_WORD("tco", "TCO"),
    CW_WORD("per_hour", "Cost per hour"),
    CW_WORD("per_unit", "Cost per unit"),
    CW_WORD("energy_per_unit", "Energy per unit"),
};

QString translated(const char* source) { return QCoreApplication::translate("Names", source); }

QString signedPercent(double ratio) {
    const double percent = std::abs(ratio) * 100;
    if (percent >= 1000)
        return QStringLiteral("×%1").arg(ratio + 1, 0, 'f', ratio + 1 < 100 ? 1 : 0);
    return QStringLiteral("%1 %").arg(percent, 0, 'f', percent < 9.95 ? 1 : 0);
}

} // namespace

QString quantityText(double value, Unit unit) {
    return std::isnan(value) ? QStringLiteral("?") : text::fromUtf8(format(value, unit));
}

QString quantityText(const Quantity& quantity) { return quantityText(quantity.value, quantity.unit); }

QString quantityText(const std::optional<Quantity>& quantity) { return quantity ? quantityText(*quantity) : QStringLiteral("–"); }

QString rangeText(const Quantity& quantity) {
    if (!quantity.known() || std::isnan(quantity.low) || std::isnan(quantity.high))
        return {};
    const QString low = quantityText(quantity.low, quantity.unit);
    const QString high = quantityText(quantity.high, quantity.unit);
    return low == high ? QString() : low + QStringLiteral(" – ") + high;
}

QString quantityWithRange(const Quantity& quantity) {
    const QString range = rangeText(quantity);
    return range.isEmpty() ? quantityText(quantity) : QStringLiteral("%1 (%2)").arg(quantityText(quantity), range);
}

QString linkSpeedText(double bytesPerSecond) {
    return std::isnan(bytesPerSecond) ? QStringLiteral("?") : QStringLiteral("%1 Gb/s").arg(bytesPerSecond * 8e-9, 0, 'g', 4);
}

ChangeText changeText(const Quantity& value, const Quantity& reference) {
    if (!value.known() || !reference.known() || reference.value == 0)
        return {};
    const double ratio = value.value / reference.value - 1;
    if (!std::isfinite(ratio))
        return {};
    if (std::abs(ratio) < 5e-4)
        return {QStringLiteral("＝"), 0.0};
    return {(ratio > 0 ? QStringLiteral("▲ ") : QStringLiteral("▼ ")) + signedPercent(ratio), ratio};
}

QString quantityName(std::string_view key) {
    constexpr std::string_view stage = "stage."; // a pipeline's figures are named after its stages
    if (key.starts_with(stage))
        return QCoreApplication::translate("Names", "Stage %1").arg(text::fromUtf8(key.substr(stage.size())));
    return text::wordFor(quantityWords, key);
}

QString throughputName(Unit unit) {
    switch (unit) {
    case Unit::requestsPerSecond:
        return translated(QT_TRANSLATE_NOOP("Names", "Requests"));
    case Unit::samplesPerSecond:
        return translated(QT_TRANSLATE_NOOP("Names", "Items"));
    case Unit::eventsPerSecond:
        return translated(QT_TRANSLATE_NOOP("Names", "Events"));
    case Unit::jobsPerDay:
        return translated(QT_TRANSLATE_NOOP("Names", "Jobs"));
    case Unit::operationsPerSecond:
        return translated(QT_TRANSLATE_NOOP("Names", "Performance"));
    default:
        return translated(QT_TRANSLATE_NOOP("Names", "Throughput"));
    }
}

QString costPerUnitName(Unit unit) {
    switch (unit) {
    case Unit::dollarsPerMillionTokens:
        return translated(QT_TRANSLATE_NOOP("Names", "Cost per M tokens"));
    case Unit::dollarsPerMillionRequests:
        return translated(QT_TRANSLATE_NOOP("Names", "Cost per M requests"));
    case Unit::dollarsPerJob:
        return translated(QT_TRANSLATE_NOOP("Names", "Cost per job"));
    default:
        return translated(QT_TRANSLATE_NOOP("Names", "Cost per unit"));
    }
}

} // namespace cw
