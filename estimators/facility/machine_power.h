// SPDX-License-Identifier: GPL-3.0-or-later
//
// Power of one machine by what it does: GPUs between idle and their cap, processors, board, fans, and the losses of the supplies around
// them. Built once per kind of machine and estimate; pure afterwards. Equations: docs/equations-facility.md, "Power".
#pragma once

#include "estimators/base/resolved.h"
#include "estimators/facility/supply_curve.h"

namespace cw {

/// Shares of time of one machine's devices, 0 to 1 (see Activity), and the utilisation of its host cores.
struct DeviceLoad {
    double compute = 0, memory = 0, waiting = 0, cpu = 0;
    bool operator==(const DeviceLoad&) const = default;
};

/// Where the power of one machine goes, W. The parts add up to what it draws at the wall.
struct MachinePower {
    double gpu = 0, cpu = 0, storage = 0, other = 0, fans = 0, supply = 0;
    double wall() const { return gpu + cpu + storage + other + fans + supply; }
};

/// How much of the way from idle to its cap a GPU goes: w_c compute + w_m memory + w_w waiting, bent smoothly into its ceiling
/// (fourth-power soft minimum), at most 1.
double gpuPowerShare(const Constants& gpuPower, const DeviceLoad& load);

class MachinePowerModel {
public:
    MachinePowerModel(const Machine& machine, const Catalog& catalog);

    MachinePower at(const DeviceLoad& load) const;
    /// Every device at its limit at the same moment.
    MachinePower full() const;
    /// What the machine may draw: its rating, less what a power cap keeps its GPUs from drawing.
    double peak() const { return m_peak; }
    bool known() const { return m_known; }

    double gpuIdle() const { return m_gpuIdle; }
    double gpuCap() const { return m_gpuCap; } ///< W per GPU: its TDP or the cap set below it

private:
    void prepareGpus(const Catalog& catalog);
    void prepareGpuHost(const Catalog& catalog);
    void prepareCpuServer(const Catalog& catalog);
    MachinePower gpuMachine(double gpuShare, double cpuUtilisation) const;
    MachinePower cpuServer(double utilisation) const;
    double hostCpu(double utilisation) const;

    Machine m_machine;
    const Constants* m_gpuConstants;
    SupplyCurve m_supplies;
    bool m_known = true;
    double m_gpuIdle = 0, m_gpuTdp = 0, m_gpuCap = 0;
    double m_cpuIdle = 0, m_cpuMax = 0; ///< all sockets
    double m_board = 0, m_boardDynamic = 0, m_fans = 0;
    double m_serverIdle = 0, m_serverFull = 0; ///< CPU servers, at the wall
    const Constants* m_serverConstants = nullptr;
    double m_peak = 0;
};

} // namespace cw
