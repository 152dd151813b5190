// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes back when something a user did or gave cannot be used: where, what was expected, what was found.
// Bugs assert; expected failures are `Expected<T>`. No exception crosses a library.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace cw {

struct Error {
    std::string where;    ///< file, line and column, JSON pointer or field, e.g. "a.cluster.json: /alternatives/0/nodes/3/count"
    std::string expected; ///< e.g. "a whole number from 1 to 10000000"
    std::string found;    ///< e.g. "-4"
    std::string message;  ///< one sentence for a person, complete without the other fields

    /// "where: message (expected …, found …)", leaving out what is empty.
    std::string text() const;
    bool operator==(const Error&) const = default;
};

template <class T> using Expected = tl::expected<T, Error>;
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

} // namespace cw
