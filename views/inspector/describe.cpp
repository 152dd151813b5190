// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe.h"

#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <algorithm>

namespace cw {

FormSection& Describer::section(const std::string& key, const QString& title, bool open) {
    FormSection added;
    added.key = key;
    added.title = title;
    added.open = open;
    m_form.sections.push_back(std::move(added));
    return m_form.sections.back();
}

QString Describer::countOf(ElementKind kind, std::size_t count) {
    const auto number = static_cast<qulonglong>(count);
    switch (kind) {
    case ElementKind::node:
        return tr("%1 nodes").arg(number);
    case ElementKind::link:
        return tr("%1 links").arg(number);
    case ElementKind::rack:
        return tr("%1 racks").arg(number);
    case ElementKind::frame:
        return tr("%1 frames").arg(number);
    default:
        return tr("%1 elements").arg(number);
    }
}

FormField Describer::figure(const std::string& key, const QString& label, const QString& words, FigureTone tone) {
    FormField field;
    field.spec.key = key;
    field.spec.label = label;
    field.spec.kind = FieldKind::figure;
    field.words = words;
    field.tone = tone;
    return field;
}

void Describer::addFigure(FormSection& section, const std::string& key, const QString& label,
                          const std::optional<Quantity>& quantity,
                          std::function<std::optional<Quantity>(const AlternativeEstimate&)> find) const {
    if (!quantity)
        return;
    FormField field = figure(key, label, quantityText(*quantity));
    if (const QString range = rangeText(*quantity); !range.isEmpty())
        field.spec.help = tr("Range: %1").arg(range);
    if (quantity->term != noTerm)
        field.figure = Figure{m_context.alternative.id, label, std::move(find)};
    section.fields.push_back(std::move(field));
}

FormField Describer::meter(const std::string& key, double share, const QString& words, bool bad) {
    FormField field;
    field.spec.key = key;
    field.spec.kind = FieldKind::meter;
    field.share = share;
    field.words = words;
    field.tone = bad ? FigureTone::bad : FigureTone::plain;
    return field;
}

std::vector<Choice> Describer::frameChoices() const {
    std::vector<Choice> choices;
    for (const Frame& frame : m_context.alternative.frames)
        choices.push_back(
            {frame.id.value, elementName(m_context.project, ref(ElementKind::frame, frame.id.value)), frameKindName(frame.kind)});
    return choices;
}

std::vector<Choice> Describer::nodeChoices() const {
    std::vector<Choice> choices;
    for (const Node& node : m_context.alternative.nodes)
        choices.push_back({node.id.value, elementName(m_context.project, ref(ElementKind::node, node.id.value)), {}});
    return choices;
}

std::vector<Choice> Describer::precisionChoices() {
    std::vector<Choice> choices;
    for (const Precision precision :
         {Precision::fp64, Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16, Precision::fp8, Precision::int8,
          Precision::mxfp8, Precision::nvfp4, Precision::mxfp4, Precision::int4})
        choices.push_back(choiceOf(precision, precisionName(precision)));
    return choices;
}

std::vector<Choice> Describer::procurementChoices(bool inherit) {
    std::vector<Choice> choices;
    if (inherit)
        choices.push_back(choiceOf(Procurement::inherit, procurementName(Procurement::inherit)));
    for (const Procurement way : {Procurement::buy, Procurement::onDemand, Procurement::reserved, Procurement::spot})
        choices.push_back(choiceOf(way, procurementName(way)));
    return choices;
}

namespace {

std::vector<ElementRef> ofKind(const std::vector<ElementRef>& selection, ElementKind kind) {
    std::vector<ElementRef> result;
    std::copy_if(selection.begin(), selection.end(), std::back_inserter(result),
                 [kind](const ElementRef& ref) { return ref.kind == kind; });
    return result;
}

const Workload* selectedWorkload(const InspectorContext& context, const std::vector<ElementRef>& selection) {
    return selection.size() == 1 && selection.front().kind == ElementKind::workload
        ? context.project.findWorkload(WorkloadId(selection.front().id))
        : nullptr;
}

} // namespace

Form describe(const InspectorContext& context, const std::vector<ElementRef>& selection) {
    Form form;
    if (const Workload* workload = selectedWorkload(context, selection)) {
        describeWorkload(context, form, *workload);
        return form;
    }
    using Description = void (*)(const InspectorContext&, Form&, const std::vector<ElementRef>&);
    constexpr std::pair<ElementKind, Description> descriptions[] = {{ElementKind::node, describeNodes},
                                                                    {ElementKind::link, describeLinks},
                                                                    {ElementKind::rack, describeRacks},
                                                                    {ElementKind::frame, describeFrames}};
    QStringList titles;
    for (const auto& [kind, description] : descriptions) {
        const std::vector<ElementRef> selected = ofKind(selection, kind);
        if (selected.empty())
            continue;
        description(context, form, selected);
        if (!form.title.isEmpty())
            titles += form.title;
        form.title.clear();
    }
    if (form.sections.empty()) {
        describeProject(context, form);
        return form;
    }
    form.title = titles.join(QStringLiteral(", "));
    return form;
}

} // namespace cw
