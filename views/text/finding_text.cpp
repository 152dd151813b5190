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

template <class Table> auto row(const Table& table, std::string_view code)
{
    return std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.code == code; });
}

/// Arguments that are codes themselves read as their words.
QString argumentText(const std::string& key, const std::string& value)
{
    if (value.empty())
        return QStringLiteral("?");
    if (key == "target")
        return targetName(value);
    if (key == "binding" || key == "resource")
        return resourceName(value);
    if (key == "tier")
        return tierName(value);
    return fromUtf8(value);
}

QString filled(const char* source, const Arguments& arguments)
{
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

QString listed(const Arguments& arguments)
{
    QStringList parts;
    for (const auto& [key, value] : arguments)
        parts += fromUtf8(key) + QStringLiteral(": ") + fromUtf8(value);
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString findingTitle(const Finding& finding)
{
    const auto found = row(findingSentences(), finding.code);
    return found == findingSentences().end() ? fromUtf8(finding.code) : filled(found->title, finding.arguments);
}

QString findingDetail(const Finding& finding)
{
    const auto found = row(findingSentences(), finding.code);
    return found == findingSentences().end() ? listed(finding.arguments) : filled(found->detail, finding.arguments);
}

QString findingMessage(const Finding& finding)
{
    const QString detail = findingDetail(finding);
    return detail.isEmpty() ? findingTitle(finding) : findingTitle(finding) + QStringLiteral(": ") + detail;
}

QString fixLabel(const Finding& finding)
{
    if (!finding.fix)
        return {};
    const auto found = row(fixSentences(), finding.fixCode);
    return found == fixSentences().end() ? fromUtf8(finding.fix->name) : filled(found->label, finding.arguments);
}

QString severityName(Severity severity)
{
    switch (severity) {
    case Severity::error: return QCoreApplication::translate("Findings", "Error");
    case Severity::warning: return QCoreApplication::translate("Findings", "Warning");
    case Severity::advice: return QCoreApplication::translate("Findings", "Advice");
    }
    return {};
}

QString severityCount(Severity severity, qsizetype count)
{
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

bool hasFindingSentence(std::string_view code) { return row(findingSentences(), code) != findingSentences().end(); }
bool hasFixSentence(std::string_view code) { return row(fixSentences(), code) != fixSentences().end(); }

} // namespace cw
