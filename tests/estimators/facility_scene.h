// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small design with an estimate context over it, for tests of the facility models. Build the design first, then ask for the context.
#pragma once

#include "estimators/base/context.h"
#include "tests/estimators/design_builder.h"

#include <optional>

namespace cw::test {

class FacilityScene : public Scene {
public:
    /// The design as it is now; earlier contexts die.
    EstimateContext& context() {
        m_network.reset();
        m_resolved.emplace(resolve(project(), alternative(), m_catalog));
        m_network.emplace(*m_resolved);
        m_derivation = Derivation();
        m_context.emplace(EstimateContext{*m_resolved, *m_network, m_catalog, m_options, {}, m_derivation});
        return *m_context;
    }
    void setCatalog(Catalog catalog) { m_catalog = std::move(catalog); }

    void rack(const char* id, const char* part, std::int64_t count, std::vector<RackItem> items) {
        Rack rack;
        rack.id = RackId(id);
        rack.name = id;
        rack.part = PartId(part);
        rack.count = count;
        rack.items = std::move(items);
        alternative().racks.push_back(std::move(rack));
    }

private:
    Catalog m_catalog = shippedCatalog();
    EstimateOptions m_options;
    std::optional<ResolvedDesign> m_resolved;
    std::optional<Fabric> m_network;
    Derivation m_derivation;
    std::optional<EstimateContext> m_context;
};

inline const Quantity* named(const std::vector<NamedQuantity>& list, std::string_view name) {
    for (const NamedQuantity& q : list)
        if (q.name == name)
            return &q.quantity;
    return nullptr;
}

} // namespace cw::test
