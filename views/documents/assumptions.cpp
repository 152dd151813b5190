// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/assumptions.h"

#include "model/io/project_file.h"
#include "views/explain/explain_text.h"
#include "views/text/facts.h"
#include "views/text/names.h"
#include "views/text/neighbour_text.h"
#include "views/text/quantity_text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <set>

namespace cw {

namespace {

using Align = ReportTable::Align;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Documents)
};

/// The terms of a derivation that pass a test, each once (by name, part and value), in the order of first use.
template <class Test> std::vector<const Term*> distinctTerms(const Derivation& derivation, Test test)
{
    std::vector<const Term*> terms;
    std::set<std::tuple<std::string_view, const PartInfo*, std::string_view, double>> seen;
    for (TermId id = 0; id < derivation.size(); ++id) {
        const Term& term = derivation.term(id);
        const double key = term.value == term.value ? term.value : -1; // NaN has no order
        if (test(term) && seen.emplace(term.name, term.part, term.source, key).second)
            terms.push_back(&term);
    }
    return terms;
}

} // namespace

ReportTable workloadTable(const Workload& workload, const Catalog& catalog)
{
    // The file's own words for a workload are complete by construction, whatever kinds are added later.
    Project project;
    project.workloads.push_back(workload);
    const QJsonObject root = QJsonDocument::fromJson(QByteArray::fromStdString(writeProject(project))).object();
    const QJsonObject fields = root.value(QStringLiteral("workloads")).toArray().first().toObject();
    ReportTable table{{}, {{Text::tr("Requirement"), Align::left}, {Text::tr("Value"), Align::left, 2}}, {}};
    table.rows.push_back({{Text::tr("Kind"), workloadKindName(kindName(workload.spec))}});
    for (auto field = fields.begin(); field != fields.end(); ++field) {
        const QString key = field.key();
        if (key == u"id" || key == u"name" || key == u"kind" || key == u"notes" || key == u"reported" || key == u"stages" || key == u"edges")
            continue;
        const auto add = [&](const QString& name, const QJsonValue& value) {
            FactText fact = factText(name.toStdString(), value);
            if (const Part* part = value.isString() ? catalog.findPart(PartId(value.toString().toStdString())) : nullptr)
                fact.value = QString::fromStdString(info(*part).name);
            table.rows.push_back({{fact.name, fact.value}});
        };
        if (field.value().isObject()) {
            const QJsonObject inner = field.value().toObject();
            for (auto i = inner.begin(); i != inner.end(); ++i)
                add(key + u'_' + i.key(), i.value());
        } else {
            add(key, field.value());
        }
    }
    return table;
}

ReportTable assumptionTable(const AlternativeEstimate& estimate)
{
    ReportTable table{{}, {{Text::tr("Parameter"), Align::left, 1.6}, {Text::tr("Value"), Align::right}, {Text::tr("Range"), Align::right, 1.2}, {Text::tr("Kind"), Align::left, .8}, {Text::tr("Why, or fitted on"), Align::left, 2.4}}, {}};
    const auto terms = distinctTerms(estimate.derivation, [](const Term& term) {
        return term.origin == TermOrigin::assumption || term.origin == TermOrigin::calibrated;
    });
    for (const Term* term : terms)
        table.rows.push_back({{termName(*term), termValue(*term), termRange(*term), termOriginName(term->origin), termSource(*term)}});
    return table;
}

ReportTable factTable(const AlternativeEstimate& estimate)
{
    ReportTable table{{}, {{Text::tr("Part"), Align::left, 1.5}, {Text::tr("Fact"), Align::left, 1.3}, {Text::tr("Value"), Align::right}, {Text::tr("Trust"), Align::left, .8}}, {}};
    auto terms = distinctTerms(estimate.derivation, [](const Term& term) { return term.origin == TermOrigin::fact && term.part; });
    std::stable_sort(terms.begin(), terms.end(), [](const Term* a, const Term* b) { return a->part->id < b->part->id; });
    for (const Term* term : terms)
        table.rows.push_back({{QString::fromStdString(term->part->name), termName(*term), termValue(*term), provenanceName(term->provenance)}});
    return table;
}

QStringList sourceList(const AlternativeEstimate& estimate)
{
    std::set<QString> sources;
    for (TermId id = 0; id < estimate.derivation.size(); ++id) {
        const Term& term = estimate.derivation.term(id);
        if (term.part)
            for (const Source& source : term.part->sources)
                sources.insert(QStringLiteral("%1, %2%3").arg(QString::fromStdString(source.title), QString::fromStdString(source.section),
                                                              source.recalled ? Text::tr(" (recalled)") : QString()));
    }
    return QStringList(sources.begin(), sources.end());
}

QString planText(const ChosenPlan& plan)
{
    QStringList parts;
    const auto add = [&](const QString& name, int size, int hidden = 1) {
        if (size > hidden)
            parts << QStringLiteral("%1 %2").arg(name).arg(size);
    };
    add(QStringLiteral("TP"), plan.parallelism.tensor);
    add(QStringLiteral("PP"), plan.parallelism.pipeline);
    add(QStringLiteral("DP"), plan.parallelism.data);
    add(QStringLiteral("CP"), plan.parallelism.context);
    add(QStringLiteral("EP"), plan.parallelism.expert);
    add(Text::tr("replicas"), plan.replicas);
    add(Text::tr("micro-batch"), plan.microBatch, 0);
    add(Text::tr("chunks"), plan.interleave);
    add(QStringLiteral("ZeRO"), plan.zeroStage, 0);
    if (parts.isEmpty())
        parts << Text::tr("one device");
    return parts.join(QStringLiteral(" · ")) + (plan.chosenByEstimator ? Text::tr(" (chosen by the estimator)") : QString());
}

ReportTable measuredTable(const Project& project, const Alternative& alternative, const AlternativeEstimate& estimate)
{
    ReportTable made{{}, {{Text::tr("Workload"), Align::left, 1.3}, {Text::tr("Measured run"), Align::left, 1.3}, {Text::tr("Measured, error of the estimate there"), Align::left, 1.8}, {Text::tr("Source"), Align::left, 1.8}}, {}};
    for (const WorkloadEstimate& workload : estimate.workloads) {
        const auto point = designPoint(project, alternative, estimate.catalog, workload);
        if (!point)
            continue;
        for (const MeasuredNeighbour& neighbour : publishedRows().nearest(*point))
            made.rows.push_back({{QString::fromStdString(workload.name), neighbourModel(neighbour), neighbourWords(neighbour),
                                  QString::fromStdString(neighbour.row->source.empty() ? neighbour.row->family : neighbour.row->source)}});
    }
    return made;
}

} // namespace cw
