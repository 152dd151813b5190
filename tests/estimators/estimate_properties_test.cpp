// SPDX-License-Identifier: GPL-3.0-or-later
//
// What holds for every design, tried on random ones.
#include "estimators/estimate.h"
#include "model/edit/edit.h"
#include "tests/estimators/random_design.h"

#include <QTest>

using namespace cw;
using cw::test::randomDesign;

namespace {

constexpr std::uint32_t designs = 150;
constexpr double slack = 1e-9;

bool near(double a, double b, double relative = 1e-9) {
    return std::abs(a - b) <= relative * std::max({std::abs(a), std::abs(b), 1e-12});
}

AlternativeEstimate estimated(const Project& project, const Catalog& catalog = shippedCatalog()) {
    EstimateOptions options;
    options.curves = false;
    return estimate(project, project.alternatives[0], catalog, options);
}

/// What a person gets out of a workload: what it could do, or its rate. Nothing where that is not known.
double rate(const WorkloadEstimate& w) {
    const std::optional<Quantity>& q = w.capacity ? w.capacity : w.throughput;
    return q && q->known() ? q->value : 0;
}

Catalog withFasterLinks(double factor) {
    std::vector<Part> parts;
    for (const Catalog::Entry* entry : shippedCatalog().entries()) {
        const auto* medium = std::get_if<Medium>(&entry->part);
        if (!medium || medium->kind != "scale_out")
            continue;
        Medium faster = *medium;
        faster.rawBandwidth *= factor;
        faster.achievableBandwidth *= factor;
        parts.push_back(faster);
    }
    return shippedCatalog().with(parts, CatalogLayer::user);
}

Catalog withHalfPower() {
    std::vector<Part> parts;
    for (const Catalog::Entry* entry : shippedCatalog().entries()) {
        const auto* gpu = std::get_if<Gpu>(&entry->part);
        if (!gpu || !gpu->tdp)
            continue;
        Gpu thrifty = *gpu;
        thrifty.tdp = *gpu->tdp / 2.0;
        if (gpu->idle)
            thrifty.idle = *gpu->idle / 2.0;
        parts.push_back(thrifty);
    }
    return shippedCatalog().with(parts, CatalogLayer::user);
}

QByteArray where(std::uint32_t seed, const std::string& what) {
    return QByteArray::number(seed) + " " + QByteArray::fromStdString(what);
}

} // namespace

class EstimatePropertiesTest : public QObject {
    Q_OBJECT
private slots:
    void totalsAreSumsOfTheirParts();
    void fasterLinksSlowNothing();
    void halfPowerRaisesNoBill();
    void capRaisesNoBill();
    void stackEqualsItsMembers();
    void sameInputSameBytes();
    void fixesApply();
    void figuresAreOrdered();
};

void EstimatePropertiesTest::totalsAreSumsOfTheirParts() {
    for (std::uint32_t seed = 0; seed < designs; ++seed) {
        const AlternativeEstimate e = estimated(randomDesign(seed));
        double parts = 0, nodes = 0, lines = 0, year = 0, racks = 0;
        for (const NamedQuantity& q : e.power.byPart)
            parts += q.quantity.value;
        for (const NodePower& n : e.power.nodes)
            nodes += n.expected.value;
        for (const CostLine& l : e.cost.lines)
            lines += l.total.value;
        for (const NamedQuantity& q : e.cost.yearly)
            year += q.quantity.value;
        for (const RackEstimate& r : e.racks)
            racks += r.typical.value * static_cast<double>(r.count);
        QVERIFY2(near(parts, e.power.facility.value), where(seed, "power by part"));
        QVERIFY2(near(nodes, e.power.it.value), where(seed, "power by node"));
        QVERIFY2(near(lines, e.cost.capex.value), where(seed, "purchase"));
        QVERIFY2(near(year, e.cost.perHour.value * 8760), where(seed, "year"));
        QVERIFY2(racks >= e.power.it.value * (1 - slack), where(seed, "racks")); // drawn racks may have empty places
    }
}

void EstimatePropertiesTest::fasterLinksSlowNothing() {
    const Catalog faster = withFasterLinks(2);
    for (std::uint32_t seed = 0; seed < designs; ++seed) {
        const Project project = randomDesign(seed);
        const AlternativeEstimate before = estimated(project), after = estimated(project, faster);
        for (std::size_t i = 0; i < before.workloads.size(); ++i) {
            const WorkloadEstimate &a = before.workloads[i], &b = after.workloads[i];
            QVERIFY2(rate(b) >= rate(a) * (1 - slack), where(seed, a.name + " rate"));
            QVERIFY2(b.feasible >= a.feasible, where(seed, a.name + " feasible"));
            for (const NamedQuantity& latency : a.latency) {
                const Quantity* now = b.latencyNamed(latency.name);
                if (latency.quantity.known())
                    QVERIFY2(now && now->value <= latency.quantity.value * (1 + slack), where(seed, a.name + " " + latency.name));
            }
        }
        QVERIFY2(after.network.bisection.value >= before.network.bisection.value * (1 - slack), where(seed, "bisection"));
    }
}

void EstimatePropertiesTest::halfPowerRaisesNoBill() {
    const Catalog thrifty = withHalfPower();
    for (std::uint32_t seed = 0; seed < designs; ++seed) {
        Project project = randomDesign(seed);
        project.alternatives[0].nodes[0].gpuPowerCap.reset(); // a cap would hide what the GPU could draw
        const AlternativeEstimate before = estimated(project), after = estimated(project, thrifty);
        QVERIFY2(after.cost.perHour.value <= before.cost.perHour.value * (1 + slack), where(seed, "cost per hour"));
        QVERIFY2(after.power.energyPerYear.value <= before.power.energyPerYear.value * (1 + slack), where(seed, "energy"));
        QVERIFY2(after.carbon.operationPerYear.value <= before.carbon.operationPerYear.value * (1 + slack),
                 where(seed, "carbon"));
    }
}

void EstimatePropertiesTest::capRaisesNoBill() {
    for (std::uint32_t seed = 0; seed < designs; ++seed) {
        Project project = randomDesign(seed);
        Node& gpu = project.alternatives[0].nodes[0];
        gpu.gpuPowerCap.reset();
        const AlternativeEstimate before = estimated(project);
        const Server* server = shippedCatalog().find<Server>(gpu.part);
        gpu.gpuPowerCap = *shippedCatalog().find<Gpu>(server->gpu)->tdp / 2.0;
        const AlternativeEstimate after = estimated(project);
        QVERIFY2(after.cost.perHour.value <= before.cost.perHour.value * (1 + slack), where(seed, "cost per hour"));
        QVERIFY2(after.power.facilityPeak.value <= before.power.facilityPeak.value * (1 + slack), where(seed, "peak"));
        for (std::size_t i = 0; i < before.workloads.size(); ++i) // and a cap makes nothing faster
            QVERIFY2(rate(after.workloads[i]) <= rate(before.workloads[i]) * (1 + slack), where(seed, before.workloads[i].name));
    }
}

/// A stack taken apart into single machines draws, costs and breaks the same.
void EstimatePropertiesTest::stackEqualsItsMembers() {
    int compared = 0;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        Project project = randomDesign(seed);
        project.alternatives[0].racks.clear();
        const Expected<Edit> edit = edits::explode(project, project.alternatives[0].id, NodeId{"cpu"}, "explode");
        if (!edit)
            continue;
        Project single = project;
        QVERIFY2(apply(single, *edit).has_value(), where(seed, "explode"));
        // Without workloads: what a stack of one is used for need not be what each of many is used for.
        project.workloads.clear();
        project.alternatives[0].placements.clear();
        single.workloads.clear();
        single.alternatives[0].placements.clear();
        const AlternativeEstimate a = estimated(project), b = estimated(single);
        QVERIFY2(near(a.power.it.value, b.power.it.value), where(seed, "power"));
        QVERIFY2(near(a.power.facilityPeak.value, b.power.facilityPeak.value), where(seed, "peak"));
        QVERIFY2(near(a.cost.capex.value, b.cost.capex.value), where(seed, "purchase"));
        QVERIFY2(near(a.cost.perHour.value, b.cost.perHour.value), where(seed, "cost per hour"));
        QVERIFY2(near(a.reliability.mtbfHours.value, b.reliability.mtbfHours.value), where(seed, "failures"));
        QVERIFY2(a.network.cables == b.network.cables && a.network.switches == b.network.switches, where(seed, "cables"));
        std::int64_t racksA = 0, racksB = 0;
        for (const RackEstimate& r : a.racks)
            racksA += r.count;
        for (const RackEstimate& r : b.racks)
            racksB += r.count;
        QCOMPARE(racksA, racksB);
        ++compared;
    }
    QVERIFY(compared > 10);
}

void EstimatePropertiesTest::sameInputSameBytes() {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Project project = randomDesign(seed);
        const AlternativeEstimate a = estimated(project), b = estimated(project);
        QCOMPARE(a.derivation.size(), b.derivation.size());
        for (std::size_t t = 0; t < a.derivation.size(); ++t) {
            const double x = a.derivation.term(TermId(t)).value, y = b.derivation.term(TermId(t)).value;
            QVERIFY2(std::memcmp(&x, &y, sizeof x) == 0, where(seed, a.derivation.term(TermId(t)).name));
        }
    }
}

/// Every offered change is an edit that applies and can be taken back.
void EstimatePropertiesTest::fixesApply() {
    int fixes = 0;
    for (std::uint32_t seed = 0; seed < designs; ++seed) {
        const Project project = randomDesign(seed);
        for (const Finding& finding : estimated(project).findings) {
            QVERIFY2(!finding.code.empty() && finding.weight >= 0 && finding.weight <= 1, where(seed, finding.code));
            if (!finding.fix)
                continue;
            ++fixes;
            QVERIFY2(!finding.fix->empty() && !finding.fixCode.empty() && !finding.fix->name.empty(), where(seed, finding.code));
            Project changed = project;
            const Expected<Edit> done = applied(changed, *finding.fix);
            QVERIFY2(done.has_value(), where(seed, finding.code));
            QVERIFY2(!(changed == project), where(seed, finding.code));
            QVERIFY2(apply(changed, inverse(*done)).has_value() && changed == project, where(seed, finding.code));
        }
    }
    QVERIFY(fixes > 50);
}

void EstimatePropertiesTest::figuresAreOrdered() {
    for (std::uint32_t seed = 0; seed < designs; ++seed) {
        const AlternativeEstimate e = estimated(randomDesign(seed));
        for (std::size_t t = 0; t < e.derivation.size(); ++t) {
            const Term& term = e.derivation.term(TermId(t));
            if (term.value != term.value)
                continue;
            QVERIFY2(term.low <= term.value && term.value <= term.high, where(seed, term.name));
        }
        for (std::size_t i = 1; i < e.findings.size(); ++i)
            QVERIFY2(e.findings[i - 1].severity <= e.findings[i].severity, where(seed, e.findings[i].code));
    }
}

QTEST_GUILESS_MAIN(EstimatePropertiesTest)
#include "estimate_properties_test.moc"
