// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/catalog.h"
#include "resources/embedded.h"

#include <QTest>

#include <cmath>

using namespace cw;

namespace {

const Catalog& shipped() { return shippedCatalog(); }

std::string_view idOf(const Catalog::Entry* entry) { return info(entry->part).id.value; }

Part userGpu(const char* id, double tdp) {
    const std::string json = R"({"id":")" + std::string(id) +
        R"(","name":"Mine","bf16_tflops":100,"memory_capacity_gb":48,)"
        R"("memory_bandwidth_gb_s":1000,"pcie_per_direction_gb_s":31.5,"tdp_w":)" +
        std::to_string(tdp) + R"(,"confidence":"read","estimated_fields":["tdp_w"]})";
    return parsePart("gpu", json, "test").value();
}

} // namespace

class CatalogTest : public QObject {
    Q_OBJECT

private slots:
    void shippedFilesHaveNoFault() {
        std::size_t parts = 0;
        for (const std::string_view path : resources::list("catalog")) {
            const CatalogFile file = parseCatalogFile(resources::file(path), path);
            QVERIFY2(file.errors.empty(), file.errors.empty() ? "" : file.errors.front().text().c_str());
            parts += file.parts.size();
        }
        QCOMPARE(shipped().entries().size(), parts);
    }

    void everyKindIsShipped() {
        std::set<std::size_t> kinds;
        std::size_t last = 0;
        for (const Catalog::Entry* entry : shipped().entries()) {
            QVERIFY(entry->part.index() >= last); // ordered by kind
            last = entry->part.index();
            kinds.insert(last);
            QVERIFY(entry->layer == CatalogLayer::shipped);
        }
        QCOMPARE(kinds.size(), std::variant_size_v<Part>);
    }

    // Each number once, from the unit of the file to SI.
    void unitsAreConverted() {
        const auto* gpu = shipped().find<Gpu>(PartId("h100_sxm"));
        QVERIFY(gpu);
        QCOMPARE(si(gpu->memory), 80e9);
        QCOMPARE(si(gpu->memoryBandwidth), 3.35e12);
        QCOMPARE(si(*gpu->scaleUpBandwidth), 450e9);          // 900 GB/s are both directions
        QCOMPARE(si(gpu->peak.at(Precision::fp64)), 66.9e12); // the matrix rate
        QCOMPARE(si(*gpu->tdp), 700.);

        const auto* gh200 = shipped().find<Gpu>(PartId("gh200"));
        QVERIFY(gh200);
        QCOMPARE(si(*gh200->hostLinkBandwidth), 450e9);

        const auto* server = shipped().find<Server>(PartId("dgx_h100"));
        QVERIFY(server);
        QCOMPARE(si(server->ram), 2048e9);
        QCOMPARE(server->ports.front().count, 8);
        QCOMPARE(si(server->ports.front().speed), 50e9); // 400 Gb/s
        QVERIFY(std::abs(si(*server->airflow) - 1105 * .00047194745) < 1e-6);

        const auto* device = shipped().find<Switch>(PartId("qm9700"));
        QVERIFY(device);
        QCOMPARE(si(*device->latency), 130e-9);
        QVERIFY(!shipped().find<Switch>(PartId("nvlink5_tray"))->latency);
        QVERIFY(std::isnan(si(shipped().find<Switch>(PartId("nvlink5_tray"))->weight))); // not known is not zero

        const auto* instance = shipped().find<CloudInstance>(PartId("aws_p4d_24xl_2026"));
        QVERIFY(instance);
        QCOMPARE(si(*instance->onDemand) * 3600, 21.957642);
        QCOMPARE(si(*instance->network), 50e9);
        QVERIFY(!instance->reserved3y);

        const auto* model = shipped().find<NeuralModel>(PartId("deepseek_v3"));
        QVERIFY(model);
        QVERIFY(model->mla);
        QCOMPARE(model->parametersTotal, 671e9);
        QCOMPARE(model->moeLayers, 58);
        QCOMPARE(si(*shipped().find<NeuralModel>(PartId("resnet50"))->operationsPerSample), 8.2e9);
        QCOMPARE(si(shipped().find<Pdu>(PartId("pdu_ap8868"))->usable), 9984.);
        QCOMPARE(si(*shipped().find<RackType>(PartId("rack_orv3_nvl72"))->power), 132e3);
    }

    void wrongTypeOfAnIdIsNull() {
        QVERIFY(!shipped().find<Cpu>(PartId("h100_sxm")));
        QVERIFY(!shipped().findPart(PartId("no such part")));
        QVERIFY(!shipped().findEntry(PartId()));
    }

    void peaksFallBackAsHardwareDoes_data() {
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<int>("precision");
        QTest::addColumn<double>("teraflops"); // 0: none
        const auto row = [](const char* gpu, Precision precision, double expected) {
            QTest::addRow("%s %s", gpu, std::string(name(precision)).c_str()) << QString(gpu) << int(precision) << expected;
        };
        row("h100_sxm", Precision::fp8, 1978.9);
        row("h100_sxm", Precision::mxfp8, 1978.9);
        row("h100_sxm", Precision::nvfp4, 989.4); // 4-bit weights, 16-bit arithmetic
        row("h100_sxm", Precision::int4, 989.4);
        row("a100_80gb_sxm", Precision::fp8, 312);
        row("a100_80gb_sxm", Precision::mxfp8, 312);
        row("v100_sxm2_32gb", Precision::bf16, 125);
        row("v100_sxm2_32gb", Precision::tf32, 15.7);
        row("v100_sxm2_32gb", Precision::int8, 125);
        row("b200_sxm", Precision::nvfp4, 9000);
        row("mi355x", Precision::mxfp4, 10066.3);
        row("mi355x", Precision::nvfp4, 2516.6); // it computes in mxfp4 only
        row("tpu_v5e", Precision::fp16, 197);
        row("tpu_v5e", Precision::fp64, 0);
        row("tpu_v5e", Precision::fp32, 0);
    }
    void peaksFallBackAsHardwareDoes() {
        QFETCH(QString, gpu);
        QFETCH(int, precision);
        QFETCH(double, teraflops);
        const auto* part = shipped().find<Gpu>(PartId(gpu.toStdString()));
        QVERIFY(part);
        const auto peak = part->peakFor(static_cast<Precision>(precision));
        QCOMPARE(peak.has_value(), teraflops > 0);
        if (peak)
            QCOMPARE(si(*peak), teraflops * 1e12);
    }

    void precisionNamesGoBothWays() {
        for (int i = 0; i <= static_cast<int>(Precision::int4); ++i) {
            const auto precision = static_cast<Precision>(i);
            QVERIFY(precisionFrom(name(precision)) == precision);
            QVERIFY(bytesPerValue(precision) > .5 && bytesPerValue(precision) <= 8);
        }
        QVERIFY(!precisionFrom("fp7"));
        QCOMPARE(bytesPerValue(Precision::bf16), 2.);
        QCOMPARE(bytesPerValue(Precision::nvfp4), .5625);
    }

    void provenanceOfFields() {
        const PartInfo& h100 = *shipped().find<Gpu>(PartId("v100_sxm2_32gb"));
        QVERIFY(h100.provenance("tdp_w") == Provenance::read);
        QVERIFY(h100.provenance("price_usd_low") == Provenance::estimated);
        const PartInfo& t4 = *shipped().find<Gpu>(PartId("t4"));
        QVERIFY(t4.provenance("idle_w") == Provenance::recalled);
        const PartInfo& glm = *shipped().find<NeuralModel>(PartId("glm_5"));
        QVERIFY(glm.provenance("layers_count") == Provenance::recalled); // the whole entry
        const PartInfo& ndr = *shipped().find<Medium>(PartId("ib_ndr"));
        QVERIFY(ndr.provenance("cables.price_usd_low") != Provenance::read);
        QVERIFY(ndr.provenance("raw_gb_s") == Provenance::read);
    }

    void constantsByKindAndSubject() {
        const Constants* optics = shipped().constants("failure_rate", "optics");
        QVERIFY(optics);
        QCOMPARE((*optics)["afr_fraction"], .01);
        QCOMPARE(optics->values.find("afr_fraction")->second.low.value(), .0044);
        QCOMPARE((*optics)["mtbf_hours"], 1.25e6); // the middle of its band
        QVERIFY(optics->has("afr_fraction") && !optics->has("nothing"));
        QCOMPARE(optics->get("nothing", 7), 7.);
        QVERIFY(!shipped().constants("failure_rate", "coffee"));
        QVERIFY(!shipped().constants("psu_efficiency", "platinum")->has("efficiency_at_10pct")); // null in the file
    }

    void laterLayersOverrideById() {
        const Catalog base = shipped();
        const auto* before = base.find<Gpu>(PartId("l4"));
        const Catalog user = base.with({userGpu("l4", 80), userGpu("mine", 90)}, CatalogLayer::user);
        const Catalog project = user.with({userGpu("mine", 95)}, CatalogLayer::project);

        QCOMPARE(base.find<Gpu>(PartId("l4")), before); // untouched
        QVERIFY(!base.findPart(PartId("mine")));
        QCOMPARE(si(*user.find<Gpu>(PartId("l4"))->tdp), 80.);
        QCOMPARE(si(*user.find<Gpu>(PartId("mine"))->tdp), 90.);
        QCOMPARE(si(*project.find<Gpu>(PartId("mine"))->tdp), 95.);
        QCOMPARE(project.entries().size(), base.entries().size() + 1);
        QVERIFY(project.findEntry(PartId("l4"))->layer == CatalogLayer::user);
        QVERIFY(project.findEntry(PartId("mine"))->layer == CatalogLayer::project);
        // A fact that was changed by hand is not one that was read in the source.
        QVERIFY(project.find<Gpu>(PartId("mine"))->provenance("memory_capacity_gb") == Provenance::user);
        QVERIFY(project.find<Gpu>(PartId("mine"))->provenance("tdp_w") == Provenance::estimated);
        // An override stays in its place.
        const auto place = [](const Catalog& catalog) {
            const auto all = catalog.entries();
            return std::find_if(all.begin(), all.end(), [](const auto* entry) { return idOf(entry) == "l4"; }) - all.begin();
        };
        QCOMPARE(place(project), place(base));
    }

    void constantsOfLaterLayersWin() {
        const Part own =
            parsePart("constants", R"({"id":"my_optics","kind":"failure_rate","subject":"optics","values":{"afr_fraction":0.5}})",
                      "test")
                .value();
        const Catalog user = shipped().with({own}, CatalogLayer::user);
        QCOMPARE((*user.constants("failure_rate", "optics"))["afr_fraction"], .5);
    }

    void hashFollowsContent() {
        const Catalog base = shipped();
        const Catalog once = base.with({userGpu("mine", 90)}, CatalogLayer::user);
        const Catalog again = base.with({userGpu("mine", 90)}, CatalogLayer::user);
        const Catalog other = base.with({userGpu("mine", 91)}, CatalogLayer::user);
        const Catalog otherLayer = base.with({userGpu("mine", 90)}, CatalogLayer::project);
        QCOMPARE(once.hash(), again.hash());
        QVERIFY(once.hash() != base.hash());
        QVERIFY(once.hash() != other.hash());
        QVERIFY(once.hash() != otherLayer.hash());
        QVERIFY(Catalog().hash() != base.hash());
        QVERIFY(Catalog().entries().empty());
    }

    void partsOutliveTheCatalogTheyCameFrom() {
        std::optional<Catalog> first = Catalog().with({userGpu("mine", 90)}, CatalogLayer::user);
        const Gpu* gpu = first->find<Gpu>(PartId("mine"));
        const Catalog copy = first->with({userGpu("other", 1)}, CatalogLayer::project);
        first.reset();
        QCOMPARE(copy.find<Gpu>(PartId("mine")), gpu);
        QCOMPARE(gpu->name, std::string("Mine"));
    }

    // Every entry can be written out and read again, with nothing lost: own parts are made that way.
    void entriesReadBackFromTheirOwnText() {
        for (const Catalog::Entry* entry : shipped().entries()) {
            const auto again = parsePart(kindName(entry->part), info(entry->part).json, "again");
            QVERIFY2(again.has_value(), info(entry->part).id.value.c_str());
            QCOMPARE(again->index(), entry->part.index());
            QCOMPARE(info(*again).json, info(entry->part).json);
            QCOMPARE(info(*again).name, info(entry->part).name);
        }
    }

    void searchFindsBestFirst_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("first");
        QTest::newRow("id") << "h100_sxm" << "h100_sxm";
        QTest::newRow("spelling") << "H100-SXM" << "h100_sxm";
        QTest::newRow("words") << "dgx h200" << "dgx_h200";
        QTest::newRow("kind and speed") << "400G medium" << "ib_ndr";
        QTest::newRow("exact link") << "eth 100g" << "eth_100g";
        QTest::newRow("vendor and kind") << "arista switch" << "arista_7060dx5_64s";
        QTest::newRow("provider") << "aws h100" << "aws_p5_48xl_2026";
        QTest::newRow("typing slip") << "cahce" << "cache_redis_1u";
        QTest::newRow("model") << "llama3 405b" << "llama3_405b";
    }
    void searchFindsBestFirst() {
        QFETCH(QString, query);
        QFETCH(QString, first);
        const auto found = search(shipped(), query.toStdString());
        QVERIFY2(!found.empty(), qPrintable(query));
        QCOMPARE(QString::fromStdString(std::string(idOf(found.front()))), first);
    }

    void searchByProperty_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("with");
        QTest::addColumn<QStringList>("without");
        QTest::newRow("memory of a GPU") << "gpu>=80GB" << QStringList{"h100_sxm", "dgx_h100", "aws_p5_48xl_2026"}
                                         << QStringList{"l40s", "epyc_9654", "dell_r760_8480"};
        QTest::newRow("number of GPUs") << "gpu>=8" << QStringList{"dgx_h100", "gb200_nvl72"}
                                        << QStringList{"dell_xe8545_4xa100", "h100_sxm"};
        QTest::newRow("port speed") << "400G switch" << QStringList{"qm9700", "sn5400"} << QStringList{"qm8700", "sn5600"};
        QTest::newRow("port speed, spelled out") << "400Gb/s switch" << QStringList{"qm9700"} << QStringList{"qm8700", "ib_ndr"};
        QTest::newRow("power") << "power<2kW server" << QStringList{"dell_r760_8480"} << QStringList{"dgx_h100"};
        QTest::newRow("memory") << "memory>=80GB gpu" << QStringList{"a100_80gb_sxm"} << QStringList{"a100_40gb_sxm"};
        QTest::newRow("cores") << "cores>=96 cpu" << QStringList{"epyc_9654", "epyc_9965"} << QStringList{"epyc_9354"};
        QTest::newRow("cores of a machine") << "cores>=96 server" << QStringList{"dgx_h100"} << QStringList{"epyc_9654"};
        QTest::newRow("height") << "u=48" << QStringList{"rack_48u", "gb200_nvl72"} << QStringList{"rack_42u"};
        QTest::newRow("price") << "price<20000 switch" << QStringList{"qm8700"} << QStringList{"arista_7060xe7_128pe"};
        QTest::newRow("parameters") << "params>=100B" << QStringList{"llama3_405b"} << QStringList{"llama3_70b"};
        QTest::newRow("not known is not small")
            << "power<1MW switch" << QStringList{"qm9700"} << QStringList{"arista_7060xe7_128pe"};
    }
    void searchByProperty() {
        QFETCH(QString, query);
        QFETCH(QStringList, with);
        QFETCH(QStringList, without);
        QStringList ids;
        for (const auto* entry : search(shipped(), query.toStdString()))
            ids << QString::fromStdString(std::string(idOf(entry)));
        for (const QString& id : with)
            QVERIFY2(ids.contains(id), qPrintable(id));
        for (const QString& id : without)
            QVERIFY2(!ids.contains(id), qPrintable(id));
    }

    void searchToleratesAnything() {
        QCOMPARE(search(shipped(), "").size(), shipped().entries().size());
        QCOMPARE(search(shipped(), " ,; ").size(), shipped().entries().size());
        QCOMPARE(search(shipped(), ">=").size(), shipped().entries().size());
        QVERIFY(search(shipped(), "power<blah").empty());
        QVERIFY(search(shipped(), "gpu>=999TB").empty());
        QVERIFY(search(shipped(), std::string(100000, 'x')).empty());
        QVERIFY(search(shipped(), "\xff\xfe 1e999G <<>>1").size() <= shipped().entries().size());
        QVERIFY(search(Catalog(), "h100").empty());
    }
};

QTEST_GUILESS_MAIN(CatalogTest)
#include "catalog_test.moc"
