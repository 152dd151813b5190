// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the estimators of services and serving write alike: findings with their elements, ranges, the way to a drawn front end, latency
// quantities. Belongs to the estimator that calls; nothing is kept.
#pragma once

#include "estimators/base/context.h"
#include "estimators/services/latency_model.h"
#include "model/edit/edit.h"
#include "model/units/unit.h"

#include <initializer_list>
#include <string>

namespace cw {

/// A result with the identity of its workload.
WorkloadResult resultFor(const Workload& workload);

ElementRef nodeRef(const EstimateContext& context, std::uint32_t node);
ElementRef placementRef(const EstimateContext& context, const Placement& placement);
ElementRef workloadRef(const Workload& workload);
const std::string& nodeName(const EstimateContext& context, std::uint32_t node);

using FindingArguments = std::initializer_list<std::pair<const std::string, std::string>>;
/// Null when findings are not wanted; else the finding, to offer a fix on.
Finding* addFinding(EstimateContext& context, WorkloadResult& result, Severity severity, const char* code, std::vector<ElementRef> elements,
                    double weight, FindingArguments arguments);

/// One-click changes of a placement or a workload; nothing when `finding` is null.
void offerPlacement(const EstimateContext& context, Finding* finding, const Placement& before, Placement after, const char* fixCode,
                    const char* name);
void offerWorkload(Finding* finding, const Workload& before, Workload after, const char* fixCode, const char* name);

/// The workload as the project holds it: what estimators get may carry the rate that pipelines route to it.
const Workload& drawnWorkload(const EstimateContext& context, const Workload& workload);

/// "Arrivals exceed what it can do": grows by the difference. Marks the estimate infeasible.
void addUnstable(EstimateContext& context, WorkloadResult& result, const Workload& workload, std::vector<ElementRef> elements,
                 double rate, double capacity, Unit unit);

/// value within a relative error e: [value/(1+e), value·(1+e)].
struct ErrorBand {
    double low, high;
};
ErrorBand errorBand(double value, double error);
/// Latency near saturation magnifies an error of capacity: d ln t / d ln w = U/(1-U).
double latencyError(double error, double utilisation);

/// Machine stacks that answer requests from outside: the load balancers drawn, and how the workers are reached from them.
struct FrontEnd {
    int node = -1;              ///< none drawn
    double roundTrip = 0;       ///< seconds
    double bandwidth = 0;       ///< bytes/s to the workers, one direction; 0: not limited by a drawn link
    bool drawn() const { return node >= 0; }
};
FrontEnd frontEnd(const EstimateContext& context, std::uint32_t worker);

/// Requests in and answers out between the front end and a stack, per second.
void addRequestTraffic(WorkloadResult& result, const Workload& workload, const FrontEnd& front, std::uint32_t worker, double bytesIn,
                       double bytesOut);

/// p50, p95 and p99 as latency quantities "p50"…, all with the given inputs. Unknown where the point is not stable.
void addPercentiles(EstimateContext& context, WorkloadEstimate& estimate, const LatencyPoint& point, double error,
                    std::initializer_list<Quantity> inputs, const char* equation, const char* source);

/// Resources, fullest first; names the fullest as the bottleneck when none is set.
void orderResources(WorkloadEstimate& estimate);

} // namespace cw
