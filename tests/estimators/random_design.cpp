// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/estimators/random_design.h"

#include <array>
#include <random>

namespace cw::test {

namespace {

class Generator {
public:
    explicit Generator(std::uint32_t seed)
        : m_random(seed) {}

    Project make() {
        m_project.meta.title = "random";
        m_project.alternatives.emplace_back();
        m_project.alternatives[0].id = AlternativeId{"a"};
        m_project.alternatives[0].name = "A";
        site();
        machines();
        racks();
        workloads();
        return std::move(m_project);
    }

private:
    int below(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    template <class T, std::size_t n> const T& pick(const std::array<T, n>& from) {
        return from[static_cast<std::size_t>(below(n))];
    }
    Alternative& design() { return m_project.alternatives[0]; }

    void node(const char* id, const char* part, std::int64_t count) {
        Node node;
        node.id = NodeId(id);
        node.name = id;
        node.part = PartId(part);
        node.count = count;
        design().nodes.push_back(std::move(node));
    }
    void link(const char* from, const char* to, const char* medium, Pattern pattern, int lanes) {
        Link link;
        link.id = LinkId(std::string(from) + "-" + to);
        link.from = NodeId(from);
        link.to = NodeId(to);
        link.medium = PartId(medium);
        link.pattern = pattern;
        link.lanes = lanes;
        design().links.push_back(std::move(link));
    }

    void site() {
        Site& site = m_project.site;
        site.utilisation = .2 + .1 * below(9);
        site.discountRate = .02 * below(6);
        site.horizonYears = 1 + below(6);
        if (chance(50))
            site.region = PartId(pick(std::array{"region_usa", "region_fra", "region_sgp"}));
        if (chance(60))
            site.cooling = PartId(pick(std::array{"cooling_air_contained", "cooling_rdhx_active", "cooling_dlc_hybrid"}));
        if (chance(30))
            site.spaceDollarsPerKwMonth = 150;
        if (chance(30))
            site.pue = 1.1 + .05 * below(8);
    }

    void machines() {
        m_gpus = std::int64_t(1) << below(6);
        node("gpu", pick(std::array{"dgx_h100", "dgx_h200", "dgx_a100_640", "smci_8125gs_mi300x", "dgx_b200"}), m_gpus);
        if (chance(25))
            design().nodes.back().gpuPowerCap = watts(300 + 50 * below(5));
        node("leaf", "qm9700", 1 + below(4));
        link("gpu", "leaf", "ib_ndr", Pattern::each, 1 + below(8));
        if (chance(60)) {
            node("spine", "qm9700", 1 + below(4));
            link("leaf", "spine", "ib_ndr", Pattern::mesh, 1 + below(4));
        }
        m_cpus = 1 + below(40);
        node("cpu", pick(std::array{"dell_r760_8480", "dell_r7625_9654", "dell_r7725_9965"}), m_cpus);
        node("tor", "sn4600", 1 + below(2));
        link("cpu", "tor", "eth_100g", Pattern::each, 1 + below(2));
        link("gpu", "tor", "eth_200g", Pattern::each, 1);
        design().procurement = pick(std::array{Procurement::buy, Procurement::buy, Procurement::onDemand, Procurement::reserved});
    }

    void racks() {
        if (!chance(50))
            return;
        Rack rack;
        rack.id = RackId{"rack"};
        rack.name = "rack";
        rack.part = PartId{"rack_48u"};
        const int perRack = 1 + below(4);
        rack.count = (m_gpus + perRack - 1) / perRack;
        rack.items = {{NodeId{"gpu"}, perRack, 0}};
        rack.pdu = PartId{"pdu_415_60_3"};
        rack.pduCount = 2 + 2 * below(2);
        design().racks.push_back(std::move(rack));
    }

    void add(const char* id, WorkloadSpec spec, const char* where) {
        Workload workload;
        workload.id = WorkloadId(id);
        workload.name = id;
        workload.spec = std::move(spec);
        if (chance(30))
            workload.load.duty = .1 * (1 + below(10));
        if (chance(20))
            for (int hour = 0; hour < 24; ++hour)
                workload.load.hourly.push_back(.2 + .8 * (hour > 7 && hour < 20));
        m_project.workloads.push_back(workload);
        Placement placement;
        placement.id = PlacementId(std::string("on-") + id);
        placement.workload = WorkloadId(id);
        placement.nodes = {NodeId(where)};
        design().placements.push_back(std::move(placement));
    }

    void workloads() {
        if (chance(60)) {
            LlmTraining training;
            training.model = PartId(pick(std::array{"llama3_8b", "llama2_7b", "bert_large"}));
            training.sequence = 512 << below(4);
            training.globalBatch = 64 << below(5);
            training.totalTokens = 1e11;
            add("train", training, "gpu");
        } else {
            LlmServing serving;
            serving.model = PartId(pick(std::array{"llama3_8b", "llama3_70b"}));
            serving.arrivalRate = .5 + below(20);
            serving.ttftP99 = seconds(2);
            add("chat", serving, "gpu");
        }
        switch (below(4)) {
        case 0: {
            Service service;
            service.cpuTime = milliseconds(1 + below(30));
            service.arrivalRate = 10 + below(2000);
            service.requestBytes = bytes(2e3);
            service.responseBytes = bytes(2e4);
            add("web", service, "cpu");
            break;
        }
        case 1: {
            Stream stream;
            stream.eventRate = 1e4 * (1 + below(20));
            stream.eventBytes = bytes(1000);
            stream.cpuPerEvent = microseconds(20);
            stream.retention = hours(24);
            add("stream", stream, "cpu");
            break;
        }
        case 2: {
            BatchJob job;
            job.cpuTime = hours(10 + below(1000));
            job.read = gigabytes(500);
            job.shuffled = gigabytes(200);
            job.written = gigabytes(100);
            job.tasks = 1000;
            job.serialShare = .01;
            job.jobsPerDay = 4;
            add("etl", job, "cpu");
            break;
        }
        default: {
            Hpc hpc;
            hpc.preset = Hpc::Preset::stencil;
            hpc.operationsPerStep = operations(1e15);
            hpc.memoryBytesPerStep = bytes(4e14);
            hpc.haloBytesPerStep = bytes(1e8);
            hpc.reductionsPerStep = 2;
            hpc.steps = 1000;
            add("stencil", hpc, "cpu");
        }
        }
    }

    std::mt19937 m_random;
    Project m_project;
    std::int64_t m_gpus = 1, m_cpus = 1;
};

} // namespace

Project randomDesign(std::uint32_t seed) { return Generator(seed).make(); }

} // namespace cw::test
