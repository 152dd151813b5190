// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/part.h"

#include "model/assert.h"

#include <algorithm>
#include <span>

namespace cw {
namespace {

constexpr std::array<std::string_view, 11> precisionNames{"fp64", "fp32",  "tf32",  "bf16",  "fp16", "fp8",
                                                          "int8", "mxfp8", "nvfp4", "mxfp4", "int4"};

constexpr std::array<std::string_view, std::variant_size_v<Part>> kindNames{
    "gpu", "cpu",     "server",         "switch", "medium", "protocol", "rack",
    "pdu", "cooling", "cloud_instance", "model",  "region", "constants"};

/// What runs in place of a precision that the hardware lacks, best first: 8-bit and narrower values are widened to 16 bits before the
/// arithmetic, 16-bit formats stand in for each other, and fp32 is the last resort.
std::span<const Precision> standIns(Precision precision) {
    using enum Precision;
    static constexpr Precision wide[]{fp32};
    static constexpr Precision toFp16[]{fp16, fp32};
    static constexpr Precision toBf16[]{bf16, fp32};
    static constexpr Precision narrow[]{bf16, fp16, fp32};
    static constexpr Precision blockFp8[]{fp8, bf16, fp16, fp32};
    switch (precision) {
    case fp64:
    case fp32:
        return {};
    case tf32:
        return wide;
    case bf16:
        return toFp16;
    case fp16:
        return toBf16;
    case mxfp8:
        return blockFp8;
    case fp8:
    case int8:
    case nvfp4:
    case mxfp4:
    case int4:
        return narrow;
    }
    return {};
}

std::optional<OperationsPerSecond> peakWithStandIns(const std::map<Precision, OperationsPerSecond>& peak, Precision precision) {
    if (const auto own = peak.find(precision); own != peak.end())
        return own->second;
    for (const Precision other : standIns(precision)) {
        if (const auto found = peak.find(other); found != peak.end())
            return found->second;
    }
    return {};
}

bool names(const std::vector<std::string>& list, std::string_view field) {
    return std::any_of(list.begin(), list.end(), [&](const std::string& entry) {
        // "cables" also stands for "cables.price_usd_low".
        return entry == field || (field.starts_with(entry) && field.size() > entry.size() && field[entry.size()] == '.');
    });
}

} // namespace

Provenance PartInfo::provenance(std::string_view field) const {
    if (names(estimatedFields, field))
        return Provenance::estimated;
    if (names(recalledFields, field))
        return Provenance::recalled;
    return confidence;
}

std::string_view name(Precision precision) { return precisionNames[static_cast<std::size_t>(precision)]; }

std::optional<Precision> precisionFrom(std::string_view text) {
    const auto found = std::find(precisionNames.begin(), precisionNames.end(), text);
    if (found == precisionNames.end())
        return {};
    return static_cast<Precision>(found - precisionNames.begin());
}

double bytesPerValue(Precision precision) {
    switch (precision) {
    case Precision::fp64:
        return 8;
    case Precision::fp32:
    case Precision::tf32:
        return 4;
    case Precision::bf16:
    case Precision::fp16:
        return 2;
    case Precision::fp8:
    case Precision::int8:
        return 1;
    case Precision::mxfp8:
        return 1 + 1. / 32; // one scale byte a block of 32 values
    case Precision::nvfp4:
    case Precision::mxfp4:
        return .5625; // nvfp4: one scale byte a block of 16 values; mxfp4 checkpoints come out alike
    case Precision::int4:
        return .53; // a 16-bit scale for 64 or more values
    }
    return 0;
}

std::optional<OperationsPerSecond> Gpu::peakFor(Precision precision) const { return peakWithStandIns(peak, precision); }

std::optional<OperationsPerSecond> Cpu::peakFor(Precision precision) const { return peakWithStandIns(peak, precision); }

double Constants::operator[](std::string_view key) const {
    const auto found = values.find(key);
    CW_ASSERT(found != values.end());
    return found->second.value;
}

double Constants::get(std::string_view key, double otherwise) const {
    const auto found = values.find(key);
    return found == values.end() ? otherwise : found->second.value;
}

bool Constants::has(std::string_view key) const { return values.find(key) != values.end(); }

std::string_view kindName(const Part& part) { return kindNames[part.index()]; }

const PartInfo& info(const Part& part) {
    return std::visit([](const auto& value) -> const PartInfo& { return value; }, part);
}

} // namespace cw
