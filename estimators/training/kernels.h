// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time of single kernels on one device: matrix products by tiles and waves, memory-bound passes. Plain numbers in seconds, bytes and
// FLOP/s; pure functions. Equations: docs/equations.md, "Kernels". Constants: catalog, kind "gemm".
#pragma once

#include "model/catalog/catalog.h"

#include <array>

namespace cw {

/// Constants of the GEMM model of one device.
struct GemmConstants {
    const Constants* set = nullptr;
    double eta = .75, depth = 270, knee = 14, waves = .44, bandwidthShare = .75;
    double overhead = 5e-6, norm = 4, processors = 100, error = .25;
    double smallRowsFactor = 1; ///< of eta where the library has a poor kernel (n ≤ 1024, m ≥ 256)
};

/// The set of a device: its own, its architecture's, else the generic one; processors from their own table.
GemmConstants gemmConstants(const Catalog& catalog, const Gpu& gpu);
GemmConstants cpuGemmConstants(const Catalog& catalog);
GemmConstants gemmConstantsOf(const Constants& set, double processors);

/// A device as kernels see it: rates as they are after power cap and relief.
class KernelDevice {
public:
    KernelDevice() = default;
    KernelDevice(const GemmConstants& gemm, double peak, double bandwidth);

    const GemmConstants& gemm() const { return m_gemm; }
    double peak() const { return m_peak; }                                   ///< dense FLOP/s at rate 1
    double bandwidth() const { return m_bandwidth; }                         ///< bytes/s of the data sheet
    double streaming() const { return m_bandwidth * m_gemm.bandwidthShare; } ///< bytes/s that kernels reach

    /// m × n × k product inside a training step: overhead + max(compute, memory). rate: FLOP/s over peak(), operandBytes of the inputs.
    double product(double m, double n, double k, double rate = 1, double operandBytes = 2) const;
    /// The same timed alone, as operator benchmarks do: split-K where the library would, compute and memory joined by a p-norm.
    double productAlone(double m, double n, double k, double rate = 1, double operandBytes = 2) const;

private:
    /// tiles: the first so many of m_tiles.
    double computeSeconds(double m, double n, double k, double rate, std::size_t tiles) const;

    struct Tile {
        double rows, columns, perDepth; ///< perDepth: seconds of one wave per unit of k
    };
    GemmConstants m_gemm;
    double m_peak = 0, m_bandwidth = 0, m_perProcessor = 0;
    std::array<Tile, 6> m_tiles{}; ///< the last one, small, only for products timed alone
};

/// The clock that a power cap leaves, as a share of the full one: (cap/TDP)^x, 1 where the cap does not bind.
double clockUnderCap(const Catalog& catalog, double cap, double tdp);

} // namespace cw
