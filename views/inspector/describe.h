// SPDX-License-Identifier: GPL-3.0-or-later
//
// From project, selection and estimate to the Form the inspector shows: one description a kind of element, all in terms of field.h. Pure
// but for the closures in the form, which make edits when they are called. GUI thread.
#pragma once

#include "estimators/plan_trials.h"
#include "views/inspector/binding.h"

#include <QCoreApplication>

#include <memory>
#include <unordered_set>

namespace cw {

class Document;

/// What buttons of a form do. Owned by the panel, outlives every form: closures keep a pointer to it.
struct InspectorActions {
    const Document& document;
    std::function<void(const Edit&)> apply;                      ///< a refusal is told
    std::function<void(const Edit&)> preview;                    ///< shown until the next apply
    std::function<void(const std::vector<ElementRef>&)> inspect; ///< shows other elements in the inspector
    std::function<void(const std::vector<ElementRef>&)> reveal;  ///< selects and zooms to elements
    std::function<void()> addWorkload;                           ///< offers presets and adds the chosen workload
    std::function<void(const WorkloadId&)> presetWorkload;       ///< offers presets for the kind of this workload
    std::function<void(const PartId&)> editPart;                 ///< opens an own part, or a copy of a shipped one
    std::function<void(const PlacementId&)> bestPlan;            ///< writes the sizes of the fastest plan into a placement
    std::function<void(const PlacementId&)> tryTensor;           ///< shows what other tensor sizes would do, or hides it again
};

/// What other tensor sizes would do to a placement, while the user wants to see it.
struct ShownTrials {
    PlacementId placement;
    std::vector<PlanTrial> trials;
};

/// What descriptions read. The references live as long as the call, closures must not keep them.
struct InspectorContext {
    const InspectorActions& actions;
    const Project& project; ///< with its preview
    const Alternative& alternative;
    const Catalog& catalog;
    const AlternativeEstimate* estimate = nullptr; ///< null: none yet
    const ShownTrials* trials = nullptr;           ///< null: not asked for
};

Form describe(const InspectorContext& context, const std::vector<ElementRef>& selection);

/// Common ground of the descriptions below: they add sections to a form.
class Describer {
    Q_DECLARE_TR_FUNCTIONS(Inspector)
public:
    Describer(const InspectorContext& context, Form& form)
        : m_context(context)
        , m_form(form) {}

protected:
    ElementRef ref(ElementKind kind, const std::string& id) const { return {kind, m_context.alternative.id, id}; }
    /// Adds a section; the reference holds until the next one is added.
    FormSection& section(const std::string& key, const QString& title = {}, bool open = true);

    /// The selected elements of one list, as targets of fields.
    template <class T>
    Selected<T> selected(const std::vector<T>& list, ElementKind kind, const std::vector<ElementRef>& selection) const {
        std::unordered_set<std::string> wanted;
        for (const ElementRef& candidate : selection)
            if (candidate.kind == kind && (candidate.alternative.empty() || candidate.alternative == m_context.alternative.id))
                wanted.insert(candidate.id);
        Selected<T> result;
        result.document = &m_context.actions.document;
        for (const T& element : list) {
            if (!wanted.contains(element.id.value))
                continue;
            result.refs.push_back(
                {kind, kind == ElementKind::workload ? AlternativeId() : m_context.alternative.id, element.id.value});
            result.values.push_back(element);
        }
        if (result.refs.size() == 1)
            result.what = elementName(m_context.project, result.refs.front());
        else
            result.what = countOf(kind, result.refs.size());
        return result;
    }

    static QString countOf(ElementKind kind, std::size_t count); ///< "3 nodes"

    static FormField figure(const std::string& key, const QString& label, const QString& words,
                            FigureTone tone = FigureTone::plain);
    /// A quantity that opens its derivation; absent ones give no field.
    void addFigure(FormSection& section, const std::string& key, const QString& label, const std::optional<Quantity>& quantity,
                   std::function<std::optional<Quantity>(const AlternativeEstimate&)> find) const;
    static FormField meter(const std::string& key, double share, const QString& words, bool bad = false);

    std::vector<Choice> frameChoices() const;
    std::vector<Choice> nodeChoices() const;
    static std::vector<Choice> precisionChoices();
    static std::vector<Choice> procurementChoices(bool inherit);

    const InspectorContext& m_context;
    Form& m_form;
};

/// Facts of a part with their units and how far each can be trusted, and its sources.
void describeFacts(const InspectorContext& context, Form& form, const PartId& part);
void describeProject(const InspectorContext& context, Form& form);
void describeNodes(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection);
void describePlacement(const InspectorContext& context, Form& form, const Placement& placement);
void describeLinks(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection);
void describeRacks(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection);
void describeFrames(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection);
void describeWorkload(const InspectorContext& context, Form& form, const Workload& workload);

} // namespace cw
