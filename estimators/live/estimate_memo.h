// SPDX-License-Identifier: GPL-3.0-or-later
//
// Remembers the last estimates of each alternative with everything they were made from. Inputs are compared by value, so a hit is certain
// and a new field of the model cannot be forgotten in a hash. View and meta data are no inputs. Not thread-safe.
#pragma once

#include "estimators/estimate.h"

#include <deque>
#include <memory>

namespace cw {

class EstimateMemo {
public:
    using Result = std::shared_ptr<const AlternativeEstimate>;
    using Snapshot = std::shared_ptr<const Project>;

    /// The estimate of alternative `index` of the project with this catalog, or null.
    Result find(const Project& project, std::size_t index, const Catalog& catalog) const;
    void insert(Snapshot project, std::size_t index, Result result);
    /// What it holds as `known` is known better now.
    void improve(const Result& known, const Result& better);

private:
    struct Entry {
        Snapshot project;
        std::size_t index;
        Result result; ///< its catalog is the one it was made with
    };
    std::deque<Entry> m_entries; ///< newest first
};

} // namespace cw
