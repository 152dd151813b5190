// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/machine_power.h"

#include "estimators/facility/facility_constants.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace cw {

namespace {

/// Supplies of large GPU machines are certified Titanium, those of plain servers Platinum.
constexpr double titaniumFromWatts = 2000;

SupplyCurve suppliesOf(const Machine& machine, const Catalog& catalog) {
    const Server* server = machine.server;
    if (!server || server->psuCount < 1 || !(si(server->psuRating) > 0))
        return SupplyCurve(constantsOf(catalog, "power_model", "gpu_host")["supply_efficiency"]);
    const double rating = si(server->psuRating);
    return SupplyCurve(constantsOf(catalog, "psu_efficiency", rating >= titaniumFromWatts ? "titanium" : "platinum"),
                       rating * server->psuCount);
}

double positive(Watts watts) { return si(watts) > 0 ? si(watts) : 0; }
double unit(double share) { return std::clamp(share, 0.0, 1.0); }

/// "Granite Rapids-AP" gives "granite_rapids_ap".
std::string slug(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '_';
    return out;
}

} // namespace

double gpuPowerShare(const Constants& gpuPower, const DeviceLoad& load) {
    const double wanted = gpuPower["compute_weight"] * unit(load.compute) + gpuPower["memory_weight"] * unit(load.memory) +
        gpuPower["waiting_weight"] * unit(load.waiting);
    if (wanted <= 0)
        return 0;
    const double ceiling = gpuPower["ceiling"];
    return std::min(1.0, std::pow(std::pow(wanted, -4) + std::pow(ceiling, -4), -.25));
}

MachinePowerModel::MachinePowerModel(const Machine& machine, const Catalog& catalog)
    : m_machine(machine)
    , m_gpuConstants(&constantsOf(catalog, "power_model", "gpu"))
    , m_supplies(suppliesOf(machine, catalog)) {
    const Cpu* cpu = machine.cpu;
    const double sockets = machine.sockets;
    if (cpu) {
        m_cpuMax = sockets * positive(cpu->tdp);
        m_cpuIdle = std::min(m_cpuMax, cpu->idle ? sockets * si(*cpu->idle) : m_cpuMax * .2);
    }
    if (machine.kind == MachineKind::gpu) {
        prepareGpus(catalog);
        prepareGpuHost(catalog);
    } else if (machine.kind == MachineKind::cpu || machine.kind == MachineKind::storage) {
        prepareCpuServer(catalog);
    } else {
        m_known = false;
    }
}

void MachinePowerModel::prepareGpus(const Catalog& catalog) {
    const Gpu* gpu = m_machine.gpu;
    const double error = constantsOf(catalog, "power_model", "gpu_host")["rating_over_full"];
    if (gpu && gpu->tdp)
        m_gpuTdp = si(*gpu->tdp);
    else if (m_machine.server && m_machine.gpus > 0) // no data sheet value: what the machine's rating leaves for each
        m_gpuTdp = .7 * positive(m_machine.server->powerMax) / error / m_machine.gpus;
    m_known = m_gpuTdp > 0;
    m_gpuIdle = std::min(m_gpuTdp, gpu && gpu->idle ? si(*gpu->idle) : m_gpuTdp * (*m_gpuConstants)["idle_fraction"]);
    m_gpuCap = std::clamp(m_machine.gpuPowerCap.value_or(m_gpuTdp), m_gpuIdle, m_gpuTdp);
}

void MachinePowerModel::prepareGpuHost(const Catalog& catalog) {
    const Constants& host = constantsOf(catalog, "power_model", "gpu_host");
    const Server* server = m_machine.server;
    const bool bare = !server && !m_machine.cloud;
    const double liquid = server ? unit(server->liquidHeatFraction) : 0;
    m_boardDynamic = bare ? 0 : host["board_dynamic_fraction"];
    m_fans = bare ? 0 : host["fans_air_fraction"] * (1 - liquid) + host["fans_liquid_fraction"] * liquid;
    if (server && positive(server->powerIdle) > 0) {
        // What the measured or stated idle power leaves when the known parts are taken off.
        const double inside = m_supplies.inside(positive(server->powerIdle)) / (1 + m_fans);
        m_board = std::max(0.0, inside - m_machine.gpus * m_gpuIdle - m_cpuIdle);
    } else if (!bare) {
        const bool scaleUp = m_machine.gpu && m_machine.gpu->scaleUpBandwidth;
        m_board = host["host_w"] + (scaleUp ? m_machine.gpus * host["board_w_per_scale_up_gpu"] : 0);
    }
    const double capped = full().wall();
    const double rating = server ? positive(server->powerMax) : 0;
    if (rating > 0) {
        const double saved =
            m_supplies.wall(m_machine.gpus * (m_gpuTdp - m_gpuCap) * (1 + m_boardDynamic) * (1 + m_fans)) - m_supplies.wall(0);
        m_peak = std::max(rating - saved, std::min(rating, capped));
    } else {
        m_peak = bare ? capped : capped * host["rating_over_full"];
    }
}

void MachinePowerModel::prepareCpuServer(const Catalog& catalog) {
    const Constants& set = constantsOf(catalog, "power_model", "cpu_server");
    m_serverConstants = &set;
    const Server* server = m_machine.server;
    const Cpu* cpu = m_machine.cpu;
    double full = 0;
    if (cpu && cpu->serverFull2s)
        full = si(*cpu->serverFull2s) * m_machine.sockets / 2;
    else if (cpu)
        full = m_cpuMax * set.get("tdp_factor_" + slug(cpu->architecture), set["tdp_factor"]) +
            m_machine.sockets * set["w_per_chip"];
    if (server) {
        full = std::max(full, positive(server->powerTypical));
        if (positive(server->powerMax) > 0)
            full = full > 0 ? std::min(full, positive(server->powerMax)) : positive(server->powerMax) / 1.2;
    }
    m_serverFull = full;
    if (server && positive(server->powerIdle) > 0)
        m_serverIdle = positive(server->powerIdle);
    else if (cpu && cpu->serverIdle2s)
        m_serverIdle = si(*cpu->serverIdle2s) * m_machine.sockets / 2;
    else
        m_serverIdle = full * set["idle_fraction"];
    m_serverIdle = std::min(m_serverIdle, full);
    m_known = full > 0;
    m_peak = server && positive(server->powerMax) > 0 ? positive(server->powerMax) : full;
}

double MachinePowerModel::hostCpu(double utilisation) const { return m_cpuIdle + (m_cpuMax - m_cpuIdle) * unit(utilisation); }

MachinePower MachinePowerModel::gpuMachine(double gpuShare, double cpuUtilisation) const {
    MachinePower p;
    const double dynamic = m_machine.gpus * (m_gpuCap - m_gpuIdle) * gpuShare;
    p.gpu = m_machine.gpus * m_gpuIdle + dynamic;
    p.cpu = hostCpu(cpuUtilisation);
    p.other = m_board + m_boardDynamic * dynamic;
    p.fans = m_fans * (p.gpu + p.cpu + p.other);
    const double inside = p.wall();
    p.supply = m_supplies.wall(inside) - inside;
    return p;
}

MachinePower MachinePowerModel::cpuServer(double utilisation) const {
    const Constants& set = *m_serverConstants;
    const double wall = m_serverIdle + (m_serverFull - m_serverIdle) * std::pow(unit(utilisation), set["exponent"]);
    MachinePower p;
    p.supply = wall - m_supplies.inside(wall);
    const double chips = std::max(1.0, m_machine.sockets) / 2;
    const double fans = std::max(set["fan_floor_fraction"] * wall, set["fan_slope"] * wall - chips * set["fan_offset_w"]);
    p.fans = std::min(fans, .5 * (wall - p.supply));
    const double left = wall - p.supply - p.fans;
    p.cpu = std::min(hostCpu(utilisation), .9 * left);
    (m_machine.kind == MachineKind::storage ? p.storage : p.other) = left - p.cpu;
    return p;
}

MachinePower MachinePowerModel::at(const DeviceLoad& load) const {
    if (!m_known)
        return {};
    if (m_machine.kind == MachineKind::gpu)
        return gpuMachine(gpuPowerShare(*m_gpuConstants, load), load.cpu);
    return cpuServer(load.cpu);
}

MachinePower MachinePowerModel::full() const {
    if (!m_known)
        return {};
    return m_machine.kind == MachineKind::gpu ? gpuMachine(1, 1) : cpuServer(1);
}

} // namespace cw
