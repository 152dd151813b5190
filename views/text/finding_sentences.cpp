// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/finding_sentences.h"

#include <QtGlobal>

namespace cw {

namespace {

#define S(text) QT_TRANSLATE_NOOP("Findings", text)

constexpr FindingSentence sentences[] = {
    {"ports.exceeded", S("{node} has too few ports"), S("Links take {used} ports of {available}.")},
};

constexpr FixSentence fixes[] = {
    {"ports.fewer_lanes", S("Use fewer lanes")},
};

#undef S

} // namespace

std::span<const FindingSentence> findingSentences() { return sentences; }
std::span<const FixSentence> fixSentences() { return fixes; }

} // namespace cw
