// SPDX-License-Identifier: GPL-3.0-or-later
//
// Terms of a search that compare a property of a part: "gpu>=80GB", "power<2kW", and "400G", which is a port speed. For search() only.
#pragma once

#include "model/catalog/catalog.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cw {

class Comparison {
public:
    /// A property, one of < <= = >= > and a value with its unit; nothing when the term does not read as that.
    static std::optional<Comparison> from(std::string_view term);
    /// "400G", "1.6T", "400Gb/s", "100GbE": parts with a port or link of this speed.
    static std::optional<Comparison> fromPortSpeed(std::string_view term);

    /// Whether one of the values of the property compares so. A part without the property, or where it is not known, does not.
    bool holds(const Catalog& catalog, const Part& part) const;

private:
    /// In SI; a part may have several (the speeds of its ports), or none.
    using Values = std::vector<double>;
    Values (*m_of)(const Catalog&, const Part&) = nullptr;
    bool m_less = false, m_greater = false, m_equal = false;
    double m_value = 0;
};

} // namespace cw
