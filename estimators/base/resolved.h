// SPDX-License-Identifier: GPL-3.0-or-later
//
// A design with its part ids looked up, once per estimate. Pointers live as long as the project and the catalog of the estimate.
// A cloud instance or a server with GPUs resolves to the same Machine, so that no estimator asks what it was bought as.
#pragma once

#include "model/catalog/catalog.h"
#include "model/design/project.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cw {

enum class MachineKind : std::uint8_t { gpu, cpu, switchBox, storage, other, unknown };

/// One machine of a stack (all members are alike).
struct Machine {
    const Node* node = nullptr;
    MachineKind kind = MachineKind::unknown;
    const PartInfo* part = nullptr;      ///< null: unknown part
    const Server* server = nullptr;
    const Switch* switchBox = nullptr;
    const CloudInstance* cloud = nullptr;
    const Gpu* gpu = nullptr;
    int gpus = 0;                        ///< per machine
    const Cpu* cpu = nullptr;
    double sockets = 0;                  ///< may be a fraction for cloud instances
    double cores = 0;                    ///< physical, per machine
    double ramBytes = 0;
    double memoryBandwidth = 0;          ///< host, bytes/s, per machine
    std::optional<double> gpuPowerCap;   ///< W per GPU, below its TDP
    std::int64_t count = 0;              ///< members, 0 to maxStackCount even if the file says nonsense
    int scaleUpDomain = 1;               ///< GPUs of one scale-up domain: of a machine (PCIe where there is no scale-up link), a bridged pair, or the rack system
};

struct ResolvedDesign {
    const Project* project = nullptr;
    const Alternative* alternative = nullptr;
    const Catalog* catalog = nullptr;
    std::vector<Machine> machines; ///< by node index
    std::unordered_map<std::string_view, std::uint32_t> byId; ///< node index by id; the first of equal ids

    int indexOf(const NodeId& id) const; ///< -1: no such node
    const Machine* machine(const NodeId& id) const;
};

ResolvedDesign resolve(const Project& project, const Alternative& alternative, const Catalog& catalog);

} // namespace cw
