// SPDX-License-Identifier: GPL-3.0-or-later
//
// Power figures with their derivations: of one machine, of one switch, and of the site around them. Part of estimatePower.
#pragma once

#include "estimators/base/context.h"
#include "estimators/facility/machine_power.h"

#include <span>

namespace cw {

/// Records the terms of one kind of machine.
class PowerTerms {
public:
    PowerTerms(EstimateContext& context, const Machine& machine, const MachinePowerModel& model);

    Quantity idle() const;
    Quantity peak() const;
    /// `power` as the model gives it for `busy` devices during `share` of the time, idle in the rest.
    Quantity expected(const MachinePower& power, const DeviceLoad& busy, double share, const Quantity& idle) const;

private:
    Quantity gpuPower(const DeviceLoad& busy) const;
    Quantity rating() const;

    EstimateContext& m_context;
    const Machine& m_machine;
    const MachinePowerModel& m_model;
};

/// One switch with the optical modules in its ports.
struct SwitchPower {
    Quantity chassis;              ///< without modules
    Quantity idle, expected, peak; ///< with them
};
SwitchPower switchPower(EstimateContext&, const Machine& machine, double opticsWatts);

/// The PUE entered for the site, else the cooling's band, weighted with the power of the machines that each way of cooling serves.
Quantity sitePue(EstimateContext&, std::span<const NodePower> nodes);
/// Losses of UPS and distribution over the IT power behind them.
double distributionLoss(const EstimateContext&);

} // namespace cw
