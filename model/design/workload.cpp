// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/design/workload.h"

#include <array>

namespace cw {

std::string_view kindName(const WorkloadSpec& spec) {
    static constexpr std::array<std::string_view, std::variant_size_v<WorkloadSpec>> names = {
        "llm_training", "llm_serving", "batch_inference", "service", "stream", "batch_job", "hpc", "pipeline"};
    return names[spec.index()];
}

std::string_view name(Hpc::Preset preset) {
    static constexpr std::array<std::string_view, 4> names = {"custom", "hpl", "hpcg", "stencil"};
    return names[static_cast<std::size_t>(preset)];
}

std::string_view name(Routing routing) {
    static constexpr std::array<std::string_view, 4> names = {"random", "round_robin", "least_work", "power_of_two"};
    return names[static_cast<std::size_t>(routing)];
}

} // namespace cw
