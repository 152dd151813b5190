// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random numbers by counter, not by state: what a request draws depends on the seed, the replication, the request and the purpose only. So
// a run gives the same bits on any number of threads and in any order, and a design with one thing changed sees the same requests as
// before (common random numbers), which makes differences between designs much sharper than the designs themselves.
// Generator: Philox 4x32-10, Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). Pure, thread-safe.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace cw::simulation {

/// One block of 128 random bits.
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = 0xD2511F53ull * counter[0], second = 0xCD9E8D57ull * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    return counter;
}

/// Which draws: 2^48 indices and 2^20 parts of each, 2^16 replications.
struct Stream {
    std::uint64_t seed = 1;
    std::uint32_t replication = 0;
    std::uint64_t index = 0;   ///< of the request
    std::uint32_t part = 0;    ///< of a request that is split
    std::uint32_t purpose = 0;
};

/// The draws of one stream, one after the other.
class Draws {
public:
    explicit Draws(const Stream& of)
        : m_counter{of.part << 12, of.purpose, static_cast<std::uint32_t>(of.index),
                    static_cast<std::uint32_t>(of.index >> 32 & 0xFFFF) | of.replication << 16}
        , m_key{static_cast<std::uint32_t>(of.seed), static_cast<std::uint32_t>(of.seed >> 32)} {}

    /// Above 0 and below 1.
    double uniform() {
        if (m_left == 0) {
            const std::array<std::uint32_t, 4> block = philox(m_counter, m_key);
            m_words = {block[0] | std::uint64_t(block[1]) << 32, block[2] | std::uint64_t(block[3]) << 32};
            ++m_counter[0];
            m_left = 2;
        }
        return (static_cast<double>(m_words[--m_left] >> 11) + .5) * 0x1p-53;
    }
    double exponential() { return -std::log(uniform()); }
    double normal() { return std::sqrt(2 * exponential()) * std::cos(6.283185307179586 * uniform()); }
    /// 0 to n - 1.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(uniform() * n); }

private:
    std::array<std::uint32_t, 4> m_counter;
    std::array<std::uint32_t, 2> m_key;
    std::array<std::uint64_t, 2> m_words{};
    std::uint32_t m_left = 0;
};

} // namespace cw::simulation
