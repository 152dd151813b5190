// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe_workload.h"

#include "views/text/names.h"

#include <algorithm>

namespace cw {

namespace {

QString stageName(const Pipeline::Stage& stage) { return QString::fromStdString(stage.name.empty() ? stage.id : stage.name); }

QString stageName(const Pipeline& pipeline, const std::string& id) {
    for (const Pipeline::Stage& stage : pipeline.stages)
        if (stage.id == id)
            return stageName(stage);
    return QString::fromStdString(id);
}

std::vector<Choice> stageChoices(const Pipeline& pipeline) {
    std::vector<Choice> choices;
    for (const Pipeline::Stage& stage : pipeline.stages)
        choices.push_back({stage.id, stageName(stage), {}});
    return choices;
}

std::string freeStageId(const Pipeline& pipeline) {
    for (int number = static_cast<int>(pipeline.stages.size()) + 1;; ++number) {
        const std::string id = "stage-" + std::to_string(number);
        const bool taken =
            std::any_of(pipeline.stages.begin(), pipeline.stages.end(), [&](const auto& stage) { return stage.id == id; });
        if (!taken)
            return id;
    }
}

/// A member of one stage or edge; one that is gone meanwhile is left alone.
template <class List, class M>
FormField memberOf(const Selected<Workload>& workload, FieldSpec spec, List Pipeline::* list, std::size_t index, M member) {
    return bindWith(
        workload, std::move(spec),
        [=](const Workload& shown) {
            const auto* pipeline = std::get_if<Pipeline>(&shown.spec);
            return pipeline && index < (pipeline->*list).size() ? binding::read((pipeline->*list)[index].*member) : FieldValue();
        },
        [=](Workload& changed, const FieldValue& value) {
            auto* pipeline = std::get_if<Pipeline>(&changed.spec);
            if (pipeline && index < (pipeline->*list).size())
                binding::write((pipeline->*list)[index].*member, value);
        });
}

} // namespace

std::function<void()> WorkloadDescriber::changePipeline(const QString& name, std::function<void(Pipeline&)> change) const {
    return [actions = &m_context.actions, refs = m_selected.refs, name, change = std::move(change)] {
        const auto onElement = [&](Element& element) {
            if (auto* pipeline = std::get_if<Pipeline>(&std::get<Workload>(element).spec))
                change(*pipeline);
        };
        if (const Expected<Edit> edit = editElements(actions->document, refs, onElement, name))
            actions->apply(*edit);
    };
}

void WorkloadDescriber::stages() {
    const auto& spec = std::get<Pipeline>(m_workload.spec);
    for (std::size_t i = 0; i < spec.stages.size(); ++i)
        addStage(spec, i);
    for (std::size_t i = 0; i < spec.edges.size(); ++i)
        addEdge(spec, i);
    FormSection& grow = section("grow");
    grow.actions.push_back({"addStage", tr("Add stage"), {}, changePipeline(tr("Add stage"), [](Pipeline& pipeline) {
                                Pipeline::Stage stage;
                                stage.id = freeStageId(pipeline);
                                stage.name = tr("Stage %1").arg(pipeline.stages.size() + 1).toStdString();
                                stage.serviceTime = milliseconds(1);
                                pipeline.stages.push_back(stage);
                            })});
    if (spec.stages.size() < 2)
        return;
    grow.actions.push_back({"addEdge", tr("Add route"), {}, changePipeline(tr("Add route"), [](Pipeline& pipeline) {
                                const std::size_t last = pipeline.stages.size() - 1;
                                if (pipeline.stages.size() >= 2)
                                    pipeline.edges.push_back(
                                        {pipeline.stages[last - 1].id, pipeline.stages[last].id, 1, Bytes{}});
                            })});
}

void WorkloadDescriber::addStage(const Pipeline& pipeline, std::size_t index) {
    const Pipeline::Stage& stage = pipeline.stages[index];
    FormSection& own = section("stage " + std::to_string(index), stageName(stage), false);
    own.note = tr("stage");
    std::vector<Choice> workloads;
    for (const Workload& other : m_context.project.workloads)
        if (other.id != m_workload.id && !std::holds_alternative<Pipeline>(other.spec))
            workloads.push_back({other.id.value, QString::fromStdString(other.name), {}});
    using Stage = Pipeline::Stage;
    own.fields.push_back(
        memberOf(m_selected, {.key = "name", .label = tr("Name"), .required = true}, &Pipeline::stages, index, &Stage::name));
    own.fields.push_back(memberOf(m_selected,
                                  {.key = "workload",
                                   .label = tr("Does"),
                                   .kind = FieldKind::choice,
                                   .unset = tr("a fixed time"),
                                   .choices = std::move(workloads)},
                                  &Pipeline::stages, index, &Stage::workload));
    if (stage.workload.empty()) {
        own.fields.push_back(
            memberOf(m_selected,
                     {.key = "time", .label = tr("Service time"), .kind = FieldKind::number, .unit = Unit::seconds, .high = 1e6},
                     &Pipeline::stages, index, &Stage::serviceTime));
        own.fields.push_back(memberOf(m_selected,
                                      {.key = "cv", .label = tr("… variation"), .kind = FieldKind::number, .low = 0, .high = 20},
                                      &Pipeline::stages, index, &Stage::serviceCv));
    }
    own.actions.push_back({"drop stage " + std::to_string(index),
                           tr("Remove stage"),
                           {},
                           changePipeline(tr("Remove stage %1").arg(stageName(stage)), [id = stage.id](Pipeline& changed) {
                               std::erase_if(changed.stages, [&](const Stage& other) { return other.id == id; });
                               std::erase_if(changed.edges,
                                             [&](const Pipeline::Edge& edge) { return edge.from == id || edge.to == id; });
                           })});
}

void WorkloadDescriber::addEdge(const Pipeline& pipeline, std::size_t index) {
    using Edge = Pipeline::Edge;
    const Edge& edge = pipeline.edges[index];
    const QString name = stageName(pipeline, edge.from) + QStringLiteral(" → ") + stageName(pipeline, edge.to);
    FormSection& own = section("edge " + std::to_string(index), name, false);
    own.note = QString::number(edge.share * 100, 'g', 3) + QStringLiteral(" %");
    own.fields.push_back(
        memberOf(m_selected, {.key = "from", .label = tr("From"), .kind = FieldKind::choice, .choices = stageChoices(pipeline)},
                 &Pipeline::edges, index, &Edge::from));
    own.fields.push_back(memberOf(m_selected,
                                  {.key = "to", .label = tr("To"), .kind = FieldKind::choice, .choices = stageChoices(pipeline)},
                                  &Pipeline::edges, index, &Edge::to));
    own.fields.push_back(memberOf(m_selected,
                                  {.key = "share",
                                   .label = tr("Share"),
                                   .help = tr("Of what leaves the first stage."),
                                   .kind = FieldKind::number,
                                   .unit = Unit::fraction,
                                   .low = 0,
                                   .high = 100},
                                  &Pipeline::edges, index, &Edge::share));
    own.fields.push_back(
        memberOf(m_selected,
                 {.key = "bytes", .label = tr("Bytes"), .help = tr("A request."), .kind = FieldKind::number, .unit = Unit::bytes},
                 &Pipeline::edges, index, &Edge::bytes));
    own.actions.push_back({"drop edge " + std::to_string(index),
                           tr("Remove route"),
                           {},
                           changePipeline(tr("Remove route %1").arg(name), [index](Pipeline& changed) {
                               if (index < changed.edges.size())
                                   changed.edges.erase(changed.edges.begin() + static_cast<std::ptrdiff_t>(index));
                           })});
}

} // namespace cw
