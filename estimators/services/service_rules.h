// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stated rules of services, streams and batch jobs where a design says nothing (drives of a machine, a producer's linger): read from the
// catalog entry "service_rules", with their ranges.
#pragma once

#include "estimators/base/context.h"

namespace cw {

class ServiceRules {
public:
    explicit ServiceRules(const Catalog& catalog)
        : m_set(catalog.constants("service_rules", "")) {}

    double get(const char* key, double otherwise) const { return m_set ? m_set->get(key, otherwise) : otherwise; }
    /// The rule as a term; `otherwise` without an entry.
    Quantity term(Derivation& derivation, const char* name, const char* key, double otherwise, Unit unit) const {
        return m_set && m_set->has(key) ? derivation.calibrated(name, *m_set, key, unit)
                                        : derivation.assumption(name, otherwise, otherwise, otherwise, unit, "default");
    }
    double errorOfLatency() const { return get("error_latency", .25); }
    double errorOfCapacity() const { return get("error_capacity", .15); }

private:
    const Constants* m_set;
};

/// Storage of one machine: the catalog's figures, else so many drives of the rule.
struct MachineStorage {
    double read = 0, write = 0, bytes = 0; ///< bytes/s, bytes
    bool assumed = false;
};

inline MachineStorage storageOf(const Machine& machine, const ServiceRules& rules, double relief) {
    MachineStorage storage;
    const double drives = rules.get("drives", 2);
    const Server* server = machine.server;
    storage.assumed = !server || !server->storageRead || !server->storageWrite || !server->storage;
    storage.read = relief * (server && server->storageRead ? si(*server->storageRead) : drives * rules.get("drive_read_bytes_s", 3e9));
    storage.write = relief * (server && server->storageWrite ? si(*server->storageWrite) : drives * rules.get("drive_write_bytes_s", 2e9));
    storage.bytes = server && server->storage ? si(*server->storage) : drives * rules.get("drive_bytes", 7.68e12);
    return storage;
}

} // namespace cw
