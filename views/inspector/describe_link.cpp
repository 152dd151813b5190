// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe.h"

#include "model/checks/checks.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

QString dimensionsText(const std::vector<int>& dimensions) {
    QStringList parts;
    for (const int size : dimensions)
        parts += QString::number(size);
    return parts.join(u'×');
}

/// "4x4x8" or "4×4×8"; what is not a number becomes 0, which the checks of the design report.
std::vector<int> dimensionsFrom(const QString& text) {
    std::vector<int> dimensions;
    for (const QString& part : QString(text).replace(u'×', u'x').split(u'x', Qt::SkipEmptyParts, Qt::CaseInsensitive))
        dimensions.push_back(part.trimmed().toInt());
    return dimensions;
}

class LinkDescriber : public Describer {
public:
    LinkDescriber(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection)
        : Describer(context, form)
        , m_links(selected(context.alternative.links, ElementKind::link, selection)) {}

    void run() {
        if (m_links.values.empty())
            return;
        m_form.title = m_links.what;
        addProperties();
        if (m_links.values.size() != 1)
            return;
        addLoad(m_links.values.front());
        addCables(m_links.values.front());
        describeFacts(m_context, m_form, m_links.values.front().medium);
    }

private:
    void addProperties() {
        auto& fields = section("link").fields;
        fields.push_back(bind(m_links, {.key = "name", .label = tr("Name"), .unset = tr("after its ends")},
                              [](auto& link) -> auto& { return link.name; }));
        if (m_links.values.size() == 1) {
            fields.push_back(bind(m_links,
                                  {.key = "from", .label = tr("From"), .kind = FieldKind::choice, .choices = nodeChoices()},
                                  [](auto& link) -> auto& { return link.from; }));
            fields.push_back(bind(m_links, {.key = "to", .label = tr("To"), .kind = FieldKind::choice, .choices = nodeChoices()},
                                  [](auto& link) -> auto& { return link.to; }));
        }
        fields.push_back(bind(m_links, {.key = "medium", .label = tr("Medium"), .kind = FieldKind::part, .partKinds = {"medium"}},
                              [](auto& link) -> auto& { return link.medium; }));
        addCabling(fields);
        addUse(fields);
    }

    void addCabling(std::vector<FormField>& fields) {
        std::vector<Choice> patterns;
        for (const Pattern pattern :
             {Pattern::each, Pattern::mesh, Pattern::rail, Pattern::pair, Pattern::ring, Pattern::torus, Pattern::plane})
            patterns.push_back(choiceOf(pattern, patternName(pattern), patternHelp(pattern)));
        fields.push_back(
            bind(m_links, {.key = "pattern", .label = tr("Pattern"), .kind = FieldKind::choice, .choices = std::move(patterns)},
                 [](auto& link) -> auto& { return link.pattern; }));
        fields.push_back(bind(
            m_links,
            {.key = "lanes",
             .label = tr("Lanes"),
             .help = tr("Cables per member (each), ports per member (rail, plane), else parallel cables per connected pair."),
             .kind = FieldKind::number,
             .unit = Unit::count,
             .low = 1,
             .high = maxLanes,
             .whole = true},
            [](auto& link) -> auto& { return link.lanes; }));
        const bool torus = std::all_of(m_links.values.begin(), m_links.values.end(),
                                       [](const Link& link) { return link.pattern == Pattern::torus; });
        if (torus)
            fields.push_back(bindWith(
                m_links,
                {.key = "dimensions",
                 .label = tr("Dimensions"),
                 .help = tr("Sizes whose product is the count of the stack, e.g. 4×4×8."),
                 .required = true},
                [](const Link& link) -> FieldValue { return dimensionsText(link.dimensions).toStdString(); },
                [](Link& link, const FieldValue& value) {
                    link.dimensions = dimensionsFrom(QString::fromStdString(std::get<std::string>(value)));
                }));
        fields.push_back(bind(m_links,
                              {.key = "length",
                               .label = tr("Length"),
                               .help = tr("Of one cable."),
                               .kind = FieldKind::number,
                               .unit = Unit::metres,
                               .low = 0.1,
                               .high = 2e7,
                               .unset = tr("from the racks")},
                              [](auto& link) -> auto& { return link.length; }));
    }

    void addUse(std::vector<FormField>& fields) {
        std::vector<Choice> purposes;
        for (const char* purpose : {"any", "compute", "storage", "management"})
            purposes.push_back({purpose, purposeName(purpose), {}});
        fields.push_back(bind(m_links,
                              {.key = "purpose",
                               .label = tr("Purpose"),
                               .help = tr("Which ports it takes and which traffic it carries."),
                               .kind = FieldKind::choice,
                               .choices = std::move(purposes)},
                              [](auto& link) -> auto& { return link.purpose; }));
        fields.push_back(bind(m_links,
                              {.key = "protocol",
                               .label = tr("Protocol"),
                               .help = tr("RDMA or TCP, tuned or plain."),
                               .kind = FieldKind::part,
                               .unset = tr("usual for the medium"),
                               .partKinds = {"protocol"}},
                              [](auto& link) -> auto& { return link.protocol; }));
    }

    const LinkLoad* loadOf(const LinkId& id) const {
        if (!m_context.estimate)
            return nullptr;
        for (const LinkLoad& load : m_context.estimate->links)
            if (load.link == id)
                return &load;
        return nullptr;
    }

    void addLoad(const Link& link) {
        const LinkLoad* load = loadOf(link.id);
        if (!load)
            return;
        FormSection& own = section("load", tr("Load"));
        const auto rate = [](double value) { return quantityText(value, Unit::bytesPerSecond); };
        own.fields.push_back(
            meter("utilisation", load->utilisation,
                  tr("%1 of %2 a direction").arg(quantityText(load->utilisation, Unit::fraction), rate(load->capacity))));
        addFigure(own, "busy", tr("Utilisation"), load->quantity,
                  [id = link.id](const AlternativeEstimate& estimate) -> std::optional<Quantity> {
                      for (const LinkLoad& candidate : estimate.links)
                          if (candidate.link == id)
                              return candidate.quantity;
                      return std::nullopt;
                  });
        own.fields.push_back(figure("forward", tr("→ %1").arg(endName(link.to)), rate(load->forward)));
        own.fields.push_back(figure("backward", tr("← %1").arg(endName(link.from)), rate(load->backward)));
        own.fields.push_back(figure("peak", tr("Busiest phase"), quantityText(load->peakUtilisation, Unit::fraction)));
        if (load->hashedHigh > load->utilisation * 1.01)
            own.fields.push_back(figure("hashed", tr("Fullest cable"),
                                        tr("%1 expected, hashed").arg(quantityText(load->hashedHigh, Unit::fraction))));
        addShares(*load);
    }

    /// One row a workload and phase: rate, share of the link, and what it takes of it while it flows.
    void addShares(const LinkLoad& load) {
        if (load.shares.empty() || !(load.capacity > 0))
            return;
        FormSection& own = section("traffic", tr("Traffic by workload and phase"));
        const auto rate = [](double value) { return quantityText(value, Unit::bytesPerSecond); };
        const auto part = [](double value) { return quantityText(value, Unit::fraction); };
        int index = 0;
        for (const LinkLoad::Share& share : load.shares) {
            const double most = std::max(share.forward, share.backward), active = std::max(share.active, 1e-9);
            const QString workload = elementName(m_context.project, {ElementKind::workload, {}, share.workload.value});
            QString words = tr("→ %1 · ← %2 · %3").arg(rate(share.forward), rate(share.backward), part(most / load.capacity));
            if (active < .99)
                words += QStringLiteral(" · ") + tr("%1 while it flows").arg(part(most / active / load.capacity));
            FormField field = figure("share " + std::to_string(index++), tr("%1: %2").arg(workload, trafficName(share.traffic)), words,
                                     share.granted < .9 ? FigureTone::bad : FigureTone::plain);
            field.spec.help = tr("Flows in %1 of the time.").arg(part(share.active));
            if (share.granted < 1)
                field.spec.help += u'\n' + tr("Gets %1 of the rate it would have alone: others share this link.").arg(part(share.granted));
            own.fields.push_back(std::move(field));
        }
    }

    QString endName(const NodeId& id) const { return elementName(m_context.project, ref(ElementKind::node, id.value)); }

    void addCables(const Link& link) {
        FormSection& own = section("cables", tr("Cables"));
        const CableCount cables = cableCount(m_context.alternative, link);
        own.fields.push_back(figure("total", tr("All"), quantityText(static_cast<double>(cables.total), Unit::count)));
        own.fields.push_back(figure("perFrom", tr("At %1").arg(endName(link.from)), tr("%1 a member").arg(cables.perFrom)));
        if (link.to != link.from)
            own.fields.push_back(figure("perTo", tr("At %1").arg(endName(link.to)), tr("%1 a member").arg(cables.perTo)));
    }

    Selected<Link> m_links;
};

} // namespace

void describeLinks(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection) {
    LinkDescriber(context, form, selection).run();
}

} // namespace cw
