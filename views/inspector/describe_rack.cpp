// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe.h"

#include "views/text/names.h"
#include "views/text/quantity_text.h"

namespace cw {

namespace {

class RackDescriber : public Describer {
public:
    RackDescriber(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection)
        : Describer(context, form)
        , m_racks(selected(context.alternative.racks, ElementKind::rack, selection)) {}

    void run() {
        if (m_racks.values.empty())
            return;
        const Rack& first = m_racks.values.front();
        const bool one = m_racks.values.size() == 1;
        m_form.title = one ? QStringLiteral("%1 ×%2").arg(m_racks.what).arg(first.count) : m_racks.what;
        addProperties();
        if (!one)
            return;
        addEstimate(first);
        addItems(first);
        describeFacts(m_context, m_form, first.part);
    }

private:
    void addProperties() {
        auto& fields = section("rack").fields;
        fields.push_back(
            bind(m_racks, {.key = "name", .label = tr("Name"), .required = true}, [](auto& rack) -> auto& { return rack.name; }));
        fields.push_back(bind(m_racks, {.key = "part", .label = tr("Type"), .kind = FieldKind::part, .partKinds = {"rack"}},
                              [](auto& rack) -> auto& { return rack.part; }));
        fields.push_back(bind(m_racks,
                              {.key = "count",
                               .label = tr("Count"),
                               .help = tr("Identical racks."),
                               .kind = FieldKind::number,
                               .unit = Unit::count,
                               .low = 1,
                               .high = 1e6,
                               .whole = true},
                              [](auto& rack) -> auto& { return rack.count; }));
        fields.push_back(bind(
            m_racks,
            {.key = "frame", .label = tr("Frame"), .kind = FieldKind::choice, .unset = tr("none"), .choices = frameChoices()},
            [](auto& rack) -> auto& { return rack.frame; }));
        fields.push_back(bind(m_racks,
                              {.key = "cooling",
                               .label = tr("Cooling"),
                               .kind = FieldKind::part,
                               .unset = tr("as the site"),
                               .partKinds = {"cooling"}},
                              [](auto& rack) -> auto& { return rack.cooling; }));
        fields.push_back(bind(m_racks,
                              {.key = "limit",
                               .label = tr("Power limit"),
                               .help = tr("Of one rack."),
                               .kind = FieldKind::number,
                               .unit = Unit::watts,
                               .low = 100,
                               .high = 1e7,
                               .unset = tr("from cooling and feeds")},
                              [](auto& rack) -> auto& { return rack.powerLimit; }));
        fields.push_back(bind(
            m_racks, {.key = "pdu", .label = tr("PDU"), .kind = FieldKind::part, .unset = tr("none given"), .partKinds = {"pdu"}},
            [](auto& rack) -> auto& { return rack.pdu; }));
        fields.push_back(bind(m_racks,
                              {.key = "feeds",
                               .label = tr("Feeds"),
                               .help = tr("A and B: half of them (rounded up) must carry the rack."),
                               .kind = FieldKind::number,
                               .unit = Unit::count,
                               .low = 1,
                               .high = 64,
                               .whole = true},
                              [](auto& rack) -> auto& { return rack.pduCount; }));
    }

    static const RackEstimate* find(const AlternativeEstimate& estimate, const RackId& id) {
        for (const RackEstimate& rack : estimate.racks)
            if (rack.rack == id)
                return &rack;
        return nullptr;
    }

    void addRackFigure(FormSection& own, const char* key, const QString& label, const RackId& id,
                       Quantity RackEstimate::* member) {
        const RackEstimate* rack = find(*m_context.estimate, id);
        addFigure(own, key, label, rack->*member, [id, member](const AlternativeEstimate& estimate) -> std::optional<Quantity> {
            const RackEstimate* found = find(estimate, id);
            return found ? std::optional(found->*member) : std::nullopt;
        });
    }

    void addEstimate(const Rack& rack) {
        const RackEstimate* estimate = m_context.estimate ? find(*m_context.estimate, rack.id) : nullptr;
        if (!estimate)
            return;
        FormSection& own = section("heat", tr("Power and heat of one"));
        own.fields.push_back(meter("load", estimate->power.value / estimate->limit.value,
                                   tr("%1 of %2 · %3")
                                       .arg(quantityText(estimate->power), quantityText(estimate->limit),
                                            estimate->ok ? tr("fits") : tr("over its limit")),
                                   !estimate->ok));
        addRackFigure(own, "power", tr("At peak"), rack.id, &RackEstimate::power);
        addRackFigure(own, "typical", tr("Typical"), rack.id, &RackEstimate::typical);
        addRackFigure(own, "limit", tr("Limit"), rack.id, &RackEstimate::limit);
        addRackFigure(own, "airflow", tr("Airflow"), rack.id, &RackEstimate::airflow);
        addFigure(own, "coolant", tr("Coolant"), estimate->coolant,
                  [id = rack.id](const AlternativeEstimate& other) -> std::optional<Quantity> {
                      const RackEstimate* found = find(other, id);
                      return found ? found->coolant : std::nullopt;
                  });
        own.fields.push_back(figure("inlet", tr("Inlet"), quantityText(estimate->inletC, Unit::celsius)));
        addRackFigure(own, "outlet", tr("Outlet"), rack.id, &RackEstimate::outlet);
        own.fields.push_back(figure("units", tr("Space"), tr("%1 of %2 U").arg(estimate->unitsUsed).arg(estimate->units),
                                    estimate->unitsUsed > estimate->units ? FigureTone::bad : FigureTone::plain));
        addRackFigure(own, "weight", tr("Weight"), rack.id, &RackEstimate::weight);
    }

    /// A member of one item; an item that is gone meanwhile is left alone.
    template <class M> FormField itemField(FieldSpec spec, std::size_t index, M RackItem::* member) {
        return bindWith(
            m_racks, std::move(spec),
            [=](const Rack& rack) { return index < rack.items.size() ? binding::read(rack.items[index].*member) : FieldValue(); },
            [=](Rack& rack, const FieldValue& value) {
                if (index < rack.items.size())
                    binding::write(rack.items[index].*member, value);
            });
    }

    void addItems(const Rack& rack) {
        for (std::size_t i = 0; i < rack.items.size(); ++i) {
            const QString name = elementName(m_context.project, ref(ElementKind::node, rack.items[i].node.value));
            FormSection& own = section("item " + std::to_string(i), name);
            own.note = tr("%1 a rack").arg(rack.items[i].perRack);
            own.fields.push_back(
                itemField({.key = "node", .label = tr("Machines"), .kind = FieldKind::choice, .choices = nodeChoices()}, i,
                          &RackItem::node));
            own.fields.push_back(itemField({.key = "perRack",
                                            .label = tr("Per rack"),
                                            .kind = FieldKind::number,
                                            .unit = Unit::count,
                                            .low = 1,
                                            .high = 1000,
                                            .whole = true},
                                           i, &RackItem::perRack));
            own.fields.push_back(itemField({.key = "u",
                                            .label = tr("From U"),
                                            .help = tr("Bottom unit of the first."),
                                            .kind = FieldKind::number,
                                            .unit = Unit::count,
                                            .low = 1,
                                            .high = 100,
                                            .whole = true,
                                            .unset = tr("automatic"),
                                            .zeroIsUnset = true},
                                           i, &RackItem::u));
            own.actions.push_back(
                {"take " + std::to_string(i), tr("Take out"), {}, [actions = &m_context.actions, where = m_racks.refs, i, name] {
                     change(*actions, where, tr("Take %1 out").arg(name), [i](Rack& whole) {
                         if (i < whole.items.size())
                             whole.items.erase(whole.items.begin() + static_cast<std::ptrdiff_t>(i));
                     });
                 }});
        }
        addPutIn(rack);
    }

    void addPutIn(const Rack& rack) {
        FormSection& own = section("putIn", tr("Put in"), rack.items.empty());
        for (const Node& node : m_context.alternative.nodes) {
            const bool inside =
                std::any_of(rack.items.begin(), rack.items.end(), [&](const RackItem& item) { return item.node == node.id; });
            if (inside || m_context.catalog.find<CloudInstance>(node.part))
                continue;
            const QString name = elementName(m_context.project, ref(ElementKind::node, node.id.value));
            own.actions.push_back(
                {"put " + node.id.value, name, {}, [actions = &m_context.actions, where = m_racks.refs, id = node.id, name] {
                     change(*actions, where, tr("Put %1 in").arg(name), [id](Rack& whole) { whole.items.push_back({id, 1, 0}); });
                 }});
        }
        if (own.actions.empty())
            m_form.sections.pop_back();
    }

    static void change(const InspectorActions& actions, const std::vector<ElementRef>& racks, const QString& name,
                       const std::function<void(Rack&)>& how) {
        if (const Expected<Edit> edit =
                editElements(actions.document, racks, [&](Element& element) { how(std::get<Rack>(element)); }, name))
            actions.apply(*edit);
    }

    Selected<Rack> m_racks;
};

class FrameDescriber : public Describer {
public:
    FrameDescriber(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection)
        : Describer(context, form)
        , m_frames(selected(context.alternative.frames, ElementKind::frame, selection)) {}

    void run() {
        if (m_frames.values.empty())
            return;
        m_form.title = m_frames.what;
        auto& fields = section("frame").fields;
        fields.push_back(bind(m_frames, {.key = "name", .label = tr("Name"), .required = true},
                              [](auto& frame) -> auto& { return frame.name; }));
        std::vector<Choice> kinds;
        for (const FrameKind kind : {FrameKind::pod, FrameKind::room, FrameKind::zone, FrameKind::region, FrameKind::cloud})
            kinds.push_back(choiceOf(kind, frameKindName(kind)));
        fields.push_back(bind(m_frames,
                              {.key = "kind",
                               .label = tr("Kind"),
                               .help = tr("Sets latency and bandwidth of links that cross the border, unless given below."),
                               .kind = FieldKind::choice,
                               .choices = std::move(kinds)},
                              [](auto& frame) -> auto& { return frame.kind; }));
        fields.push_back(bind(m_frames,
                              {.key = "latency",
                               .label = tr("Latency"),
                               .help = tr("Added one way when a link crosses the border."),
                               .kind = FieldKind::number,
                               .unit = Unit::seconds,
                               .low = 0,
                               .high = 10,
                               .unset = tr("usual for the kind")},
                              [](auto& frame) -> auto& { return frame.latency; }));
        fields.push_back(bind(m_frames,
                              {.key = "bandwidth",
                               .label = tr("Bandwidth"),
                               .help = tr("Of all that crosses, each direction."),
                               .kind = FieldKind::number,
                               .unit = Unit::bytesPerSecond,
                               .low = 1,
                               .high = 1e18,
                               .unset = tr("as the links")},
                              [](auto& frame) -> auto& { return frame.bandwidth; }));
        fields.push_back(
            bind(m_frames,
                 {.key = "parent", .label = tr("Within"), .kind = FieldKind::choice, .unset = tr("none"), .choices = parents()},
                 [](auto& frame) -> auto& { return frame.parent; }));
        if (m_frames.values.size() == 1)
            addContents(m_frames.values.front());
    }

private:
    bool isSelf(const std::string& id) const {
        return std::any_of(m_frames.values.begin(), m_frames.values.end(),
                           [&](const Frame& frame) { return frame.id.value == id; });
    }

    std::vector<Choice> parents() const {
        std::vector<Choice> choices = frameChoices();
        std::erase_if(choices, [this](const Choice& choice) { return isSelf(choice.key); });
        return choices;
    }

    void addContents(const Frame& frame) {
        std::int64_t machines = 0;
        double watts = 0;
        for (const Node& node : m_context.alternative.nodes) {
            if (node.frame != frame.id)
                continue;
            machines += node.count;
            if (m_context.estimate)
                for (const NodePower& power : m_context.estimate->power.nodes)
                    watts += power.node == node.id ? power.expected.value : 0;
        }
        FormSection& own = section("inside", tr("Inside"));
        own.fields.push_back(figure("machines", tr("Machines"), quantityText(static_cast<double>(machines), Unit::count)));
        if (m_context.estimate && machines > 0)
            own.fields.push_back(figure("watts", tr("Expected power"), quantityText(watts, Unit::watts)));
    }

    Selected<Frame> m_frames;
};

} // namespace

void describeRacks(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection) {
    RackDescriber(context, form, selection).run();
}

void describeFrames(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection) {
    FrameDescriber(context, form, selection).run();
}

} // namespace cw
