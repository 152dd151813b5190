// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sentences for findings: code and named arguments in, text for people out. Any thread. A code without a sentence gives the code and
// its arguments, so that nothing a check says is ever lost; an argument that a sentence wants and the finding lacks reads "?".
#pragma once

#include "model/checks/checks.h"

#include <QString>

#include <vector>

namespace cw {

/// What is wrong, in a few words: "Uplinks are 2 : 1 oversubscribed".
QString findingTitle(const Finding& finding);
/// One or two sentences: what was found, what was expected. May be empty.
QString findingDetail(const Finding& finding);
/// "title: detail", on one line, for lists and the command line.
QString findingMessage(const Finding& finding);
/// Text of the button that applies `fix`; empty when there is no fix.
QString fixLabel(const Finding& finding);

QString severityName(Severity severity);                   ///< "Error", "Warning", "Advice"
QString severityCount(Severity severity, qsizetype count); ///< "3 errors", "1 warning"

/// True when the tables know the code; for the test that compares them with the sources of model and estimators.
bool hasFindingSentence(std::string_view code);
bool hasFixSentence(std::string_view fixCode);

} // namespace cw
