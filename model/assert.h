// SPDX-License-Identifier: GPL-3.0-or-later
//
// Assertions that stay in the released program: a broken assumption ends it at once, through SIGABRT, where the crash
// guard saves the open work. For mistakes of the programmer only; a wrong file or input is a tl::expected.
#pragma once

namespace cw {

// Prints the condition and its place on standard error and aborts.
[[noreturn]] void assertionFailed(const char* condition, const char* file, int line) noexcept;

} // namespace cw

#define CW_ASSERT(condition)                                                                                                     \
    (static_cast<bool>(condition) ? static_cast<void>(0) : ::cw::assertionFailed(#condition, __FILE__, __LINE__))
