// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the catalog reader says to files that it cannot use.
#include "model/catalog/catalog.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace cw;

namespace {

const std::string goodGpu =
    R"({"id":"x1","name":"X1","bf16_tflops":100,"memory_capacity_gb":48,"memory_bandwidth_gb_s":1000,"pcie_per_direction_gb_s":31.5})";

std::string fileOf(const std::string& entries) { return R"({"schema":1,"kind":"gpu","entries":[)" + entries + "]}"; }

/// goodGpu with one field added or replaced (JSON keeps the last of two).
std::string gpuWith(const std::string& field) { return goodGpu.substr(0, goodGpu.size() - 1) + "," + field + "}"; }

bool names(const std::vector<Error>& errors, const std::string& where) {
    return std::any_of(errors.begin(), errors.end(),
                       [&](const Error& error) { return error.where == where && !error.message.empty(); });
}

} // namespace

class CatalogFileTest : public QObject {
    Q_OBJECT

private slots:
    void goodFileIsRead() {
        const CatalogFile file = parseCatalogFile(fileOf(goodGpu), "a.json");
        QVERIFY(file.errors.empty());
        QCOMPARE(file.parts.size(), std::size_t(1));
        QVERIFY(info(file.parts[0]).confidence == Provenance::user);
        QVERIFY(!std::get<Gpu>(file.parts[0]).tdp);
    }

    void exampleOfTheManualIsRead() {
        QFile manual(test::sourcePath("docs/catalog.md"));
        QVERIFY(manual.open(QIODevice::ReadOnly));
        const QByteArray text = manual.readAll();
        const qsizetype start = text.indexOf("```json") + 7;
        const CatalogFile file = parseCatalogFile(text.mid(start, text.indexOf("```", start) - start).toStdString(), "manual");
        QVERIFY2(file.errors.empty(), file.errors.empty() ? "" : file.errors.front().text().c_str());
        QCOMPARE(info(file.parts.at(0)).id.value, std::string("my_card"));
    }

    void unknownKeysAreKept() {
        const auto part = parsePart("gpu", gpuWith(R"("colour":"green","nested":{"a":[1,null]})"), "a.json: ");
        QVERIFY(part.has_value());
        QVERIFY(info(*part).json.find(R"("colour":"green")") != std::string::npos);
        QVERIFY(info(*part).json.find(R"("nested":{"a":[1,null]})") != std::string::npos);
    }

    void entryMaySayItsKind() {
        const CatalogFile file = parseCatalogFile(
            fileOf(
                goodGpu +
                R"(,{"part":"region","id":"moon","name":"Moon","carbon_intensity_g_per_kwh":10,"electricity_usd_per_kwh":0.4})"),
            "a.json");
        QVERIFY(file.errors.empty());
        QCOMPARE(std::get<Region>(file.parts.at(1)).dollarsPerKwh, .4);
    }

    void faultsOfTheText_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const QByteArray& text, const char* where) {
            QTest::newRow(name) << text << QString(where);
        };
        row("empty", "", "f.json: line 1, column 1");
        row("truncated", "{\"schema\":1,\n \"kind\":", "f.json: line 2, column 9");
        row("no JSON", "hello", "f.json: line 1, column 1");
        row("NaN", "{\"schema\":1,\n\"kind\":NaN}", "f.json: line 2, column 8");
        row("too large a number", "{\"schema\":1e400}", "f.json");
        row("bad UTF-8", "{\"schema\":1,\"kind\":\"\xff\"}", "f.json: line 1, column 21");
        row("an array", "[]", "f.json: /");
        row("no schema", "{\"entries\":[]}", "f.json: /schema");
        row("newer schema", "{\"schema\":2,\"entries\":[]}", "f.json: /schema");
        row("no entries", "{\"schema\":1,\"kind\":\"gpu\"}", "f.json: /entries");
        row("entries of a wrong type", "{\"schema\":1,\"kind\":\"gpu\",\"entries\":{}}", "f.json: /entries");
        row("unknown kind", "{\"schema\":1,\"kind\":\"toaster\",\"entries\":[{\"id\":\"a\"}]}", "f.json: /entries/0");
        row("entry is no object", "{\"schema\":1,\"kind\":\"gpu\",\"entries\":[7]}", "f.json: /entries/0");
        row("deep nesting", QByteArray(100000, '['), "f.json: line 1, column 65");
        row("deep nesting in a fact",
            "{\"schema\":1,\"entries\":[{\"a\":" + QByteArray(100000, '[') + QByteArray(100000, ']') + "}]}",
            "f.json: line 1, column 90");
    }
    void faultsOfTheText() {
        QFETCH(QByteArray, text);
        QFETCH(QString, where);
        const CatalogFile file = parseCatalogFile(text.toStdString(), "f.json");
        QVERIFY(file.parts.empty());
        QVERIFY(!file.errors.empty());
        QCOMPARE(QString::fromStdString(file.errors.front().where), where);
        QVERIFY(!file.errors.front().message.empty());
    }

    void faultsOfAField_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("pointer");
        const auto row = [](const char* name, const char* field, const char* pointer) {
            QTest::newRow(name) << field << pointer;
        };
        row("missing", R"("memory_capacity_gb":null)", "/memory_capacity_gb");
        row("text for a number", R"("tdp_w":"700 W")", "/tdp_w");
        row("negative", R"("tdp_w":-1)", "/tdp_w");
        row("absurd", R"("tdp_w":1e300)", "/tdp_w");
        row("number for a text", R"("name":5)", "/name");
        row("empty id", R"("id":"")", "/id");
        row("id with a space", R"("id":"a b")", "/id");
        row("broken count", R"("scale_up_domain_gpus":1.5)", "/scale_up_domain_gpus");
        row("count out of range", R"("scale_up_domain_gpus":1e12)", "/scale_up_domain_gpus");
        row("zero count", R"("scale_up_domain_gpus":0)", "/scale_up_domain_gpus");
        row("band upside down", R"("price_usd_low":2,"price_usd_high":1)", "/price_usd_low");
        row("unknown word", R"("confidence":"rumoured")", "/confidence");
        row("list of wrong things", R"("estimated_fields":[1])", "/estimated_fields");
        row("sources of a wrong type", R"("sources":"a book")", "/sources");
        row("source without a title", R"("sources":[{"section":"1"}])", "/sources/0/title");
        row("unknown format", R"("fp4_tflops":1,"fp4_formats":["fp3"])", "/fp4_formats");
        row("no rate at all", R"("bf16_tflops":0)", "/bf16_tflops");
        row("escaped key", R"("part":"switch","ports":[{"count":1,"speed_gbit_s":true}],"technology":"a","u_height":1)",
            "/ports/0/speed_gbit_s");
    }
    void faultsOfAField() {
        QFETCH(QString, field);
        QFETCH(QString, pointer);
        const CatalogFile file = parseCatalogFile(
            fileOf(goodGpu + "," + gpuWith(field.toStdString() + (field.contains("\"id\"") ? "" : R"(,"id":"x2")"))), "f.json");
        QCOMPARE(file.parts.size(), std::size_t(1)); // the good one stays
        QVERIFY2(names(file.errors, "f.json: /entries/1" + pointer.toStdString()),
                 file.errors.empty() ? "no error" : file.errors.front().text().c_str());
    }

    void faultsOfOtherKinds_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("pointer");
        const auto row = [](const char* kind, const char* entry, const char* pointer) {
            QTest::addRow("%s %s", kind, pointer) << kind << entry << pointer;
        };
        row("cpu", R"({"id":"a","cores_count":0})", "/cores_count");
        row("server", R"({"id":"a","role":"butler"})", "/role");
        row("server", R"({"id":"a","nics":[{"count":1,"speed_gbit_s":10,"purpose":"fun"}]})", "/nics/0/purpose");
        row("server", R"({"id":"a","liquid_heat_fraction":1.5})", "/liquid_heat_fraction");
        row("switch", R"({"id":"a","ports":[]})", "/ports");
        row("medium", R"({"id":"a","kind":"smoke signal"})", "/kind");
        row("medium", R"({"id":"a","cables":[{"type":"DAC","max_length_m":1,"power_per_end_w":0}]})", "/cables/0/price_usd_low");
        row("protocol", R"({"id":"a","efficiency_fraction":2})", "/efficiency_fraction");
        row("rack", R"({"id":"a","u_height":0})", "/u_height");
        row("pdu", R"({"id":"a","voltage_v":400})", "/current_a");
        row("cooling", R"({"id":"a","pue_low":0.9})", "/pue_low");
        row("cloud_instance", R"({"id":"a","kind":"balloon"})", "/kind");
        row("cloud_instance", R"({"id":"a","origin":"friend"})", "/origin");
        row("model", R"({"id":"a","kind":"transformer","layers_count":2.5})", "/layers_count");
        row("model", R"({"id":"a","kind":"oracle"})", "/kind");
        row("model", R"({"id":"a","kind":"moe_transformer","attention":"psychic"})", "/attention");
        row("region", R"({"id":"a","electricity_usd_per_kwh":"cheap"})", "/electricity_usd_per_kwh");
        row("constants", R"({"id":"a","kind":"k"})", "/values");
        row("constants", R"({"id":"a","kind":"k","values":[1]})", "/values");
        row("constants", R"({"id":"a","kind":"k","values":{"eta":"big"}})", "/values/eta");
        row("constants", R"({"id":"a","kind":"k","values":{"a/b":{"value":3,"low":4,"high":5}}})", "/values/a~1b");
        row("constants", R"({"id":"a","kind":"k","values":{"eta":{"low":4}}})", "/values/eta/value");
    }
    void faultsOfOtherKinds() {
        QFETCH(QString, kind);
        QFETCH(QString, entry);
        QFETCH(QString, pointer);
        const auto part = parsePart(kind.toStdString(), entry.toStdString(), "f.json: /entries/3");
        QVERIFY(!part.has_value());
        QVERIFY2(names(part.error(), "f.json: /entries/3" + pointer.toStdString()), part.error().front().text().c_str());
    }

    void allFaultsAreReportedAtOnce() {
        const CatalogFile file = parseCatalogFile(fileOf(R"({"id":"a","tdp_w":"x","idle_w":-3})"), "f.json");
        QVERIFY(names(file.errors, "f.json: /entries/0/tdp_w"));
        QVERIFY(names(file.errors, "f.json: /entries/0/idle_w"));
        QVERIFY(names(file.errors, "f.json: /entries/0/memory_capacity_gb"));
        const auto tdp =
            std::find_if(file.errors.begin(), file.errors.end(), [](const Error& e) { return e.where.ends_with("/tdp_w"); });
        QCOMPARE(tdp->found, std::string("\"x\""));
        QVERIFY(!tdp->expected.empty());
    }

    void repeatedIdIsReportedAndTheFirstStays() {
        const CatalogFile file = parseCatalogFile(fileOf(goodGpu + "," + gpuWith(R"("tdp_w":1)")), "f.json");
        QCOMPARE(file.parts.size(), std::size_t(1));
        QVERIFY(!std::get<Gpu>(file.parts[0]).tdp);
        QVERIFY(names(file.errors, "f.json: /entries/1/id"));
    }

    void megabytesOfNonsense_data() {
        QTest::addColumn<QByteArray>("text");
        constexpr int size = 10'000'000;
        QByteArray noise(size, ' ');
        unsigned state = 1;
        for (char& c : noise)
            c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
        QTest::newRow("noise") << noise;
        QTest::newRow("braces") << QByteArray(size, '{');
        QTest::newRow("quotes") << QByteArray("\"") + QByteArray(size, '\\');
        QTest::newRow("zeroes") << QByteArray(size, '\0');
        QTest::newRow("a long number") << QByteArray("{\"schema\":") + QByteArray(size, '9') + "}";
        QTest::newRow("faulty entries") << QByteArray::fromStdString(
            fileOf("7" + QByteArray(",7").repeated(size / 20).toStdString()));
    }
    void megabytesOfNonsense() {
        QFETCH(QByteArray, text);
        const CatalogFile file = parseCatalogFile(std::string_view(text.constData(), std::size_t(text.size())), "f.json");
        QVERIFY(file.parts.empty());
        QVERIFY(!file.errors.empty());
        QVERIFY(file.errors.size() <= 1100);
        for (const Error& error : file.errors)
            QVERIFY(error.text().size() < 2000);
    }

    void folderIsReadInOrder() {
        QTemporaryDir folder;
        const auto write = [&](const char* name, const std::string& text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text.data(), qint64(text.size()));
        };
        write("b.json", fileOf(goodGpu + "," + gpuWith(R"("id":"x2")")));
        write("a.json", fileOf(goodGpu));
        write("c.json", "broken");
        write("notes.txt", "not JSON");
        QDir(folder.path()).mkdir("d.json");

        const CatalogFile file = readCatalogFolder(folder.path().toStdString());
        QCOMPARE(file.parts.size(), std::size_t(2)); // x1 of a.json, x2 of b.json
        QCOMPARE(file.errors.size(), std::size_t(2));
        QVERIFY(file.errors[0].where.ends_with("b.json"));
        QVERIFY(file.errors[1].where.find("c.json: line 1") != std::string::npos);
    }

    void missingFolderIsEmpty() {
        const CatalogFile file = readCatalogFolder("/nowhere/at/all");
        QVERIFY(file.parts.empty() && file.errors.empty());
    }
};

QTEST_GUILESS_MAIN(CatalogFileTest)
#include "catalog_file_test.moc"
