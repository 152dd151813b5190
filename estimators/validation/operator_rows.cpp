// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of operators.csv: matrix products, softmax, layer norm and activation functions timed alone on one device.
#include "estimators/training/kernels.h"
#include "estimators/training/training_case.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/measured_rows.h"
#include "estimators/validation/names.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr Field fields[] = {
    {"operator", Dimension::text, 1, "op|op_name|kernel|operation|kernel_type|op_type"},
    {"m", Dimension::number, 1, "rows|batch_m|num_tokens|tokens|size_m|m_dim|num_rows|n_rows", true},
    {"n", Dimension::number, 1, "columns|cols|out_features|size_n|n_dim|dim|hidden|hidden_size", true},
    {"k", Dimension::number, 1, "in_features|size_k|k_dim|depth|inner|inner_dim|reduction_dim", true},
    {"batch", Dimension::number, 1, "b|batch_size|batch_count"},
    {"time", Dimension::time, 1e-3, "time_ms|latency|latency_ms|duration|elapsed|real_latency|measured_ms|runtime|time_us|kernel_time|avg_ms|median_ms|mean_ms|avg_us|median_us|mean_us"},
    {"throughput", Dimension::number, 1, "throughput_tflops|tflops|achieved_tflops|rate|tflop_s|throughput_gb_s|throughput_value|best_tflops|mamf_tflops|gelements_s|gelements_per_s|gb_s|gb_per_s|bandwidth_gb_s"},
    {"throughput_unit", Dimension::text, 1, "unit|throughput_units|units"},
};

constexpr const char* measuredKeys[] = {"time", "throughput"};

std::string lower(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return out;
}

/// Products of matrices, by the names that sources give them.
bool isProduct(std::string_view name) {
    const std::string word = normalisedColumn(name);
    for (const char* each : {"gemm", "matmul", "mat_mul", "addmm", "bmm", "linear", "dense", "mamf", "product"})
        if (word.find(each) != std::string::npos)
            return true;
    return word == "mm" || word == "fc" || word == "dot" || word == "tensordot";
}

/// Passes over a matrix of m × n values that an operator makes through memory; 0: not such an operator.
double passesOf(std::string_view name) {
    if (isProduct(name))
        return 0;
    if (name.find("softmax") != std::string_view::npos || name.find("norm") != std::string_view::npos ||
        name.find("gelu") != std::string_view::npos || name.find("relu") != std::string_view::npos ||
        name.find("silu") != std::string_view::npos || name.find("copy") != std::string_view::npos)
        return 2; // read once, written once
    return name.find("add") != std::string_view::npos || name.find("mul") == 0 ? 3 : 0;
}

/// Kernels that reduce over rows (softmax, norms): a row longer than a block keeps beside the processor is read once more, softmax of more
/// than a warp's values as well. Launch and reduction are paid before the first byte.
double rowKernelSeconds(std::string_view name, double rows, double columns, const KernelDevice& device) {
    constexpr double warpValues = 1024, blockBytes = 48e3;
    const Constants* set = device.gemm().set;
    const auto constant = [&](const char* key, double otherwise) { return set ? set->get(key, otherwise) : otherwise; };
    const bool softmax = name.find("softmax") != std::string_view::npos;
    const double passes = (softmax ? columns > warpValues : 2 * columns > blockBytes) ? 3 : 2;
    return constant("row_us", 13) * 1e-6 + passes * 2 * rows * columns / (constant("row_share", device.gemm().bandwidthShare) * device.bandwidth());
}

/// A kernel timed alone: the host's work for a call hides behind kernels that run longer, where launches queue; else it adds.
double timedAlone(double kernel, double overhead, double host, bool queued) {
    return queued ? std::max(kernel, overhead + host) : kernel + host;
}

/// What the host does for one call of an operator in the harness of a source.
double hostSeconds(std::string_view name, const Row& row, const Catalog& catalog) {
    const double host = harnessSeconds(row, catalog);
    const Constants* set = host > 0 ? catalog.constants("timing_harness", "") : nullptr;
    if (set && name.find("norm") != std::string_view::npos)
        return set->get("eager_norm_us", host * 1e6) * 1e-6;
    if (set && name.find("softmax") != std::string_view::npos)
        return set->get("eager_softmax_us", host * 1e6) * 1e-6;
    return host;
}

struct Measured {
    double seconds = 0, operations = 0, bytes = 0, elements = 0;
};

/// The rate that a source publishes, in its own unit: operations, bytes or elements a second.
double throughputOf(const Row& row, const Measured& op, double published) {
    const std::string unit = lower(row.text("throughput_unit")) + " " + normalisedColumn(row.measured("throughput")->column);
    const auto has = [&](const char* word) { return unit.find(word) != std::string::npos; };
    const bool flops = has("flop") || (op.operations > 0 && !has("gb") && !has("tb") && !has("elem"));
    const bool bytes = !flops && (has("gb") || has("tb") || has("byte"));
    const double amount = flops ? op.operations : bytes ? op.bytes : op.elements;
    double prefix = has("tflop") || has("tb") || has("tera") ? 1e12 : 1e9;
    if (flops && !has("flop"))
        prefix = 1e12; // of products, tera-operations are what everybody means
    if (published > 1e7)
        prefix = 1; // no device is that fast in giga-anything
    return amount / op.seconds / prefix;
}

std::vector<Prediction> predict(const Row& row, const Catalog& catalog) {
    if (!measuresAny(row, measuredKeys))
        return withoutPrediction(row, measuredKeys, "");
    if (row.has("operator") && !isProduct(row.text("operator")) && !(passesOf(lower(row.text("operator"))) > 0))
        return withoutPrediction(row, measuredKeys, "the operator \"" + std::string(row.text("operator").substr(0, 40)) + "\" is none that is estimated");
    const std::string deviceName(row.text(row.has("device") ? "device" : row.has("platform") ? "platform" : "system"));
    const Gpu* gpu = findGpu(catalog, deviceName);
    if (!gpu)
        return withoutPrediction(row, measuredKeys, deviceName.empty() ? "the row names no device" : "no device of the catalog is called \"" + deviceName + "\"");
    const auto peak = gpu->peakFor(Precision::bf16);
    if (!peak)
        return withoutPrediction(row, measuredKeys, "the 16-bit peak of the device is not known");
    const Precision precision = row.precision().value_or(Precision::bf16);
    const bool narrow = bytesPerValue(precision) <= 1.01;
    GemmConstants constants = gemmConstants(catalog, *gpu);
    double rate = 1, operandBytes = bytesPerValue(precision);
    const auto own = gpu->peakFor(precision);
    if (own)
        rate = si(*own) / si(*peak);
    if (const Constants* set = narrow ? catalog.constants("gemm", gpu->id.value + " fp8") : nullptr)
        constants = gemmConstantsOf(*set, constants.processors);
    else if (const Constants* family = narrow ? catalog.constants("gemm", gpu->architecture + " fp8") : nullptr)
        constants = gemmConstantsOf(*family, constants.processors);
    else if (const Constants* alone = narrow ? nullptr : catalog.constants("gemm", gpu->architecture + " alone"))
        constants = gemmConstantsOf(*alone, constants.processors); // those of a step carry what its stack makes of them
    const KernelDevice device(constants, si(*peak), si(gpu->memoryBandwidth));
    const std::string name = lower(std::string(row.text("operator")) + " " + std::string(row.has("operator") ? "" : row.family()));
    const double m = row.number("m", 0), n = row.number("n", 0), k = row.number("k", 0), batch = row.number("batch", 1);
    const double harness = hostSeconds(name, row, catalog);
    const bool queued = !gpu->architecture.starts_with("CDNA"); // products launched through that runtime did not overlap
    const double passes = passesOf(name);
    const bool overRows = name.find("softmax") != std::string::npos || name.find("norm") != std::string::npos;
    Measured op;
    if (passes > 0) {
        const double elements = std::max(m, 1.0) * std::max(n, 1.0) * (m > 0 ? batch : 1) * (k > 0 && n > 0 ? std::max(k, 1.0) : 1);
        op.elements = elements;
        op.bytes = passes * 2 * elements;
        const double kernel = overRows ? rowKernelSeconds(name, elements / std::max(n, 1.0), std::max(n, 1.0), device)
                                       : constants.overhead + op.bytes / device.streaming();
        op.seconds = timedAlone(kernel, constants.overhead, harness, queued || overRows);
    } else {
        if (!(m > 0 && n > 0 && k > 0))
            return withoutPrediction(row, measuredKeys, "m, n and k of the product are not all given, and the operator is no known pass over memory");
        op.operations = 2 * m * n * k * batch;
        op.bytes = batch * (operandBytes * (m * k + n * k) + 2 * m * n);
        op.seconds = timedAlone(device.productAlone(m * batch, n, k, rate, operandBytes), constants.overhead, harness, queued);
    }
    std::vector<Prediction> out;
    std::string note = harness > 0 ? "host time of the harness" : "";
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            const bool time = std::string_view(key) == "time";
            if (!time && !(throughputOf(row, op, measured->value) > 0)) {
                out.push_back(notPredicted(measured->column, measured->value, "operations of this operator are not counted"));
                continue;
            }
            Prediction prediction = predictionOf(*measured, time ? op.seconds : throughputOf(row, op, measured->value) * measured->factor, note);
            explain(prediction, catalog, [&](Derivation& d) {
                const Quantity inputs[] = {
                    d.fact("16-bit peak of a device", *gpu, "bf16_tflops", si(*peak), Unit::operationsPerSecond),
                    d.fact("memory bandwidth of a device", *gpu, "memory_bandwidth_gb_s", si(gpu->memoryBandwidth), Unit::bytesPerSecond),
                    constants.set ? d.calibrated("share of the peak at the best tile", *constants.set, "eta", Unit::fraction)
                                  : d.assumption("share of the peak at the best tile", constants.eta, constants.eta, constants.eta, Unit::fraction, "device without measurements"),
                    d.input("operations", op.operations, Unit::operations, "row"), d.input("bytes", op.bytes, Unit::bytes, "row")};
                return d.computed("time of the operator", "overhead + (compute^p + bytes^p)^(1/p) at the best tile and split", op.seconds,
                                  op.seconds / (1 + constants.error), op.seconds * (1 + constants.error), Unit::seconds, inputs,
                                  "docs/equations.md, Kernels");
            });
            out.push_back(std::move(prediction));
        }
    return out;
}

} // namespace

const FileKind operatorsKind{"operators", fields, "time|throughput", "device|m", &predict};

} // namespace cw
