// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe.h"

#include "views/parts/part_summary.h"
#include "views/text/facts.h"
#include "views/text/names.h"

namespace cw {

namespace {

class FactsDescriber : public Describer {
public:
    using Describer::Describer;

    void run(const PartId& id) {
        const Catalog::Entry* entry = m_context.catalog.findEntry(id);
        if (!entry) {
            addUnknown(id);
            return;
        }
        const PartInfo& part = info(entry->part);
        FormSection& own = section("facts", tr("Facts of %1").arg(partShortName(part)), false);
        own.note = provenanceName(part.confidence);
        for (const FactText& fact : factTexts(part)) {
            FormField field = figure(fact.key, fact.name, resolved(fact));
            field.badge = fact.provenance == Provenance::read ? QString() : provenanceName(fact.provenance);
            field.spec.help = QStringLiteral("%1: %2 (%3)").arg(fact.name, field.words, provenanceName(fact.provenance));
            own.fields.push_back(std::move(field));
        }
        const bool mine = m_context.project.findPart(id) != nullptr;
        own.actions.push_back(
            {"editPart", mine ? tr("Edit own part…") : tr("New own part from this…"), {}, [actions = &m_context.actions, id] {
                 actions->editPart(id);
             }});
        addSources(part);
    }

private:
    /// Ids of other parts read as their names.
    QString resolved(const FactText& fact) const {
        const Part* other = fact.key.ends_with("_id") ? m_context.catalog.findPart(PartId(fact.value.toStdString())) : nullptr;
        return other ? QString::fromStdString(info(*other).name) : fact.value;
    }

    void addUnknown(const PartId& id) {
        if (id.empty())
            return;
        FormSection& own = section("facts", tr("Facts"));
        own.intro =
            tr("The catalog has no part “%1”. Choose another, or add it as an own part.").arg(QString::fromStdString(id.value));
    }

    void addSources(const PartInfo& part) {
        if (part.sources.empty() && part.notes.empty())
            return;
        FormSection& own = section("sources", tr("Sources"), false);
        QStringList lines;
        for (const Source& source : part.sources) {
            QString line = QStringLiteral("• ") + QString::fromStdString(source.title);
            if (!source.section.empty())
                line += QStringLiteral(", ") + QString::fromStdString(source.section);
            if (source.recalled)
                line += QStringLiteral(" (%1)").arg(provenanceName(Provenance::recalled));
            lines += line;
        }
        if (!part.notes.empty())
            lines += QString::fromStdString(part.notes);
        own.intro = lines.join(u'\n');
    }
};

} // namespace

void describeFacts(const InspectorContext& context, Form& form, const PartId& part) { FactsDescriber(context, form).run(part); }

} // namespace cw
