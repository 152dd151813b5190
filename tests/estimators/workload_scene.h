// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Scene with workloads and placements, and one call that runs the estimator of a workload. Owned by the test.
#pragma once

#include "tests/estimators/design_builder.h"
#include "estimators/base/context.h"

#include <algorithm>

namespace cw::test {

class WorkloadScene : public Scene {
public:
    Workload& workload(const char* id, WorkloadSpec spec) {
        Workload workload;
        workload.id = WorkloadId(id);
        workload.name = id;
        workload.spec = std::move(spec);
        project().workloads.push_back(std::move(workload));
        return project().workloads.back();
    }
    Placement& place(const char* workload, std::initializer_list<const char*> nodes, const char* stage = "") {
        Placement placement;
        placement.id = PlacementId("place" + std::to_string(alternative().placements.size()));
        placement.workload = WorkloadId(workload);
        for (const char* node : nodes)
            placement.nodes.push_back(NodeId(node));
        placement.stage = stage;
        alternative().placements.push_back(std::move(placement));
        return alternative().placements.back();
    }
    template <class Spec> Spec& spec(const char* id) { return std::get<Spec>(find(id).spec); }
    Workload& find(const char* id) {
        return *std::find_if(project().workloads.begin(), project().workloads.end(), [&](const Workload& w) { return w.id.value == id; });
    }

    using Estimator = WorkloadResult (*)(EstimateContext&, const Workload&, std::span<const Placement* const>);
    /// Runs one estimator on the design as it is now. Results live until the next call.
    WorkloadResult run(Estimator estimator, const char* id, const EstimateOptions& options = {}, const Relief& relief = {}) {
        const Fabric& network = fabric();
        m_derivation = Derivation();
        EstimateContext context{design(), network, catalog(), options, relief, m_derivation};
        std::vector<const Placement*> placements;
        for (const Placement& placement : alternative().placements)
            if (placement.workload.value == id)
                placements.push_back(&placement);
        return estimator(context, find(id), placements);
    }
    const Derivation& derivation() const { return m_derivation; }

private:
    Derivation m_derivation;
};

inline double latency(const WorkloadResult& result, std::string_view name) {
    for (const NamedQuantity& q : result.estimate.latency)
        if (q.name == name)
            return q.quantity.value;
    return std::numeric_limits<double>::quiet_NaN();
}

inline double more(const WorkloadResult& result, std::string_view name) {
    for (const NamedQuantity& q : result.estimate.more)
        if (q.name == name)
            return q.quantity.value;
    return std::numeric_limits<double>::quiet_NaN();
}

inline const Finding* finding(const WorkloadResult& result, std::string_view code) {
    for (const Finding& f : result.findings)
        if (f.code == code)
            return &f;
    return nullptr;
}

inline double capacity(const WorkloadResult& result) { return result.estimate.capacity ? result.estimate.capacity->value : 0; }
inline double throughput(const WorkloadResult& result) { return result.estimate.throughput ? result.estimate.throughput->value : 0; }

} // namespace cw::test
