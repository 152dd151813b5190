// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shipped JSON Schema says what the reader takes: it is made from the same list of keys, a foreign validator accepts every sample and
// example with it, and it refuses what the reader refuses. The manual names every key.
#include "model/io/project_file.h"
#include "resources/embedded.h"
#include "tests/model/sample_projects.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

using namespace cw;
using nlohmann::json;

namespace {

const QString schemaPath = QStringLiteral("resources/schema/cluster.schema.json");

QByteArray bytesOf(const QString& path) {
    QFile file(test::sourcePath(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Empty, or the first things that the validator does not like.
std::string objections(const std::string& text) {
    static valijson::Schema schema;
    static const bool read = [] {
        const json source = json::parse(projectSchema());
        valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(source), schema);
        return true;
    }();
    Q_ASSERT(read);
    const json document = json::parse(text);
    valijson::ValidationResults results;
    if (valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results))
        return {};
    std::string said;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
        for (const std::string& step : error.context)
            said += step;
        said += ": " + error.description + "\n";
    }
    return said;
}

void collectKeys(const json& schema, std::set<std::string>& keys) {
    if (schema.is_object() && schema.contains("properties") && schema["properties"].is_object())
        for (auto it = schema["properties"].begin(); it != schema["properties"].end(); ++it)
            keys.insert(it.key());
    if (schema.is_structured())
        for (const json& inner : schema)
            collectKeys(inner, keys);
}

} // namespace

class SchemaTest : public QObject {
    Q_OBJECT
  private slots:
    void shippedIsMade();
    void acceptsWhatIsWritten();
    void acceptsTheExamples();
    void refusesWhatTheReaderRefuses_data();
    void refusesWhatTheReaderRefuses();
    void manualNamesEveryKey();
};

void SchemaTest::shippedIsMade() {
    const QByteArray made = QByteArray::fromStdString(projectSchema());
    if (qEnvironmentVariableIsSet("CW_WRITE_SCHEMA")) {
        QFile file(test::sourcePath(schemaPath));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(made) == made.size());
    }
    QVERIFY2(bytesOf(schemaPath) == made, "run this test once with CW_WRITE_SCHEMA=1 to write the schema anew");
}

void SchemaTest::acceptsWhatIsWritten() {
    std::mt19937 random(8);
    QCOMPARE(objections(writeProject(Project{})), std::string());
    QCOMPARE(objections(writeProject(test::fullProject())), std::string());
    for (int round = 0; round < 5; ++round)
        QCOMPARE(objections(writeProject(test::randomProject(random, 10))), std::string());
    QCOMPARE(objections(bytesOf(QStringLiteral("tests/model/data/schema-1.cluster.json")).toStdString()), std::string());
}

void SchemaTest::acceptsTheExamples() {
    for (const std::string_view path : resources::list("examples")) {
        if (!path.ends_with(".cluster.json"))
            continue;
        const std::string text(resources::file(path));
        const ReadResult result = readProject(text, path);
        QVERIFY2(result.ok, result.errors.empty() ? "" : result.errors.front().text().c_str());
        const std::string said = objections(text);
        QVERIFY2(said.empty(), (std::string(path) + ": " + said).c_str());
    }
}

void SchemaTest::refusesWhatTheReaderRefuses_data() {
    QTest::addColumn<QByteArray>("rest");
    const auto row = [](const char* rest) { QTest::newRow(rest) << QByteArray(rest); };
    row(R"("site": {"pue": 0.5})");
    row(R"("site": {"horizon_years": 0})");
    row(R"("site": [])");
    row(R"("meta": {"title": 1})");
    row(R"("alternatives": [{"id": "a", "nodes": [{"id": "n", "count": 0}]}])");
    row(R"("alternatives": [{"id": "a", "nodes": [{"id": "n", "count": 1.5}]}])");
    row(R"("alternatives": [{"id": "a", "nodes": [{"count": 1}]}])");
    row(R"("alternatives": [{"id": "a/b"}])");
    row(R"("alternatives": [{"id": "a", "links": [{"id": "l", "from": "x"}]}])");
    row(R"("alternatives": [{"id": "a", "links": [{"id": "l", "from": "x", "to": "y", "pattern": "star"}]}])");
    row(R"("alternatives": [{"id": "a", "links": [{"id": "l", "from": "x", "to": "y", "lanes": 0}]}])");
    row(R"("workloads": [{"id": "w", "kind": "magic"}])");
    row(R"("workloads": [{"id": "w"}])");
    row(R"("workloads": [{"id": "w", "kind": "llm_serving", "prompt_tokens": -1}])");
    row(R"("parts": [{"id": "p", "kind": "gpu", "part": 5}])");
    row(R"("view": {"items": {"a/n": {"x": "left"}}})");
}

void SchemaTest::refusesWhatTheReaderRefuses() {
    QFETCH(QByteArray, rest);
    const std::string text = R"({"format": "clusterwright", "schema": 1, )" + rest.toStdString() + "}";
    QVERIFY(!readProject(text, "x").ok);
    QVERIFY(!objections(text).empty());
}

void SchemaTest::manualNamesEveryKey() {
    const QByteArray manual = bytesOf(QStringLiteral("docs/file-format.md"));
    std::set<std::string> keys;
    collectKeys(json::parse(projectSchema()), keys);
    QVERIFY(keys.size() > 150);
    for (const std::string& key : keys)
        QVERIFY2(manual.contains("`" + QByteArray::fromStdString(key) + "`"), key.c_str());
}

QTEST_GUILESS_MAIN(SchemaTest)
#include "schema_test.moc"
