// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe_workload.h"

#include "model/document/document.h"
#include "views/inspector/load_profile_edit.h"
#include "views/inspector/workload_presets.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"
#include "views/text/simulation_text.h"

namespace cw {

namespace {

Unit throughputUnit(const WorkloadSpec& spec) {
    constexpr Unit units[] = {Unit::tokensPerSecond, Unit::tokensPerSecond, Unit::samplesPerSecond,    Unit::requestsPerSecond,
                              Unit::eventsPerSecond, Unit::jobsPerDay,      Unit::operationsPerSecond, Unit::requestsPerSecond};
    static_assert(std::size(units) == std::variant_size_v<WorkloadSpec>);
    return units[spec.index()];
}

Unit unitCost(const WorkloadSpec& spec) {
    if (std::holds_alternative<LlmTraining>(spec) || std::holds_alternative<LlmServing>(spec))
        return Unit::dollarsPerMillionTokens;
    return std::holds_alternative<BatchJob>(spec) || std::holds_alternative<Hpc>(spec) ? Unit::dollarsPerJob
                                                                                       : Unit::dollarsPerMillionRequests;
}

FieldSpec target(const char* key, const QString& label, Unit unit, const QString& none) {
    return {.key = key, .label = label, .kind = FieldKind::number, .unit = unit, .low = 0, .high = 1e30, .unset = none};
}

} // namespace

WorkloadDescriber::WorkloadDescriber(const InspectorContext& context, Form& form, const Workload& workload)
    : Describer(context, form)
    , m_workload(workload) {
    m_selected.document = &context.actions.document;
    m_selected.refs = {{ElementKind::workload, {}, workload.id.value}};
    m_selected.values = {workload};
    m_selected.what = QString::fromStdString(workload.name);
}

void WorkloadDescriber::run() {
    m_form.title = m_selected.what;
    m_form.subtitle = workloadKindName(kindName(m_workload.spec));
    m_form.backText = tr("Project");
    m_form.back = [actions = &m_context.actions] { actions->inspect({}); };
    FormSection& own = section("workload");
    own.fields.push_back(
        bind(m_selected, {.key = "name", .label = tr("Name"), .required = true}, [](auto& w) -> auto& { return w.name; }));
    kindFields(own);
    own.actions.push_back({"preset", tr("Take a preset…"), tr("Replaces the numbers by typical ones."),
                           [actions = &m_context.actions, id = m_workload.id] { actions->presetWorkload(id); }});
    own.actions.push_back({"remove", tr("Delete workload"), tr("From the project, with its placements in all alternatives."),
                           [actions = &m_context.actions, id = m_workload.id, name = m_selected.what] {
                               actions->inspect({});
                               actions->apply(edits::removeWorkload(actions->document.project(), id,
                                                                    tr("Delete workload %1").arg(name).toStdString()));
                           }});
    if (std::holds_alternative<Pipeline>(m_workload.spec))
        stages();
    targets();
    requests();
    loadOverDay();
    results();
    neighbours();
    reported();
    section("notes", tr("Notes"), !m_workload.notes.empty())
        .fields.push_back(bind(m_selected, {.key = "notes", .label = {}, .kind = FieldKind::longText},
                               [](auto& w) -> auto& { return w.notes; }));
}

void WorkloadDescriber::targets() {
    FormSection& own = section("targets", tr("Targets"));
    const QString none = tr("no target");
    auto& fields = own.fields;
    fields.push_back(bind(
        m_selected, target("throughput", throughputName(throughputUnit(m_workload.spec)), throughputUnit(m_workload.spec), none),
        [](auto& w) -> auto& { return w.targets.throughput; }));
    if (std::holds_alternative<LlmTraining>(m_workload.spec) || std::holds_alternative<Hpc>(m_workload.spec))
        fields.push_back(bind(m_selected, target("step", tr("Step time"), Unit::seconds, none),
                              [](auto& w) -> auto& { return w.targets.stepTime; }));
    if (std::holds_alternative<LlmTraining>(m_workload.spec))
        fields.push_back(bind(m_selected, target("days", tr("Done within"), Unit::days, none),
                              [](auto& w) -> auto& { return w.targets.days; }));
    fields.push_back(bind(m_selected, target("perHour", tr("Cost per hour"), Unit::dollarsPerHour, none),
                          [](auto& w) -> auto& { return w.targets.dollarsPerHour; }));
    fields.push_back(bind(m_selected,
                          target("perUnit", costPerUnitName(unitCost(m_workload.spec)), unitCost(m_workload.spec), none),
                          [](auto& w) -> auto& { return w.targets.dollarsPerUnit; }));
    fields.push_back(bind(m_selected, target("power", tr("Facility power"), Unit::watts, none),
                          [](auto& w) -> auto& { return w.targets.facilityPower; }));
}

void WorkloadDescriber::loadOverDay() {
    FormSection& own = section("load", tr("Load over the day"), !m_workload.load.hourly.empty());
    own.fields.push_back(bind(m_selected,
                              {.key = "duty",
                               .label = tr("Duty"),
                               .help = tr("Share of the time in which the work is there at all."),
                               .kind = FieldKind::number,
                               .unit = Unit::fraction,
                               .low = 0,
                               .high = 1},
                              [](auto& w) -> auto& { return w.load.duty; }));
    const InspectorActions* actions = &m_context.actions;
    const std::vector<ElementRef> refs = m_selected.refs;
    const QString name = tr("Load over the day of %1").arg(m_selected.what);
    const auto editFor = [actions, refs, name](const std::vector<double>& hourly) {
        return editElements(
            actions->document, refs, [&](Element& element) { std::get<Workload>(element).load.hourly = hourly; }, name);
    };
    FormField curve;
    curve.spec = {.key = "hourly", .label = {}, .kind = FieldKind::custom};
    curve.make = [actions, editFor](QWidget* parent) -> QWidget* {
        auto* edit = new LoadProfileEdit(parent);
        QObject::connect(edit, &LoadProfileEdit::previewed, edit, [actions, editFor](const std::vector<double>& hourly) {
            if (const Expected<Edit> change = editFor(hourly))
                actions->preview(*change);
        });
        QObject::connect(edit, &LoadProfileEdit::committed, edit, [actions, editFor](const std::vector<double>& hourly) {
            if (const Expected<Edit> change = editFor(hourly))
                actions->apply(*change);
        });
        return edit;
    };
    curve.update = [hourly = m_workload.load.hourly](QWidget* widget) {
        static_cast<LoadProfileEdit*>(widget)->setHourly(hourly);
    };
    own.fields.push_back(std::move(curve));
    const auto offer = [&](const char* key, const QString& text, std::vector<double> hourly) {
        own.actions.push_back({key, text, {}, [actions, editFor, hourly = std::move(hourly)] {
                                   if (const Expected<Edit> change = editFor(hourly))
                                       actions->apply(*change);
                               }});
    };
    own.actions.push_back({"trace", tr("Load from trace …"), tr("A recorded trace of requests (CSV): rate, load over the day, lengths."),
                           [actions, id = m_workload.id] { actions->loadTrace(id); }});
    offer("constant", tr("Constant"), {});
    offer("office", tr("Office hours"), officeHours());
    offer("night", tr("Night valley"), nightValley());
}

void WorkloadDescriber::results() {
    const WorkloadEstimate* estimate = m_context.estimate ? m_context.estimate->workload(m_workload.id) : nullptr;
    if (!estimate || !estimate->placed)
        return;
    FormSection& own = section("results", tr("Estimate here"));
    for (const std::string& key : figureKeys(*m_context.estimate, m_workload.id)) {
        if (key == "it")
            break; // figures of the whole design follow
        const Figure figure = figureOf(m_context.alternative.id, m_workload.id, key);
        addFigure(own, key, figure.name, figure.find(*m_context.estimate), figure.find);
        if (const QString simulated = simulationText(*m_context.estimate, m_workload.id, key); !simulated.isEmpty()) {
            FormField& field = own.fields.back();
            field.words = tr("%1 · sim", "latency from a simulation").arg(field.words);
            field.spec.help += (field.spec.help.isEmpty() ? QString() : QStringLiteral("\n")) + simulated;
        }
    }
    for (const WorkloadEstimate::TargetResult& target : estimate->targets) {
        const QString words = tr("%1 of %2 · %3")
                                  .arg(quantityText(target.got, target.unit), quantityText(target.wanted, target.unit),
                                       target.met ? tr("met") : tr("missed"));
        own.fields.push_back(
            figure("target " + target.target, targetName(target.target), words, target.met ? FigureTone::good : FigureTone::bad));
    }
}

void WorkloadDescriber::reported() {
    if (m_workload.reported.empty())
        return;
    FormSection& own = section("reported", tr("Reported"));
    int index = 0;
    const AlternativeEstimate* estimate = m_context.estimate;
    for (const Reported& value : m_workload.reported) {
        QString words = QStringLiteral("%1 %2").arg(QString::number(value.value, 'g', 5), QString::fromStdString(value.unit));
        if (estimate && (value.alternative.empty() || value.alternative == estimate->id)) {
            if (const auto estimated = figureNamed(*estimate, m_workload.id, value.quantity))
                words += tr(" · estimated %1").arg(quantityText(*estimated));
            if (const auto bound = boundNamed(*estimate, m_workload.id, value.quantity))
                words += tr(" · at best %1").arg(quantityText(*bound));
        }
        FormField field = figure("reported " + std::to_string(index++), quantityName(value.quantity), words);
        field.spec.help = QString::fromStdString(value.note);
        own.fields.push_back(std::move(field));
    }
}

} // namespace cw
