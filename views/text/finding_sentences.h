// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of sentences behind finding_text.h: one row a code, one file a subject. "{name}" stands for an argument of the finding. Texts are
// sources of translations (context "Findings"). Static data, any thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

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

std::span<const FindingSentence> designSentences();
std::span<const FindingSentence> facilitySentences();
std::span<const FindingSentence> workSentences();
std::vector<FindingSentence> findingSentences();               ///< all of them
const FindingSentence* findingSentence(std::string_view code); ///< null: no such code

std::span<const FixSentence> fixSentences();

} // namespace cw
