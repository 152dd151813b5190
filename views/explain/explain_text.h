// SPDX-License-Identifier: GPL-3.0-or-later
//
// A derivation as plain text: the figure, its equation, its inputs indented beneath, down to facts and assumptions with their sources.
// A term that occurs again is named once and referred to afterwards. Any thread.
#pragma once

#include "estimators/base/derivation.h"

#include <QString>

namespace cw {

struct ExplainOptions {
    int depth = 64;           ///< levels opened below the figure
    bool repeatTerms = false; ///< open a term every time it occurs
};

QString explainText(const Derivation& derivation, TermId term, const ExplainOptions& options = {});

// The pieces, for the tree on the screen.
bool isDerived(const Term& term); ///< has an equation and inputs of its own, by whichever method
QString termName(const Term& term);
QString termValue(const Term& term); ///< value with unit, "?" when unknown
QString termRange(const Term& term); ///< band with unit, empty when there is none
/// "fact, estimated"; "assumption"; "computed" is left out unless what it rests on is less than read.
QString termTrust(const Term& term);
/// Where it comes from: part and field of a fact, publication of an equation, reason of an assumption.
QString termSource(const Term& term);

} // namespace cw
