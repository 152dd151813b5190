// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe.h"

#include "model/document/document.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

namespace cw {

namespace {

/// How one workload runs on some stacks: what the user fixed, what the estimator chose, whether it fits.
class PlacementDescriber : public Describer {
public:
    PlacementDescriber(const InspectorContext& context, Form& form, const Placement& placement)
        : Describer(context, form)
        , m_placement(placement)
        , m_workload(context.project.findWorkload(placement.workload)) {
        m_selected.document = &context.actions.document;
        m_selected.refs = {ref(ElementKind::placement, placement.id.value)};
        m_selected.values = {placement};
        m_name = elementName(context.project, {ElementKind::workload, {}, placement.workload.value});
        m_selected.what = m_name;
        if (context.estimate)
            m_estimate = context.estimate->workload(placement.workload);
    }

    void run() {
        m_prefix = "run " + m_placement.id.value;
        FormSection& own = section(m_prefix, tr("Runs %1").arg(m_name));
        if (m_placement.nodes.size() > 1)
            own.note = tr("on %1 stacks").arg(m_placement.nodes.size());
        addStage(own);
        if (m_workload && std::holds_alternative<LlmTraining>(m_workload->spec))
            addTraining(own);
        else if (m_workload && std::holds_alternative<LlmServing>(m_workload->spec))
            addServing(own);
        else
            addOther(own);
        addScaling(own);
        addResults(own);
        addActions(own);
        addCollectives();
        if (m_context.trials && m_context.trials->placement == m_placement.id)
            addTrials(m_context.trials->trials);
    }

private:
    const ChosenPlan* plan() const { return m_estimate && m_estimate->plan ? &*m_estimate->plan : nullptr; }

    /// "8 (auto)" once the estimator has chosen.
    QString automatic(int chosen) const { return plan() && chosen > 0 ? tr("%1 (auto)").arg(chosen) : tr("auto"); }

    /// A whole number of the placement that may be left to the estimator.
    template <class Lens> FormField wholeOrAuto(const char* key, const QString& label, const QString& help, int chosen, Lens lens) {
        return bind(m_selected,
                    {.key = key,
                     .label = label,
                     .help = help,
                     .kind = FieldKind::number,
                     .unit = Unit::count,
                     .low = 1,
                     .high = 1e6,
                     .whole = true,
                     .unset = automatic(chosen),
                     .zeroIsUnset = true},
                    lens);
    }

    FormField size(const char* key, const QString& label, const QString& help, int Parallelism::* member) {
        return wholeOrAuto(key, label, help, plan() ? plan()->parallelism.*member : 0,
                           [member](auto& placement) -> auto& { return placement.parallelism.*member; });
    }

    FormField count(const char* key, const QString& label, const QString& help, int Placement::* member, int chosen) {
        return wholeOrAuto(key, label, help, chosen, [member](auto& placement) -> auto& { return placement.*member; });
    }

    FormField precision() {
        return bind(m_selected,
                    {.key = "precision",
                     .label = tr("Precision"),
                     .kind = FieldKind::choice,
                     .unset = tr("as the workload"),
                     .choices = precisionChoices()},
                    [](auto& placement) -> auto& { return placement.precision; });
    }

    FormField stack() {
        std::vector<Choice> choices;
        for (const Catalog::Entry* entry : m_context.catalog.entries())
            if (const auto* constants = std::get_if<Constants>(&entry->part); constants && constants->kind.ends_with("_stack"))
                choices.push_back({constants->id.value, QString::fromStdString(constants->name), {}});
        return bind(m_selected,
                    {.key = "stack",
                     .label = tr("Software"),
                     .help = tr("Constants fitted on measurements of this software."),
                     .kind = FieldKind::choice,
                     .unset = tr("default"),
                     .choices = std::move(choices)},
                    [](auto& placement) -> auto& { return placement.stack; });
    }

    FormField share() {
        return bind(m_selected,
                    {.key = "share",
                     .label = tr("Share"),
                     .help = tr("Of the workload's arrivals, when several placements take them."),
                     .kind = FieldKind::number,
                     .unit = Unit::fraction,
                     .low = 0,
                     .high = 1},
                    [](auto& placement) -> auto& { return placement.share; });
    }

    void addStage(FormSection& own) {
        std::vector<Choice> choices;
        if (!m_workload)
            return;
        if (const auto* pipeline = std::get_if<Pipeline>(&m_workload->spec)) {
            for (const Pipeline::Stage& stage : pipeline->stages)
                choices.push_back({stage.id, QString::fromStdString(stage.name.empty() ? stage.id : stage.name), {}});
            own.fields.push_back(bindWith(
                m_selected, {.key = "stage", .label = tr("Stage"), .kind = FieldKind::choice, .choices = std::move(choices)},
                [](const Placement& placement) -> FieldValue { return placement.stage; },
                [](Placement& placement, const FieldValue& value) { binding::write(placement.stage, value); }));
        } else if (std::holds_alternative<LlmServing>(m_workload->spec)) {
            own.fields.push_back(bindWith(
                m_selected,
                {.key = "stage",
                 .label = tr("Phase"),
                 .kind = FieldKind::choice,
                 .unset = tr("prefill and decode"),
                 .choices = {{"prefill", tr("prefill"), {}}, {"decode", tr("decode"), {}}}},
                [](const Placement& placement) { return placement.stage.empty() ? FieldValue() : FieldValue(placement.stage); },
                [](Placement& placement, const FieldValue& value) { binding::write(placement.stage, value); }));
        }
    }

    void addTraining(FormSection& own) {
        own.fields.push_back(size("tensor", tr("Tensor parallel"), tr("GPUs that share every matrix."), &Parallelism::tensor));
        own.fields.push_back(
            size("pipeline", tr("Pipeline parallel"), tr("Groups of layers one after the other."), &Parallelism::pipeline));
        own.fields.push_back(
            size("data", tr("Data parallel"), tr("Copies of the model with their own data."), &Parallelism::data));
        own.fields.push_back(size("context", tr("Context parallel"), tr("GPUs that share a sequence."), &Parallelism::context));
        own.fields.push_back(size("expert", tr("Expert parallel"), tr("GPUs that share the experts."), &Parallelism::expert));
        own.fields.push_back(precision());
        own.fields.push_back(bind(m_selected,
                                  {.key = "recompute",
                                   .label = tr("Recompute"),
                                   .help = tr("Activations computed again in the backward pass instead of kept."),
                                   .kind = FieldKind::choice,
                                   .choices = recomputeChoices()},
                                  [](auto& placement) -> auto& { return placement.recompute; }));
        own.fields.push_back(count("microBatch", tr("Micro batch"), tr("Sequences that go through the pipeline together."),
                                   &Placement::microBatch, plan() ? plan()->microBatch : 0));
        own.fields.push_back(count("interleave", tr("Interleave"), tr("Virtual pipeline chunks per GPU."), &Placement::interleave,
                                   plan() ? plan()->interleave : 0));
        own.fields.push_back(zero());
        own.fields.push_back(bind(
            m_selected,
            {.key = "offload", .label = tr("Offload"), .help = tr("Optimizer state in host memory."), .kind = FieldKind::flag},
            [](auto& placement) -> auto& { return placement.offload; }));
        own.fields.push_back(bind(m_selected,
                                  {.key = "inNetworkReduction",
                                   .label = tr("Sums in the switches"),
                                   .help = tr("Collectives may use NVLS and SHARP where the drawn switches can."),
                                   .kind = FieldKind::flag},
                                  [](auto& placement) -> auto& { return placement.inNetworkReduction; }));
        own.fields.push_back(stack());
    }

    void addServing(FormSection& own) {
        own.fields.push_back(
            size("tensor", tr("Tensor parallel"), tr("GPUs that share every matrix of one replica."), &Parallelism::tensor));
        own.fields.push_back(
            size("pipeline", tr("Pipeline parallel"), tr("Groups of layers one after the other."), &Parallelism::pipeline));
        own.fields.push_back(size("expert", tr("Expert parallel"), tr("GPUs that share the experts."), &Parallelism::expert));
        own.fields.push_back(count("replicas", tr("Replicas"), tr("Copies of the model that take requests."),
                                   &Placement::replicas, plan() ? plan()->replicas : 0));
        own.fields.push_back(precision());
        own.fields.push_back(share());
        own.fields.push_back(stack());
    }

    void addOther(FormSection& own) {
        own.fields.push_back(share());
        if (m_workload &&
            (std::holds_alternative<BatchInference>(m_workload->spec) || std::holds_alternative<Hpc>(m_workload->spec)))
            own.fields.push_back(precision());
        if (m_workload && std::holds_alternative<BatchInference>(m_workload->spec))
            own.fields.push_back(count("replicas", tr("Replicas"), tr("Copies of the model that take requests."),
                                       &Placement::replicas, plan() ? plan()->replicas : 0));
    }

    /// Work that arrives over the day can have its machines follow it.
    void addScaling(FormSection& own) {
        if (!m_workload || std::holds_alternative<LlmTraining>(m_workload->spec) || std::holds_alternative<Hpc>(m_workload->spec)
            || std::holds_alternative<BatchJob>(m_workload->spec))
            return;
        std::vector<Choice> choices;
        for (const Scaling way : {Scaling::whileUsed, Scaling::fixed, Scaling::autoscaled, Scaling::toZero})
            choices.push_back(choiceOf(way, scalingName(way)));
        own.fields.push_back(bind(m_selected,
                                  {.key = "scaling",
                                   .label = tr("Machines run"),
                                   .help = tr("How many of them over the day; what is paid for and what draws power follows."),
                                   .kind = FieldKind::choice,
                                   .choices = std::move(choices)},
                                  [](auto& placement) -> auto& { return placement.scaling; }));
        if (m_placement.scaling != Scaling::autoscaled && m_placement.scaling != Scaling::toZero)
            return;
        own.fields.push_back(bind(m_selected,
                                  {.key = "startup",
                                   .label = tr("Start-up"),
                                   .help = tr("From asking for a machine to its first answer: boot, image, weights."),
                                   .kind = FieldKind::number,
                                   .unit = Unit::seconds,
                                   .low = 0,
                                   .high = 1e6},
                                  [](auto& placement) -> auto& { return placement.startup; }));
    }

    std::vector<Choice> recomputeChoices() const {
        std::vector<Choice> choices;
        for (const Recompute way : {Recompute::automatic, Recompute::none, Recompute::selective, Recompute::full})
            choices.push_back(choiceOf(way,
                                       way == Recompute::automatic && plan()
                                           ? tr("%1 (auto)").arg(recomputeName(plan()->recompute))
                                           : recomputeName(way)));
        return choices;
    }

    FormField zero() {
        std::vector<Choice> choices;
        for (int stage = 0; stage <= 3; ++stage)
            choices.push_back({std::to_string(stage), stage == 0 ? tr("off") : tr("stage %1").arg(stage), {}});
        return bindWith(
            m_selected,
            {.key = "zero",
             .label = tr("ZeRO"),
             .help = tr("What data parallel GPUs share: optimizer (1), gradients (2), weights (3)."),
             .kind = FieldKind::choice,
             .unset = plan() ? tr("stage %1 (auto)").arg(plan()->zeroStage) : tr("auto"),
             .choices = std::move(choices)},
            [](const Placement& placement) {
                return placement.zeroStage < 0 ? FieldValue() : FieldValue(std::to_string(placement.zeroStage));
            },
            [](Placement& placement, const FieldValue& value) {
                const auto* text = std::get_if<std::string>(&value);
                placement.zeroStage = text ? std::stoi(*text) : -1;
            });
    }

    void addWorkloadFigure(FormSection& own, const std::string& key, const QString& label) {
        const Figure figure = figureOf(m_context.alternative.id, m_placement.workload, key);
        addFigure(own, key, label, figure.find(*m_context.estimate), figure.find);
    }

    void addResults(FormSection& own) {
        if (!m_estimate)
            return;
        if (m_estimate->memory) {
            const auto& memory = *m_estimate->memory;
            const double share = memory.used.value / memory.capacity.value;
            const QString fits = memory.fits ? tr("fits") : tr("does not fit");
            own.fields.push_back(meter(
                "memory", share, tr("Memory %1 of %2 · %3").arg(quantityText(memory.used), quantityText(memory.capacity), fits),
                !memory.fits));
            for (const NamedQuantity& part : memory.parts)
                addWorkloadFigure(own, part.name, QStringLiteral("  ") + quantityName(part.name));
        }
        addWorkloadFigure(own, "throughput", quantityName("throughput"));
        addWorkloadFigure(own, "mfu", quantityName("mfu"));
        for (const NamedQuantity& latency : m_estimate->latency)
            addWorkloadFigure(own, latency.name, quantityName(latency.name));
        for (const NamedQuantity& more : m_estimate->more)
            addWorkloadFigure(own, more.name, quantityName(more.name));
        if (plan() && !plan()->rejected.empty())
            own.fields.push_back(rejected());
    }

    /// What the search for a plan turned down, in the tool tip.
    FormField rejected() const {
        QStringList lines;
        for (const ChosenPlan::Rejected& other : plan()->rejected) {
            const Parallelism& p = other.parallelism;
            const Unit unit = other.code == "memory" ? Unit::bytes : Unit::seconds;
            QString plan = tr("TP %1 · PP %2 · DP %3").arg(p.tensor).arg(p.pipeline).arg(p.data);
            if (other.microBatch > 0)
                plan += QStringLiteral(" · ") +
                    tr("CP %1 · EP %2 · ZeRO %3 · micro-batch %4 · v %5 · %6")
                        .arg(p.context)
                        .arg(p.expert)
                        .arg(other.zeroStage)
                        .arg(other.microBatch)
                        .arg(other.interleave)
                        .arg(recomputeName(other.recompute));
            QString line = tr("%1: %2").arg(plan, rejectionName(other.code));
            if (other.code != "divisibility")
                line += QStringLiteral(" (%1)").arg(quantityText(other.figure, unit));
            lines += line;
            if (lines.size() == 15)
                break;
        }
        const auto turnedDown = std::max<std::int64_t>(plan()->tried - 1, static_cast<std::int64_t>(plan()->rejected.size()));
        QString words = tr("%1 plans").arg(turnedDown);
        if (plan()->tooLarge > 0)
            words += tr(", %1 of them too large").arg(plan()->tooLarge);
        FormField field = figure("rejected", tr("Turned down"), words, FigureTone::muted);
        field.spec.help = lines.join(u'\n');
        return field;
    }

    /// Which algorithm each collective takes; the others in the tool tip.
    void addCollectives() {
        if (!m_estimate || m_estimate->collectives.empty())
            return;
        FormSection& own = section(m_prefix + " collectives", tr("Collectives, alone"), false);
        int index = 0;
        for (const CollectiveUse& use : m_estimate->collectives) {
            FormField field = figure("collective " + std::to_string(index++), tr("%1: %2").arg(trafficName(use.purpose), algorithmName(use.operation)),
                                     tr("%1 · %2").arg(quantityText(use.seconds), algorithmName(use.algorithm)));
            QStringList lines{tr("%1 over %2 ranks, %3 a scale-up domain, up to the tier %4")
                                  .arg(quantityText(use.bytes, Unit::bytes))
                                  .arg(use.ranks)
                                  .arg(use.perDomain)
                                  .arg(tierName(use.tier))};
            for (const CollectiveUse::Candidate& way : use.candidates)
                lines += tr("%1: %2").arg(algorithmName(way.algorithm),
                                          *way.because != 0 ? algorithmName(way.because) : quantityText(way.seconds, Unit::seconds));
            field.spec.help = lines.join(u'\n');
            own.fields.push_back(std::move(field));
        }
    }

    bool hasPlan() const {
        return m_workload && plan() &&
            (std::holds_alternative<LlmTraining>(m_workload->spec) || std::holds_alternative<LlmServing>(m_workload->spec));
    }

    void addPlanActions(FormSection& own) {
        own.actions.push_back({m_prefix + " best", tr("Best plan"),
                               tr("Searches all plans anew and writes the sizes of the fastest one that fits into the fields above."),
                               [actions = &m_context.actions, id = m_placement.id] { actions->bestPlan(id); }});
        const bool shown = m_context.trials && m_context.trials->placement == m_placement.id;
        own.actions.push_back({m_prefix + " tensor", shown ? tr("Hide other sizes") : tr("What if TP 1, 2, 4, 8 …"),
                               tr("Estimates it again with other tensor parallel sizes, all else chosen anew."),
                               [actions = &m_context.actions, id = m_placement.id] { actions->tryTensor(id); }});
    }

    /// One row a size: what it gives, whether it fits; a click takes it.
    void addTrials(const std::vector<PlanTrial>& trials) {
        FormSection& own = section(m_prefix + " trials", tr("What if"));
        own.intro = trials.empty() ? tr("Nothing to choose here.") : tr("Estimated anew; a click takes a size.");
        const int now = m_placement.parallelism.tensor > 0 ? m_placement.parallelism.tensor : plan() ? plan()->parallelism.tensor : 0;
        const PlanTrial* best = nullptr;
        for (const PlanTrial& trial : trials)
            if (trial.estimate.feasible && (!best || rate(trial) > rate(*best)))
                best = &trial;
        for (const PlanTrial& trial : trials) {
            const WorkloadEstimate& result = trial.estimate;
            QStringList words;
            const Quantity* step = result.latencyNamed("step");
            if (step && result.feasible)
                words << quantityText(*step);
            else if (result.feasible)
                words << quantityText(result.capacity.value_or(result.throughput.value_or(Quantity())));
            if (result.memory)
                words << tr("%1 of %2").arg(quantityText(result.memory->used), quantityText(result.memory->capacity));
            words << (!result.memory                       ? tr("no such plan")
                          : !result.memory->fits           ? tr("does not fit")
                          : !result.feasible               ? tr("too slow")
                          : trial.tensor == now            ? tr("fits, as now")
                                                           : tr("fits"));
            FormField row = figure("tensor " + std::to_string(trial.tensor), tr("TP %1").arg(trial.tensor),
                                   words.join(QStringLiteral(" · ")),
                                   !result.feasible ? FigureTone::bad : &trial == best ? FigureTone::good : FigureTone::plain);
            if (result.plan && result.feasible)
                row.spec.help = planText(*result.plan);
            row.openHint = tr("Click to take this size.");
            row.open = [actions = &m_context.actions, refs = m_selected.refs, tensor = trial.tensor, name = m_name] {
                const auto change = [tensor](Element& element) {
                    element = withTensor(std::move(std::get<Placement>(element)), tensor);
                };
                if (const Expected<Edit> edit =
                        editElements(actions->document, refs, change, tr("Tensor parallel %1 of %2").arg(tensor).arg(name)))
                    actions->apply(*edit);
            };
            own.fields.push_back(std::move(row));
        }
    }

    static double rate(const PlanTrial& trial) {
        const std::optional<Quantity>& most = trial.estimate.capacity ? trial.estimate.capacity : trial.estimate.throughput;
        return most ? most->value : 0;
    }

    static QString planText(const ChosenPlan& chosen) {
        const Parallelism& p = chosen.parallelism;
        QString text = tr("PP %1 · DP %2").arg(std::max(p.pipeline, 1)).arg(std::max(p.data, 1));
        if (p.context > 1)
            text += tr(" · CP %1").arg(p.context);
        if (p.expert > 1)
            text += tr(" · EP %1").arg(p.expert);
        if (chosen.replicas > 1)
            return text + tr(" · %1 replicas").arg(chosen.replicas);
        return text + tr(" · micro batch %1 · ZeRO %2 · recompute %3").arg(chosen.microBatch).arg(chosen.zeroStage).arg(recomputeName(chosen.recompute));
    }

    void addActions(FormSection& own) {
        if (hasPlan())
            addPlanActions(own);
        own.actions.push_back({m_prefix + " open", tr("Edit workload"), tr("What it must do, and its targets."),
                               [actions = &m_context.actions, id = m_placement.workload] {
                                   actions->inspect({{ElementKind::workload, {}, id.value}});
                               }});
        own.actions.push_back({m_prefix + " stop",
                               tr("Stop running here"),
                               {},
                               [actions = &m_context.actions, which = m_selected.refs, name = m_name] {
                                   actions->apply(
                                       edits::remove(actions->document.project(), which, tr("Stop %1").arg(name).toStdString()));
                               }});
    }

    const Placement& m_placement;
    const Workload* m_workload;
    const WorkloadEstimate* m_estimate = nullptr;
    Selected<Placement> m_selected;
    QString m_name;
    std::string m_prefix;
};

} // namespace

void describePlacement(const InspectorContext& context, Form& form, const Placement& placement) {
    PlacementDescriber(context, form, placement).run();
}

} // namespace cw
