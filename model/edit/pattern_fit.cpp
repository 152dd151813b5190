// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/edit/pattern_fit.h"

#include <algorithm>
#include <numeric>

namespace cw {
namespace {

using Pairs = std::vector<MemberPair>;

void normalise(Pairs& pairs, bool within) {
    if (within)
        for (MemberPair& pair : pairs)
            if (pair.from > pair.to)
                std::swap(pair.from, pair.to);
    std::sort(pairs.begin(), pairs.end(),
              [](const MemberPair& a, const MemberPair& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
    std::size_t kept = 0;
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        if (kept > 0 && pairs[kept - 1].from == pairs[at].from && pairs[kept - 1].to == pairs[at].to)
            pairs[kept - 1].lanes += pairs[at].lanes;
        else
            pairs[kept++] = pairs[at];
    }
    pairs.resize(kept);
}

bool same(const Pairs& a, const Pairs& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const MemberPair& x, const MemberPair& y) {
        return x.from == y.from && x.to == y.to && x.lanes == y.lanes;
    });
}

/// Grids whose product is n, with two or three axes longer than one.
std::vector<std::vector<int>> grids(std::int64_t n) {
    std::vector<std::vector<int>> result;
    for (std::int64_t a = 2; a <= n / 2; ++a) {
        if (n % a != 0)
            continue;
        result.push_back({static_cast<int>(a), static_cast<int>(n / a)});
        for (std::int64_t b = 2; b <= n / a / 2; ++b)
            if (n / a % b == 0)
                result.push_back({static_cast<int>(a), static_cast<int>(b), static_cast<int>(n / a / b)});
    }
    return result;
}

} // namespace

std::optional<Link> fitPattern(const Link& like, Pairs pairs, std::int64_t n, std::int64_t m) {
    const bool within = like.from == like.to;
    normalise(pairs, within);
    if (pairs.empty())
        return std::nullopt;
    std::uint64_t total = 0;
    for (const MemberPair& pair : pairs)
        total += pair.lanes;
    const auto fits = [&](Pattern pattern, std::uint64_t lanes, std::vector<int> dimensions) -> std::optional<Link> {
        if (lanes < 1 || lanes > static_cast<std::uint64_t>(maxLanes))
            return std::nullopt;
        Link link = like;
        link.pattern = pattern;
        link.lanes = static_cast<int>(lanes);
        link.dimensions = std::move(dimensions);
        auto made = memberPairs(link, n, m);
        if (!made)
            return std::nullopt;
        normalise(*made, within);
        return same(*made, pairs) ? std::optional<Link>(std::move(link)) : std::nullopt;
    };
    const std::uint64_t perPair = pairs.front().lanes, perFrom = total / static_cast<std::uint64_t>(n);
    std::vector<Pattern> order = within ? std::vector{Pattern::ring, Pattern::mesh}
                                        : std::vector{Pattern::mesh, Pattern::each, Pattern::rail, Pattern::plane, Pattern::pair};
    std::stable_partition(order.begin(), order.end(), [&like](Pattern pattern) { return pattern == like.pattern; });
    for (const Pattern pattern : order) {
        const bool perMember = pattern == Pattern::each || pattern == Pattern::rail || pattern == Pattern::plane;
        if (auto link = fits(pattern, perMember ? perFrom : perPair, {}))
            return link;
    }
    if (within && pairs.size() <= static_cast<std::size_t>(n) * 3)
        for (std::vector<int>& grid : grids(n))
            if (auto link = fits(Pattern::torus, perPair, std::move(grid)))
                return link;
    return std::nullopt;
}

} // namespace cw
