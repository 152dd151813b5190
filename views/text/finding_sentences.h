// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of sentences behind finding_text.h: one row a code. "{name}" stands for an argument of the finding. Texts are sources of
// translations (context "Findings").
#pragma once

#include <span>
#include <string_view>

namespace cw {

struct FindingSentence {
    std::string_view code;
    const char* title;
    const char* detail;
};

struct FixSentence {
    std::string_view code;
    const char* label;
};

std::span<const FindingSentence> findingSentences();
std::span<const FixSentence> fixSentences();

} // namespace cw
