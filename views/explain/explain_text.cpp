// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/explain/explain_text.h"

#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <QCoreApplication>

#include <cmath>
#include <unordered_set>

namespace cw {

namespace {

QString fromUtf8(const char* text) { return QString::fromUtf8(text ? text : ""); }

/// Equations are mathematics, names are words: only these are translated.
QString translated(const char* source) {
    return source && *source ? QCoreApplication::translate("Derivation", source) : QString();
}

struct Writer {
    const Derivation& derivation;
    const ExplainOptions& options;
    QStringList lines;
    std::unordered_set<TermId> seen;

    void write(TermId id, int level) {
        const Term& term = derivation.term(id);
        const QString indent(level * 2, QLatin1Char(' '));
        QString line = indent + termName(term) + QStringLiteral(" = ") + termValue(term);
        if (const QString range = termRange(term); !range.isEmpty())
            line += QStringLiteral("  [%1]").arg(range);
        if (const QString trust = termTrust(term); !trust.isEmpty())
            line += QStringLiteral("  (%1)").arg(trust);
        const bool again = !seen.insert(id).second && !options.repeatTerms && term.inputCount > 0;
        if (again)
            line += QLatin1Char(' ') + QCoreApplication::translate("Explain", "see above");
        lines += line;
        if (again)
            return;
        const QString detail = indent + QStringLiteral("    ");
        if (isDerived(term) && term.equation && *term.equation)
            lines += detail + fromUtf8(term.equation);
        if (const QString source = termSource(term); !source.isEmpty())
            lines += detail + QCoreApplication::translate("Explain", "source: %1").arg(source);
        if (level >= options.depth)
            return;
        for (const TermId input : derivation.inputs(id))
            write(input, level + 1);
    }
};

} // namespace

bool isDerived(const Term& term) { return term.origin == TermOrigin::computed || term.origin == TermOrigin::simulated; }

QString termName(const Term& term) { return translated(term.name); }

QString termValue(const Term& term) { return quantityText(term.value, term.unit); }

QString termRange(const Term& term) { return rangeText({term.value, term.low, term.high, term.unit, noTerm}); }

QString termTrust(const Term& term) {
    const bool computed = term.origin == TermOrigin::computed;
    QString text = computed ? QString() : termOriginName(term.origin);
    const bool doubtful = term.provenance == Provenance::recalled || term.provenance == Provenance::estimated;
    if (computed)
        return doubtful ? QCoreApplication::translate("Explain", "rests on %1 facts").arg(provenanceName(term.provenance))
                        : QString();
    if (term.provenance == Provenance::read || term.origin == TermOrigin::input || term.origin == TermOrigin::assumption)
        return text;
    return text + QStringLiteral(", ") + provenanceName(term.provenance);
}

QString termSource(const Term& term) {
    const QString source = fromUtf8(term.source);
    if (!term.part)
        return isDerived(term) || source.isEmpty() ? source : translated(term.source);
    QString text = QString::fromStdString(term.part->name);
    if (const QString field = source.isEmpty() ? fromUtf8(term.equation) : source; !field.isEmpty())
        text += QStringLiteral(", ") + (term.origin == TermOrigin::fact ? factName(field.toStdString()) : field);
    if (term.part->sources.empty())
        return text;
    const Source& main = term.part->sources.front(); // a tool tip shows the others
    text += QStringLiteral(" — ") + QString::fromStdString(main.title);
    return main.section.empty() ? text : text + QStringLiteral(", ") + QString::fromStdString(main.section);
}

QString explainText(const Derivation& derivation, TermId term, const ExplainOptions& options) {
    if (term == noTerm || term >= derivation.size())
        return QCoreApplication::translate("Explain", "This figure has no derivation.");
    Writer writer{derivation, options, {}, {}};
    writer.write(term, 0);
    return writer.lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace cw
