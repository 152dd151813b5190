// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe.h"

#include "model/checks/checks.h"
#include "model/document/document.h"
#include "views/parts/part_summary.h"
#include "views/parts/set_part.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <algorithm>

namespace cw {

namespace {

class NodeDescriber : public Describer {
public:
    NodeDescriber(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection)
        : Describer(context, form)
        , m_nodes(selected(context.alternative.nodes, ElementKind::node, selection)) {}

    void run() {
        if (m_nodes.values.empty())
            return;
        const Node& first = m_nodes.values.front();
        const bool one = m_nodes.values.size() == 1;
        m_form.title = one ? QStringLiteral("%1 ×%2").arg(m_nodes.what).arg(first.count) : m_nodes.what;
        addProperties();
        addPlacements();
        if (one) {
            addPower(first);
            addPorts(first);
        }
        const bool alike =
            std::all_of(m_nodes.values.begin(), m_nodes.values.end(), [&](const Node& node) { return node.part == first.part; });
        if (alike)
            describeFacts(m_context, m_form, first.part);
    }

private:
    void addProperties() {
        FormSection& own = section("node");
        auto& fields = own.fields;
        fields.push_back(
            bind(m_nodes, {.key = "name", .label = tr("Name"), .required = true}, [](auto& node) -> auto& { return node.name; }));
        fields.push_back(bindWith(
            m_nodes,
            {.key = "part",
             .label = tr("Part"),
             .help = tr("What every member of the stack is. Click to change it to another."),
             .kind = FieldKind::part,
             .partKinds = {"server", "switch", "cloud_instance", "gpu", "cpu"}},
            [](const Node& node) { return binding::read(node.part); },
            [document = m_nodes.document, id = m_context.alternative.id, catalog = m_context.catalog](Node& node,
                                                                                                  const FieldValue& value) {
                PartId part;
                binding::write(part, value);
                if (const Alternative* alternative = document->project().findAlternative(id))
                    setPart(node, part, *alternative, catalog);
            }));
        fields.push_back(bind(m_nodes,
                              {.key = "count",
                               .label = tr("Count"),
                               .help = tr("Identical machines in this stack. Drag the label left or right."),
                               .kind = FieldKind::number,
                               .unit = Unit::count,
                               .low = 1,
                               .high = static_cast<double>(maxStackCount),
                               .whole = true},
                              [](auto& node) -> auto& { return node.count; }));
        fields.push_back(
            bind(m_nodes, {.key = "role", .label = tr("Role"), .help = tr("A word shown on the canvas, e.g. training or spine.")},
                 [](auto& node) -> auto& { return node.role; }));
        fields.push_back(bind(
            m_nodes,
            {.key = "frame", .label = tr("Frame"), .kind = FieldKind::choice, .unset = tr("none"), .choices = frameChoices()},
            [](auto& node) -> auto& { return node.frame; }));
        addMoney(fields);
        addPowerCap(fields);
        addRack(fields);
    }

    void addMoney(std::vector<FormField>& fields) {
        fields.push_back(bind(
            m_nodes, {.key = "procurement", .label = tr("Paid"), .kind = FieldKind::choice, .choices = procurementChoices(true)},
            [](auto& node) -> auto& { return node.procurement; }));
        fields.push_back(bind(m_nodes,
                              {.key = "priceBook",
                               .label = tr("Rent as"),
                               .help = tr("The cloud instance whose price counts when this is rented."),
                               .kind = FieldKind::part,
                               .unset = tr("nearest match"),
                               .partKinds = {"cloud_instance"}},
                              [](auto& node) -> auto& { return node.priceBook; }));
    }

    const Gpu* gpuOf(const Node& node) const {
        const Catalog& catalog = m_context.catalog;
        if (const auto* server = catalog.find<Server>(node.part))
            return catalog.find<Gpu>(server->gpu);
        if (const auto* cloud = catalog.find<CloudInstance>(node.part))
            return catalog.find<Gpu>(cloud->gpu);
        return catalog.find<Gpu>(node.part);
    }

    void addPowerCap(std::vector<FormField>& fields) {
        double tdp = 0;
        for (const Node& node : m_nodes.values) {
            const Gpu* gpu = gpuOf(node);
            if (!gpu)
                return;
            if (gpu->tdp)
                tdp = std::max(tdp, si(*gpu->tdp));
        }
        fields.push_back(bind(m_nodes,
                              {.key = "cap",
                               .label = tr("GPU power cap"),
                               .help = tr("Per GPU. A cap lowers the clock under load."),
                               .kind = FieldKind::number,
                               .unit = Unit::watts,
                               .low = 50,
                               .high = tdp > 50 ? tdp : 5000,
                               .unset = tdp > 0 ? tr("none (%1)").arg(quantityText(tdp, Unit::watts)) : tr("none")},
                              [](auto& node) -> auto& { return node.gpuPowerCap; }));
    }

    void addRack(std::vector<FormField>& fields) {
        if (m_nodes.values.size() != 1)
            return;
        for (const Rack& rack : m_context.alternative.racks)
            for (const RackItem& item : rack.items)
                if (item.node == m_nodes.values.front().id) {
                    const ElementRef where = ref(ElementKind::rack, rack.id.value);
                    FormField field = figure("rack " + rack.id.value, tr("Rack"),
                                             tr("%1 per %2").arg(item.perRack).arg(elementName(m_context.project, where)));
                    field.open = [actions = &m_context.actions, where] { actions->reveal({where}); };
                    fields.push_back(std::move(field));
                }
    }

    bool runsHere(const Placement& placement) const {
        return std::any_of(m_nodes.values.begin(), m_nodes.values.end(), [&](const Node& node) {
            return std::find(placement.nodes.begin(), placement.nodes.end(), node.id) != placement.nodes.end();
        });
    }

    void addPlacements() {
        const bool computes = std::any_of(m_nodes.values.begin(), m_nodes.values.end(),
                                          [this](const Node& node) { return !m_context.catalog.find<Switch>(node.part); });
        if (!computes)
            return;
        std::unordered_set<std::string> here;
        for (const Placement& placement : m_context.alternative.placements) {
            if (!runsHere(placement))
                continue;
            here.insert(placement.workload.value);
            describePlacement(m_context, m_form, placement);
        }
        addRunActions(here);
    }

    void addRunActions(const std::unordered_set<std::string>& here) {
        FormSection& run = section("run", here.empty() ? tr("Runs nothing yet") : tr("Run more here"), here.empty());
        for (const Workload& workload : m_context.project.workloads) {
            const bool pipeline = std::holds_alternative<Pipeline>(workload.spec);
            if (here.contains(workload.id.value) && !pipeline)
                continue;
            const QString name = elementName(m_context.project, {ElementKind::workload, {}, workload.id.value});
            run.actions.push_back({"run " + workload.id.value, tr("Run “%1”").arg(name),
                                   tr("Places this workload on the selected machines."),
                                   [actions = &m_context.actions, refs = m_nodes.refs, id = workload.id, name] {
                                       place(*actions, refs, id, name);
                                   }});
        }
        if (run.actions.empty() && here.empty())
            run.actions.push_back({"addWorkload", tr("Add a workload…"), {}, m_context.actions.addWorkload});
        if (run.actions.empty())
            m_form.sections.pop_back();
    }

    /// The first stage of a pipeline that nothing serves yet; empty for other kinds.
    static std::string freeStage(const Workload& workload, const Alternative& alternative) {
        const auto* pipeline = std::get_if<Pipeline>(&workload.spec);
        if (!pipeline)
            return {};
        for (const Pipeline::Stage& stage : pipeline->stages) {
            const bool served =
                std::any_of(alternative.placements.begin(), alternative.placements.end(), [&](const Placement& placement) {
                    return placement.workload == workload.id && placement.stage == stage.id;
                });
            if (!served)
                return stage.id;
        }
        return pipeline->stages.empty() ? std::string() : pipeline->stages.front().id;
    }

    static void place(const InspectorActions& actions, const std::vector<ElementRef>& refs, const WorkloadId& id,
                      const QString& name) {
        const Project& project = actions.document.project();
        const Workload* workload = project.findWorkload(id);
        const Alternative* alternative = refs.empty() ? nullptr : project.findAlternative(refs.front().alternative);
        if (!workload || !alternative)
            return;
        Placement placement;
        placement.id = PlacementId(freeId(project, alternative->id, "run-" + id.value));
        placement.workload = id;
        placement.stage = freeStage(*workload, *alternative);
        for (const ElementRef& node : refs)
            placement.nodes.push_back(NodeId(node.id));
        actions.apply(
            edits::insertPlacement(project, alternative->id, std::move(placement), tr("Run %1").arg(name).toStdString()));
    }

    void addPower(const Node& node) {
        if (!m_context.estimate)
            return;
        const auto find = [id = node.id](const AlternativeEstimate& estimate) -> const NodePower* {
            for (const NodePower& power : estimate.power.nodes)
                if (power.node == id)
                    return &power;
            return nullptr;
        };
        const NodePower* power = find(*m_context.estimate);
        if (!power)
            return;
        FormSection& own = section("power", tr("Power"));
        const auto each = [&](double watts) { return tr("%1 each").arg(quantityText(watts, Unit::watts)); };
        own.fields.push_back(figure("expectedEach", tr("Expected power"), each(power->perMemberExpected)));
        own.fields.push_back(figure("peakEach", tr("Max power"), each(power->perMemberPeak)));
        const auto add = [&](const char* key, const QString& label, Quantity NodePower::* member) {
            addFigure(own, key, label, power->*member,
                      [find, member](const AlternativeEstimate& estimate) -> std::optional<Quantity> {
                          const NodePower* found = find(estimate);
                          return found ? std::optional(found->*member) : std::nullopt;
                      });
        };
        add("expected", tr("All, expected"), &NodePower::expected);
        add("peak", tr("All, at peak"), &NodePower::peak);
        add("idle", tr("All, idle"), &NodePower::idle);
        own.fields.push_back(figure("busy", tr("Busy"), quantityText(power->busy, Unit::fraction)));
    }

    void addPorts(const Node& node) {
        const std::vector<PortUse> ports = portUse(m_context.alternative, node, m_context.catalog);
        if (ports.empty())
            return;
        FormSection& own = section("ports", tr("Ports of a member"));
        int index = 0;
        for (const PortUse& use : ports) {
            const QString label =
                QStringLiteral("%1 · %2").arg(linkSpeedText(si(use.group.speed)), purposeName(use.group.purpose));
            const QString words = tr("%1 of %2 taken").arg(use.used).arg(use.group.count);
            own.fields.push_back(figure("port " + std::to_string(index++), label, words,
                                        use.used > use.group.count ? FigureTone::bad : FigureTone::plain));
        }
    }

    Selected<Node> m_nodes;
};

} // namespace

void describeNodes(const InspectorContext& context, Form& form, const std::vector<ElementRef>& selection) {
    NodeDescriber(context, form, selection).run();
}

} // namespace cw
