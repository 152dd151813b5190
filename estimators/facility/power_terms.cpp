// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/power_terms.h"

#include "estimators/facility/cooling.h"
#include "estimators/facility/facility_constants.h"

#include <algorithm>
#include <unordered_map>

namespace cw {

PowerTerms::PowerTerms(EstimateContext& context, const Machine& machine, const MachinePowerModel& model)
    : m_context(context)
    , m_machine(machine)
    , m_model(model) {}

Quantity PowerTerms::rating() const {
    Derivation& d = m_context.derivation;
    const Server* server = m_machine.server;
    if (server && si(server->powerMax) > 0)
        return d.fact("rated power", *server, "power_max_w", si(server->powerMax), Unit::watts);
    return d.computed("rated power", "all devices at their limit, with a reserve", m_model.peak(), m_model.full().wall(),
                      m_model.peak(), Unit::watts, {});
}

Quantity PowerTerms::idle() const {
    Derivation& d = m_context.derivation;
    if (!m_model.known())
        return d.unknown("idle power", Unit::watts, "neither the machine nor its devices say what they draw");
    const Server* server = m_machine.server;
    const double watts = m_model.at({}).wall();
    if (server && si(server->powerIdle) > 0)
        return d.fact("idle power", *server, "power_idle_w", watts, watts * .85, watts * 1.15, Unit::watts);
    return d.computed("idle power", "board + idle devices, behind the supplies", watts, watts * .75, watts * 1.3, Unit::watts,
                      {});
}

Quantity PowerTerms::peak() const {
    Derivation& d = m_context.derivation;
    if (!m_model.known())
        return d.unknown("peak power", Unit::watts, "neither the machine nor its devices say what they draw");
    const double full = m_model.full().wall(), peak = m_model.peak();
    const Quantity rated = rating();
    if (m_machine.gpuPowerCap) {
        const Quantity cap = d.input("GPU power cap", m_model.gpuCap(), Unit::watts, "node");
        return d.computed("peak power", "rating − what the cap keeps the GPUs from drawing", peak, std::min(full, peak), peak,
                          Unit::watts, {rated, cap});
    }
    return d.computed("peak power", "rating; the low end has every device at its limit at once", peak, std::min(full, peak), peak,
                      Unit::watts, {rated});
}

Quantity PowerTerms::gpuPower(const DeviceLoad& busy) const {
    Derivation& d = m_context.derivation;
    const Constants& set = constantsOf(m_context.catalog, "power_model", "gpu");
    const double idle = m_model.gpuIdle(), cap = m_model.gpuCap();
    const Gpu* gpu = m_machine.gpu;
    const Quantity limit = m_machine.gpuPowerCap ? d.input("GPU power cap", cap, Unit::watts, "node")
        : gpu && gpu->tdp                        ? d.fact("GPU power limit", *gpu, "tdp_w", cap, Unit::watts)
                          : d.computed("GPU power limit", "from the machine's rating", cap, cap * .8, cap * 1.2, Unit::watts, {});
    const Quantity rest = gpu && gpu->idle
        ? d.fact("GPU idle power", *gpu, "idle_w", idle, Unit::watts)
        : d.computed("GPU idle power", "idle share of the limit", idle, idle * .7, idle * 1.6, Unit::watts,
                     {d.calibrated("idle share", set, "idle_fraction", Unit::fraction)});
    const auto time = [&](const char* name, double share) {
        return d.computed(name, "from the workloads that run here", share, share, share, Unit::fraction, {});
    };
    const double share = gpuPowerShare(set, busy);
    const Quantity activity =
        d.computed("GPU activity", "(v⁻⁴ + ceiling⁻⁴)^(−1/4), v = w_c · compute + w_m · memory + w_w · waiting", share, share,
                   share, Unit::fraction,
                   {time("compute-bound share of time", busy.compute), time("memory-bound share of time", busy.memory),
                    time("waiting share of time", busy.waiting), d.calibrated("w_c", set, "compute_weight", Unit::one),
                    d.calibrated("w_m", set, "memory_weight", Unit::one), d.calibrated("w_w", set, "waiting_weight", Unit::one),
                    d.calibrated("ceiling", set, "ceiling", Unit::one)},
                   "fitted on measured node power");
    return d.modelled("GPU power", "idle + (limit − idle) · activity", idle + (cap - idle) * share, set["error_fraction"],
                      Unit::watts, {rest, limit, activity});
}

Quantity PowerTerms::expected(const MachinePower& power, const DeviceLoad& busy, double share, const Quantity& idle) const {
    Derivation& d = m_context.derivation;
    if (!m_model.known() || share <= 0)
        return idle;
    const double wall = power.wall();
    const bool gpus = m_machine.kind == MachineKind::gpu;
    const Constants& set = constantsOf(m_context.catalog, "power_model", gpus ? "gpu" : "cpu_server");
    const double error = set["error_fraction"];
    // Never below idle, and not above what the machine may draw unless the sum of its parts already is.
    const double low = std::max(std::min(idle.low, wall), wall / (1 + error));
    const double high = std::max(wall, std::min(m_model.peak(), wall * (1 + error)));
    const Quantity shareOfTime = d.computed("share of the members' time in use", "from the workloads that run here", share, share,
                                            share, Unit::fraction, {});
    const Quantity fans =
        d.computed("fans", "share of the power behind the supplies", power.fans, power.fans, power.fans, Unit::watts, {});
    const Quantity supply = d.computed("supply losses", "efficiency curve of the supplies at their load", power.supply,
                                       power.supply, power.supply, Unit::watts, {}, "80 PLUS certification points");
    const Quantity board =
        d.computed("board, memory and network cards", "what the idle power leaves, and a share of the GPUs' dynamic power",
                   power.other + power.storage, power.other + power.storage, power.other + power.storage, Unit::watts, {});
    const Quantity cpu =
        d.computed("processors", "idle + (TDP − idle) · utilisation", power.cpu, power.cpu, power.cpu, Unit::watts, {});
    if (gpus)
        return d.computed("machine power",
                          "(GPUs · P_gpu + processors + board)(1 + fans) + supply losses, in use; idle in the rest", wall, low,
                          high, Unit::watts, {shareOfTime, gpuPower(busy), cpu, board, fans, supply, idle});
    const Quantity use = d.computed("utilisation of the cores", "from the workloads that run here", busy.cpu, busy.cpu, busy.cpu,
                                    Unit::fraction, {});
    return d.computed("machine power", "idle + (full − idle) · u^k", wall, low, high, Unit::watts,
                      {shareOfTime, use, idle, d.calibrated("k", set, "exponent", Unit::one), cpu, board, fans, supply},
                      "SPECpower_ssj2008");
}

SwitchPower switchPower(EstimateContext& context, const Machine& machine, double opticsWatts) {
    Derivation& d = context.derivation;
    const Constants& set = constantsOf(context.catalog, "power_model", "switch");
    const Switch& box = *machine.switchBox;
    double bytesPerSecond = 0;
    for (const PortGroup& group : box.ports)
        bytesPerSecond += group.count * si(group.speed);
    const double ruled = set["w_per_tbit_s"] * bytesPerSecond * 8 / 1e12;
    const double most = si(box.powerMax) > 0 ? si(box.powerMax) : 0;
    SwitchPower p;
    const double error = set["error_fraction"];
    if (si(box.powerTypical) > 0) {
        const double w = si(box.powerTypical);
        p.chassis =
            d.fact("switch power without modules", box, "power_typical_w", w, w / (1 + error), w * (1 + error), Unit::watts);
    } else {
        const double w = most > 0 ? most / set["max_over_typical"] : ruled;
        p.chassis = d.computed("switch power without modules", "W per Tb/s of its ports", w, w * .6, w * 1.7, Unit::watts,
                               {d.calibrated("W per Tb/s", set, "w_per_tbit_s", Unit::one)});
    }
    const Quantity optics = d.computed("modules in its ports", "cables · power per end", opticsWatts, opticsWatts * .8,
                                       opticsWatts * 1.2, Unit::watts, {});
    const Quantity inputs[] = {p.chassis, optics};
    p.expected = d.sum("switch power", inputs, Unit::watts);
    const double idle = set["idle_fraction"] * p.chassis.value;
    const Quantity atRest =
        d.computed("switch power without traffic", "idle share · power", idle, idle * .9, p.chassis.value, Unit::watts,
                   {p.chassis, d.calibrated("idle share", set, "idle_fraction", Unit::fraction)});
    const Quantity idleInputs[] = {atRest, optics};
    p.idle = d.sum("idle switch power", idleInputs, Unit::watts);
    const double peak = std::max(most, p.expected.value);
    p.peak = most > 0
        ? d.computed("peak switch power", "rating, or what its modules need if that is more", peak, p.expected.value, peak,
                     Unit::watts, {d.fact("rated power", box, "power_max_w", most, Unit::watts), p.expected})
        : d.computed("peak switch power", "typical with modules · max/typical", p.expected.value * set["max_over_typical"] / 1.4,
                     p.expected.value, p.expected.value * set["max_over_typical"], Unit::watts, {p.expected});
    return p;
}

Quantity sitePue(EstimateContext& context, std::span<const NodePower> nodes) {
    Derivation& d = context.derivation;
    const ResolvedDesign& design = context.design;
    if (const auto& given = design.project->site.pue)
        return d.input("PUE", *given, Unit::one, "site");
    std::unordered_map<std::string_view, const Cooling*> ofNode;
    for (const Rack& rack : design.alternative->racks) {
        if (const Cooling* own = rack.cooling ? context.catalog.find<Cooling>(rack.cooling) : nullptr) {
            for (const RackItem& item : rack.items)
                ofNode.try_emplace(item.node.value, own);
        }
    }
    double watts = 0, low = 0, high = 0;
    std::vector<Quantity> bands;
    std::vector<const Cooling*> seen;
    for (const NodePower& node : nodes) {
        const Machine* machine = design.machine(node.node);
        const auto found = ofNode.find(node.node.value);
        const Cooling* cooling =
            found != ofNode.end() ? found->second : coolingOf(design, nullptr, machine && needsLiquid(*machine));
        const double w = node.expected.known() ? node.expected.value : 0;
        if (!cooling || !(cooling->pueLow >= 1) || !(cooling->pueHigh >= cooling->pueLow))
            continue;
        watts += w;
        low += w * cooling->pueLow;
        high += w * cooling->pueHigh;
        if (std::find(seen.begin(), seen.end(), cooling) == seen.end()) {
            seen.push_back(cooling);
            bands.push_back(d.fact("PUE band of the cooling", *cooling, "pue_low", (cooling->pueLow + cooling->pueHigh) / 2,
                                   cooling->pueLow, cooling->pueHigh, Unit::one));
        }
    }
    if (watts <= 0)
        return d.calibrated("PUE", constantsOf(context.catalog, "cooling_design", "rack"), "pue", Unit::one);
    if (bands.size() == 1)
        return bands.front();
    return d.computed("PUE", "mean of the cooling's band, weighted with power", (low + high) / 2 / watts, low / watts,
                      high / watts, Unit::one, bands);
}

double distributionLoss(const EstimateContext& context) {
    const auto middle = [&](const char* subject) {
        return std::clamp(constantsOf(context.catalog, "ups_efficiency", subject)["efficiency_fraction"], .5, 1.0);
    };
    return 1 / (middle("double_conversion") * middle("distribution_loss")) - 1;
}

} // namespace cw
