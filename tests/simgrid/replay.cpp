// SPDX-License-Identifier: GPL-3.0-or-later
//
// Replays flows on a platform file with SimGrid and prints how long they take: simgrid_replay PLATFORM [--fair] < FLOWS
// FLOWS: one "SOURCE DESTINATION BYTES" a line; an empty line starts the next phase, when the flows before have ended. A fourth word,
// "background", makes a flow that nobody waits for: it stops with its phase.
// Prints "phase SECONDS" for each phase, in order, then "load LINK BYTES" for each link used.
// Fluid model without the peculiarities of TCP: CM02 with its factors at 1, no acknowledgements on the way back (cross-traffic), no window
// (TCP gamma), no weight for slow links. Flows still share by their round-trip times; --fair takes all latencies away, which leaves plain
// max-min sharing.
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

struct Flow {
    std::string from, to;
    std::uint64_t bytes;
    bool background = false;
};

std::vector<std::vector<Flow>> readPhases() {
    std::vector<std::vector<Flow>> phases(1);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        Flow flow;
        double bytes = 0;
        if (words >> flow.from >> flow.to >> bytes) {
            flow.bytes = static_cast<std::uint64_t>(bytes + .5);
            std::string kind;
            flow.background = words >> kind && kind == "background";
            phases.back().push_back(flow);
        } else if (!phases.back().empty()) {
            phases.emplace_back();
        }
    }
    return phases;
}

void replay(const std::vector<std::vector<Flow>>& phases, const s4u::Engine& engine) {
    std::map<std::string, double> loads;
    for (const std::vector<Flow>& phase : phases) {
        if (phase.empty())
            continue;
        const double begin = s4u::Engine::get_clock();
        std::vector<s4u::CommPtr> running, background;
        for (const Flow& flow : phase) {
            s4u::Host* from = engine.host_by_name(flow.from);
            s4u::Host* to = engine.host_by_name(flow.to);
            std::vector<s4u::Link*> links;
            double latency = 0;
            from->route_to(to, links, &latency);
            for (const s4u::Link* link : links)
                loads[link->get_name()] += static_cast<double>(flow.bytes);
            (flow.background ? background : running).push_back(s4u::Comm::sendto_async(from, to, flow.bytes));
        }
        s4u::Comm::wait_all(running);
        std::printf("phase %.9g\n", s4u::Engine::get_clock() - begin);
        for (const s4u::CommPtr& flow : background)
            flow->cancel();
    }
    for (const auto& [link, bytes] : loads)
        std::printf("load %s %.0f\n", link.c_str(), bytes);
}

} // namespace

int main(int argc, char** argv) {
    s4u::Engine engine(&argc, argv);
    if (argc < 2) {
        std::fputs("usage: simgrid_replay PLATFORM [--fair] < FLOWS\n", stderr);
        return 2;
    }
    for (const char* setting : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0", "network/weight-S:0",
                                "network/latency-factor:1", "network/bandwidth-factor:1"})
        s4u::Engine::set_config(setting);
    engine.load_platform(argv[1]);
    if (argc > 2 && std::string(argv[2]) == "--fair")
        for (s4u::Link* link : engine.get_all_links())
            link->set_latency(0.0);
    const std::vector<std::vector<Flow>> phases = readPhases();
    s4u::Actor::create("replay", engine.get_all_hosts().front(), [&] { replay(phases, engine); });
    engine.run();
    return 0;
}
