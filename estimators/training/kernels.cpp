// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/training/kernels.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double largestTile[] = {256, 128};
constexpr std::array<std::array<double, 2>, 6> tileSizes{{{256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64}}};
constexpr std::size_t largeTiles = 5; // those that products of a layer use
constexpr double mostSplits = 32, leastDepth = 512;

double intensity(double rows, double columns) { return rows * columns / (rows + columns); }

void read(GemmConstants& constants, const Constants& set) {
    constants.set = &set;
    constants.eta = set["eta"];
    constants.depth = set["k0"];
    constants.knee = set["a0"];
    constants.waves = set["q"];
    constants.bandwidthShare = set["mu"];
    constants.overhead = set["overhead_us"] * 1e-6;
    constants.norm = set["p"];
    constants.processors = set["sms"];
    constants.error = set["error"];
    constants.smallRowsFactor = set.get("small_n_factor", 1);
}

} // namespace

GemmConstants gemmConstants(const Catalog& catalog, const Gpu& gpu) {
    GemmConstants constants;
    const Constants* set = catalog.constants("gemm", gpu.id.value);
    if (!set)
        set = catalog.constants("gemm", gpu.architecture);
    if (!set)
        set = catalog.constants("gemm", "");
    if (set)
        read(constants, *set);
    if (const Constants* processors = catalog.constants("processors", ""))
        constants.processors = processors->get(gpu.id.value, constants.processors);
    return constants;
}

GemmConstants cpuGemmConstants(const Catalog& catalog) {
    GemmConstants constants;
    if (const Constants* set = catalog.constants("gemm", "cpu"))
        read(constants, *set);
    return constants;
}

GemmConstants gemmConstantsOf(const Constants& set, double processors) {
    GemmConstants constants;
    read(constants, set);
    constants.processors = processors;
    return constants;
}

KernelDevice::KernelDevice(const GemmConstants& gemm, double peak, double bandwidth)
    : m_gemm(gemm)
    , m_peak(peak)
    , m_bandwidth(bandwidth)
    , m_perProcessor(1 / std::max(gemm.processors, 1.0)) {
    const double best = intensity(largestTile[0], largestTile[1]);
    for (std::size_t i = 0; i < tileSizes.size(); ++i) {
        const auto [rows, columns] = std::pair(tileSizes[i][0], tileSizes[i][1]);
        const double x = intensity(rows, columns);
        const double efficiency = gemm.eta * x / (x + gemm.knee) * (best + gemm.knee) / best;
        m_tiles[i] = {rows, columns, 2 * rows * columns / (peak * efficiency * m_perProcessor)};
    }
}

double KernelDevice::computeSeconds(double m, double n, double k, double rate, std::size_t tiles) const {
    double best = 1e300;
    for (std::size_t i = 0; i < tiles; ++i) {
        const Tile& tile = m_tiles[i];
        const double waves = std::ceil(m / tile.rows) * std::ceil(n / tile.columns) * m_perProcessor;
        const double quantised = m_gemm.waves * std::ceil(waves) + (1 - m_gemm.waves) * std::max(1.0, waves);
        best = std::min(best, quantised * tile.perDepth);
    }
    return best * (k + m_gemm.depth) / rate;
}

double KernelDevice::product(double m, double n, double k, double rate, double operandBytes) const {
    const double memory = (operandBytes * (m * k + n * k) + 2 * m * n) / streaming();
    return m_gemm.overhead + std::max(computeSeconds(m, n, k, rate, largeTiles), memory);
}

double KernelDevice::productAlone(double m, double n, double k, double rate, double operandBytes) const {
    const double eta = n <= 1024 && m >= 256 ? m_gemm.smallRowsFactor : 1;
    double best = 1e300;
    for (double split = 1; split <= mostSplits; split *= 2) {
        if (split > 1 && k / split < leastDepth)
            break;
        // Split-K: `split` times as many tiles of a shallower depth, partial sums written and read once more.
        const double compute = computeSeconds(m * split, n, k / split, rate * eta, m_tiles.size());
        const double partial = split > 1 ? (4 * split + 2) * m * n : 0;
        const double memory = (operandBytes * (m * k + n * k) + 2 * m * n + partial) / streaming();
        best = std::min(best, std::pow(std::pow(compute, m_gemm.norm) + std::pow(memory, m_gemm.norm), 1 / m_gemm.norm));
    }
    return m_gemm.overhead + best;
}

double clockUnderCap(const Catalog& catalog, double cap, double tdp) {
    if (!(cap > 0) || !(tdp > 0) || cap >= tdp)
        return 1;
    const Constants* set = catalog.constants("power_cap", "");
    return std::pow(cap / tdp, set ? (*set)["exponent"] : .45);
}

} // namespace cw
