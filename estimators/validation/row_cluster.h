// SPDX-License-Identifier: GPL-3.0-or-later
//
// The little cluster that a row of measurements describes: machines of its device with one NIC a device, rails, leaves and spines without
// oversubscription, out of catalog parts; what the catalog does not have (another NIC rate, another number of devices) is laid over it as
// a part of the project, as a user would. A value; the project of the row is complete and could be saved.
#pragma once

#include "estimators/estimate.h"
#include "estimators/validation/columns.h"
#include "model/catalog/catalog.h"
#include "model/design/project.h"

namespace cw {

struct RowCluster {
    Project project; ///< one alternative, stack "devices"
    Catalog catalog; ///< shipped with the row's own parts
    std::int64_t devices = 0;
    int perMachine = 0;
    double portRate = 0;    ///< bytes/s, one NIC
    int portsPerMachine = 0;
    std::string note;       ///< what the row left open and was chosen, "; " between

    Alternative& alternative() { return project.alternatives.front(); }
    void add(std::string_view remark);
};

struct ClusterWish {
    const Gpu* gpu = nullptr;
    std::int64_t devices = 1;
    int perMachine = 0;      ///< 0: 8, or the rack's scale-up domain
    double portRate = 0;     ///< bytes/s of one NIC; 0: the usual one of the device
    int portsPerMachine = 0; ///< 0: one a device
    bool ethernet = false;
    std::optional<double> powerCap; ///< W
};

/// What a row says of its machines and network; empty: no device that the catalog knows (the reason goes to `why`).
std::optional<ClusterWish> clusterWish(const Row& row, const Catalog& catalog, std::string& why);
RowCluster rowCluster(const ClusterWish& wish, const Catalog& catalog);

/// One workload alone on the machines of a row, without curves, gains and findings. Placements get its id, and where they name none, an id
/// and the stack "devices".
AlternativeEstimate estimateAlone(RowCluster& cluster, const Catalog& catalog, const std::string& name, WorkloadSpec spec, std::vector<Placement> placements);

/// Rate of the NICs that machines of a device usually have, bytes/s a device.
double usualPortRate(const Gpu& gpu);

} // namespace cw
