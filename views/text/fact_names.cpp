// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/names.h"
#include "views/text/vocabulary.h"

namespace cw {

namespace {

constexpr text::Word facts[] = {
    CW_WORD("tdp_w", "TDP"),
    CW_WORD("idle_w", "Idle power"),
};

} // namespace

QString factName(std::string_view field) { return text::wordFor(facts, field); }

} // namespace cw
