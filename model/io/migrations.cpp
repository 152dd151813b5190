// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/migrations.h"

#include "model/assert.h"
#include "model/io/project_file.h"

#include <nlohmann/json.hpp>
#include <array>

namespace cw::io {
namespace {

using nlohmann::json;

void rename(json& object, const char* from, const char* to) {
    if (!object.is_object() || !object.contains(from) || object.contains(to))
        return;
    object[to] = std::move(object[from]);
    object.erase(from);
}

void renameKilowatts(json& object, const char* from, const char* to) {
    rename(object, from, to);
    if (object.is_object() && object.contains(to) && object[to].is_number())
        object[to] = object[to].get<double>() * 1000;
}

template <class Change> void each(json& object, const char* list, Change change) {
    if (!object.is_object() || !object.contains(list) || !object[list].is_array())
        return;
    for (json& element : object[list])
        change(element);
}

void from0to1(json& root) {
    rename(root, "designs", "alternatives");
    rename(root, "reference", "baseline");
    if (root.contains("site")) {
        renameKilowatts(root["site"], "rack_power_limit_kw", "rack_power_limit_w");
        renameKilowatts(root["site"], "facility_power_limit_kw", "facility_power_limit_w");
    }
    each(root, "workloads", [](json& workload) {
        if (workload.is_object() && workload.contains("targets"))
            renameKilowatts(workload["targets"], "facility_power_kw", "facility_power_w");
    });
    each(root, "alternatives", [](json& alternative) {
        each(alternative, "nodes", [](json& node) { renameKilowatts(node, "gpu_power_cap_kw", "gpu_power_cap_w"); });
        each(alternative, "racks", [](json& rack) { renameKilowatts(rack, "power_limit_kw", "power_limit_w"); });
        each(alternative, "links", [](json& link) {
            rename(link, "cables", "lanes");
            if (link.is_object() && link.contains("pattern") && link["pattern"] == "all")
                link["pattern"] = "mesh";
        });
    });
}

constexpr std::array ledger = {
    SchemaVersion{0, "0.1 (before the first release)", "first form"},
    SchemaVersion{
        1, "1.0",
        "designs became alternatives and reference became baseline; power is in W instead of kW; cables of a link became "
        "lanes; the pattern all became mesh"},
};
static_assert(ledger.back().schema == currentSchema);

using Step = void (*)(json&);
/// steps[n] takes schema n to n + 1.
constexpr std::array<Step, currentSchema> steps = {from0to1};

} // namespace

std::span<const SchemaVersion> schemaLedger() { return ledger; }

void migrate(json& root, int from) {
    CW_ASSERT(from >= 0 && from <= currentSchema);
    if (!root.is_object())
        return;
    for (int at = from; at < currentSchema; ++at)
        steps[static_cast<std::size_t>(at)](root);
    root["schema"] = currentSchema;
}

} // namespace cw::io
