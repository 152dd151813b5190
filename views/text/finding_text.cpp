// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/finding_text.h"

#include "views/text/finding_sentences.h"
#include "views/text/names.h"

#include <QCoreApplication>

#include <algorithm>

namespace cw {

namespace {

using Arguments = std::map<std::string, std::string>;

QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

const FixSentence* fixSentence(std::string_view code) {
    const auto found =
        std::find_if(fixSentences().begin(), fixSentences().end(), [&](const FixSentence& fix) { return fix.code == code; });
    return found == fixSentences().end() ? nullptr : &*found;
}

/// Arguments that are codes themselves read as their words; "300 ms" is no code.
QString argumentText(const std::string& key, const std::string& value) {
    if (value.empty())
        return QStringLiteral("?");
    const bool code = value.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") == std::string::npos;
    if (code && key == "target")
        return targetName(value);
    if (code && key == "binding")
        return resourceName(value);
    if (code && key == "tier")
        return tierName(value);
    if (key == "pattern")
        if (const auto pattern = patternFrom(value))
            return patternName(*pattern);
    if (key == "precision")
        if (const auto precision = precisionFrom(value))
            return precisionName(*precision);
    return fromUtf8(value);
}

QString filled(const char* source, const Arguments& arguments) {
    const QString sentence = QCoreApplication::translate("Findings", source);
    QString out;
    qsizetype from = 0;
    while (true) {
        const qsizetype open = sentence.indexOf(u'{', from);
        const qsizetype close = open < 0 ? -1 : sentence.indexOf(u'}', open);
        if (close < 0)
            return out + sentence.mid(from);
        const auto argument = arguments.find(sentence.mid(open + 1, close - open - 1).toStdString());
        out += sentence.mid(from, open - from);
        out += argument == arguments.end() ? QStringLiteral("?") : argumentText(argument->first, argument->second);
        from = close + 1;
    }
}

QString listed(const Arguments& arguments) {
    QStringList parts;
    for (const auto& [key, value] : arguments)
        parts += fromUtf8(key) + QStringLiteral(": ") + fromUtf8(value);
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString findingTitle(const Finding& finding) {
    const FindingSentence* found = findingSentence(finding.code);
    return found ? filled(found->title, finding.arguments) : fromUtf8(finding.code);
}

QString findingDetail(const Finding& finding) {
    const FindingSentence* found = findingSentence(finding.code);
    return found ? filled(found->detail, finding.arguments) : listed(finding.arguments);
}

QString findingMessage(const Finding& finding) {
    const QString detail = findingDetail(finding);
    return detail.isEmpty() ? findingTitle(finding) : findingTitle(finding) + QStringLiteral(": ") + detail;
}

QString fixLabel(const Finding& finding) {
    if (!finding.fix)
        return {};
    const FixSentence* found = fixSentence(finding.fixCode);
    return found ? filled(found->label, finding.arguments) : fromUtf8(finding.fix->name);
}

QString severityName(Severity severity) {
    switch (severity) {
    case Severity::error:
        return QCoreApplication::translate("Findings", "Error");
    case Severity::warning:
        return QCoreApplication::translate("Findings", "Warning");
    case Severity::advice:
        return QCoreApplication::translate("Findings", "Advice");
    }
    return {};
}

QString severityCount(Severity severity, qsizetype count) {
    const bool one = count == 1;
    switch (severity) {
    case Severity::error:
        return one ? QCoreApplication::translate("Findings", "1 error")
                   : QCoreApplication::translate("Findings", "%1 errors").arg(count);
    case Severity::warning:
        return one ? QCoreApplication::translate("Findings", "1 warning")
                   : QCoreApplication::translate("Findings", "%1 warnings").arg(count);
    case Severity::advice:
        return one ? QCoreApplication::translate("Findings", "1 advice")
                   : QCoreApplication::translate("Findings", "%1 pieces of advice").arg(count);
    }
    return {};
}

bool hasFindingSentence(std::string_view code) { return findingSentence(code) != nullptr; }
bool hasFixSentence(std::string_view code) { return fixSentence(code) != nullptr; }

} // namespace cw
