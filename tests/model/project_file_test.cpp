// SPDX-License-Identifier: GPL-3.0-or-later
//
// The project file: what is written is read back equal, what is wrong is said with its place, and nothing makes the reader crash or hang.
#include "model/io/project_file.h"
#include "tests/model/sample_projects.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/paths.h"

using namespace cw;

namespace {

std::string all(const std::vector<Error>& errors) {
    std::string text;
    for (const Error& error : errors)
        text += error.text() + "\n";
    return text;
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string header(const std::string& rest) { return R"({"format": "clusterwright", "schema": 1, )" + rest + "}"; }
std::string inAlternative(const std::string& rest) { return header(R"("alternatives": [{"id": "a", )" + rest + "}]"); }

} // namespace

class ProjectFileTest : public QObject {
    Q_OBJECT
private slots:
    void readsBackEqual();
    void leavesDefaultsOut();
    void oneElementALine();
    void namesEveryFault_data();
    void namesEveryFault();
    void listsAllFaults();
    void keepsUnknownKeys();
    void opensNewerReadOnly();
    void migratesEverySchema();
    void survivesCuts();
    void survivesMutations();
    void refusesNonsense();
    void readsFiles();
    void readsLargeProjectsFast();
};

void ProjectFileTest::readsBackEqual() {
    std::mt19937 random(1);
    for (int round = 0; round < 20; ++round) {
        const Project project = round == 0 ? test::fullProject() : test::randomProject(random, 1 + test::below(random, 30));
        const std::string text = writeProject(project);
        const ReadResult result = readProject(text, "x");
        QVERIFY2(result.ok, all(result.errors).c_str());
        QVERIFY(result.project == project);
        QVERIFY(!result.readOnly && !result.migrated && result.warnings.empty());
        QCOMPARE(writeProject(result.project), text);
    }
}

void ProjectFileTest::leavesDefaultsOut() {
    Project project;
    QCOMPARE(writeProject(project), std::string("{\"format\": \"clusterwright\", \"schema\": 1, \"min_reader\": 1}\n"));
    project.alternatives.emplace_back();
    project.alternatives[0].id = AlternativeId("a");
    project.alternatives[0].name = "a";
    Node node;
    node.id = NodeId("n");
    node.name = "n";
    project.alternatives[0].nodes = {node};
    QVERIFY(writeProject(project).find(R"([{"id": "a", "nodes": [{"id": "n"}]}])") != std::string::npos);
}

void ProjectFileTest::oneElementALine() {
    const Project project = readProjectFile(test::sourcePath("tests/model/data/schema-1.cluster.json").toStdString()).project;
    // The sample was written by hand in the form that the writer has: a short element is one line.
    QVERIFY(writeProject(project).find("        {\"id\": \"leaf\", \"part\": \"qm9700\", \"count\": 2},\n") != std::string::npos);
}

void ProjectFileTest::namesEveryFault_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("where");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QByteArray>("found");
    const auto row = [](const char* name, const std::string& text, const char* where, const char* expected, const char* found) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(where) << QByteArray(expected) << QByteArray(found);
    };
    row("empty", "", "x", "JSON", "nothing");
    row("no object", "[]", "x: /", "format", "empty list");
    row("another format", R"({"format": "netlist", "schema": 1})", "x: /", "clusterwright", "netlist");
    row("no schema", R"({"format": "clusterwright"})", "/schema", "whole number", "null");
    row("schema of text", R"({"format": "clusterwright", "schema": "1"})", "/schema", "whole number", "\"1\"");
    row("negative schema", R"({"format": "clusterwright", "schema": -1})", "/schema", "0", "-1");
    row("reader too old", R"({"format": "clusterwright", "schema": 9, "min_reader": 7})", "/min_reader", "1", "7");
    row("truncated", "{\"format\": \"clusterwright\",\n  \"schema\"", "line 2, column 10", "", "");
    row("comma", "{\n  \"format\": \"clusterwright\",\n}", "line 3, column 1", "string literal", "");
    row("NaN", "{\"format\":\n NaN}", "line 2, column 2", "", "");
    row("overflow", header("\"site\": {\"pue\": 1e400}"), "line 1", "1.8e308", "1e400");
    row("doubled key", "{\"format\": 1,\n\"format\": 2}", "line 2", "once", "\"format\" again");
    row("deep", std::string(100000, '['), "line 1, column 65", "64 levels", "more");
    row("deep objects",
        header("\"x\": " +
               [] {
                   std::string s;
                   for (int i = 0; i < 1000; ++i)
                       s += "{\"a\":";
                   return s;
               }()),
        "line 1", "64 levels", "more");
    row("control character", "{\"a\": \"\x01\"}", "line 1", "", "");
    row("bad UTF-8", "{\"a\": \"\xff\"}", "line 1", "", "");
    row("list for object", header("\"site\": []"), "/site", "an object", "empty list");
    row("text for number", header("\"site\": {\"inlet_c\": \"warm\"}"), "/site/inlet_c", "-50 to 80", "\"warm\"");
    row("null", header("\"site\": {\"pue\": null}"), "/site/pue", "1 to 10", "null");
    row("number for text", header("\"meta\": {\"title\": 5}"), "/meta/title", "text", "5");
    row("negative count", inAlternative(R"("nodes": [{"id": "n", "count": -4}])"), "/alternatives/0/nodes/0/count",
        "1 to 10000000", "-4");
    row("count of a fraction", inAlternative(R"("nodes": [{"id": "n", "count": 2.5}])"), "/nodes/0/count", "whole number", "2.5");
    row("huge count", inAlternative(R"("nodes": [{"id": "n", "count": 1e300}])"), "/nodes/0/count", "10000000", "1e+300");
    row("lanes of 0", inAlternative(R"("links": [{"id": "l", "from": "a", "to": "b", "lanes": 0}])"), "/links/0/lanes",
        "1 to 1024", "0");
    row("unknown pattern", inAlternative(R"("links": [{"id": "l", "from": "a", "to": "b", "pattern": "star"}])"),
        "/links/0/pattern", "each, mesh, rail", "\"star\"");
    row("no end", inAlternative(R"("links": [{"id": "l", "from": "a"}])"), "/links/0", "\"to\"", "none");
    row("no id", inAlternative(R"("nodes": [{"count": 2}])"), "/nodes/0", "\"id\"", "none");
    row("empty id", inAlternative(R"("nodes": [{"id": ""}])"), "/nodes/0/id", "1 to 200", "\"\"");
    row("slash in id", inAlternative(R"("nodes": [{"id": "a/b"}])"), "/nodes/0/id", "\"/\"", "a/b");
    row("same id", inAlternative(R"("nodes": [{"id": "n"}, {"id": "n"}])"), "/nodes/1/id", "not used before", "\"n\"");
    row("unknown kind", header(R"("workloads": [{"id": "w", "kind": "magic"}])"), "/workloads/0/kind", "llm_training",
        "\"magic\"");
    row("no kind", header(R"("workloads": [{"id": "w"}])"), "/workloads/0/kind", "hpc", "none");
    row("share above 1", header(R"("workloads": [{"id": "w", "kind": "service", "cache_hit_fraction": 35}])"),
        "cache_hit_fraction", "0 to 1", "35");
    row("23 hours", header(R"("workloads": [{"id": "w", "kind": "service", "load": {"hourly": [1, 2]}}])"), "/load/hourly", "24",
        "2");
    row("part of text", header(R"("parts": [{"id": "p", "kind": "gpu", "part": "x"}])"), "/parts/0/part", "an object", "\"x\"");
    row("key to escape", header(R"("view": {"items": {"a/n~": {"x": "left"}}})"), "/view/items/a~1n~0/x", "number", "\"left\"");
}

void ProjectFileTest::namesEveryFault() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, where);
    QFETCH(QByteArray, expected);
    QFETCH(QByteArray, found);
    const ReadResult result = readProject(text.toStdString(), "x");
    QVERIFY(!result.ok);
    QVERIFY(!result.errors.empty());
    bool hit = false;
    for (const Error& error : result.errors)
        hit |= QByteArray::fromStdString(error.where).contains(where) &&
            QByteArray::fromStdString(error.expected).contains(expected) &&
            QByteArray::fromStdString(error.found).contains(found) && !error.message.empty();
    QVERIFY2(hit, all(result.errors).c_str());
}

void ProjectFileTest::listsAllFaults() {
    std::string nodes;
    for (int at = 0; at < 150; ++at)
        nodes += (at ? "," : "") + std::string(R"({"id": "n)") + std::to_string(at) + R"(", "count": 0})";
    const ReadResult result = readProject(inAlternative("\"nodes\": [" + nodes + "]"), "x");
    QVERIFY(!result.ok);
    QCOMPARE(result.errors.size(), std::size_t(101));
    QVERIFY(result.errors.back().message.find("50 more") != std::string::npos);
}

void ProjectFileTest::keepsUnknownKeys() {
    const std::string text = header(
        R"("alternatives": [{"id": "a", "nodes": [{"id": "n", "zebra": 1, "apple": [null, {"b": 2, "a": 1.50}]}]}], "site": {"moon": "full"}, "next": {})");
    const ReadResult first = readProject(text, "x");
    QVERIFY2(first.ok, all(first.errors).c_str());
    QCOMPARE(first.project.alternatives[0].nodes[0].extra, std::string(R"({"apple": [null, {"a": 1.5, "b": 2}], "zebra": 1})"));
    const std::string written = writeProject(first.project);
    QVERIFY(written.find(R"("moon": "full")") != std::string::npos && written.find(R"("next": {})") != std::string::npos);
    QVERIFY(readProject(written, "x").project == first.project);
}

void ProjectFileTest::opensNewerReadOnly() {
    const ReadResult result = readProject(R"({"format": "clusterwright", "schema": 99, "min_reader": 1, "hologram": 3})", "x");
    QVERIFY(result.ok && result.readOnly);
    QCOMPARE(result.warnings.size(), std::size_t(1));
    QVERIFY(result.warnings[0].message.find("newer") != std::string::npos);
    QVERIFY(writeProject(result.project).find("\"schema\": 99") != std::string::npos);
}

void ProjectFileTest::migratesEverySchema() {
    const ReadResult now = readProjectFile(test::sourcePath("tests/model/data/schema-1.cluster.json").toStdString());
    QVERIFY2(now.ok, all(now.errors).c_str());
    QVERIFY(!now.migrated);
    for (int schema = 0; schema < currentSchema; ++schema) {
        const auto path = test::sourcePath(QStringLiteral("tests/model/data/schema-%1.cluster.json").arg(schema)).toStdString();
        const ReadResult old = readProjectFile(path);
        QVERIFY2(old.ok, all(old.errors).c_str());
        QVERIFY(old.migrated && !old.readOnly);
        QCOMPARE(old.warnings.size(), std::size_t(1));
        QVERIFY2(old.project == now.project, writeProject(old.project).c_str());
    }
    // Old names with values of another type go through the reader like everything else.
    const ReadResult odd = readProject(
        R"({"format": "clusterwright", "schema": 0, "designs": {"a": 1}, "site": {"rack_power_limit_kw": "x"}})", "x");
    QVERIFY(!odd.ok);
    QCOMPARE(odd.errors.size(), std::size_t(2));
    for (const char* shape : {"\"site\": 5", "\"designs\": [5, null]", "\"workloads\": [[]]", "\"designs\": [{\"nodes\": 7}]"})
        QVERIFY(!readProject(std::string(R"({"format": "clusterwright", "schema": 0, )") + shape + "}", "x").ok);
}

void ProjectFileTest::survivesCuts() {
    const std::string text = writeProject(test::fullProject());
    for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
        const ReadResult result = readProject(std::string_view(text).substr(0, length), "x");
        QVERIFY(!result.ok);
        QVERIFY(result.errors.size() == 1 && (length == 0 || result.errors[0].where.find("line ") != std::string::npos));
    }
}

// Bytes changed at random: whatever comes out is either refused with a place or a project that can be written and read again.
void ProjectFileTest::survivesMutations() {
    std::mt19937 random(99);
    const std::string text = writeProject(test::fullProject());
    const std::string alphabet = "{}[]\",:0123456789-+.eEnulltruefalse \\\x7f\xc3";
    int read = 0;
    for (int round = 0; round < 4000; ++round) {
        std::string changed = text;
        for (int times = 1 + test::below(random, 3); times > 0; --times) {
            const auto at = std::size_t(test::below(random, int(changed.size())));
            if (test::below(random, 3) == 0)
                changed.erase(at, std::size_t(1 + test::below(random, 20)));
            else
                changed[at] = alphabet[std::size_t(test::below(random, int(alphabet.size())))];
        }
        const ReadResult result = readProject(changed, "x");
        QCOMPARE(result.ok, result.errors.empty());
        if (!result.ok)
            continue;
        ++read;
        const std::string again = writeProject(result.project);
        const ReadResult twice = readProject(again, "x");
        QVERIFY2(twice.ok, all(twice.errors).c_str());
        QCOMPARE(writeProject(twice.project), again);
    }
    QVERIFY(read > 100);
}

void ProjectFileTest::refusesNonsense() {
    QVERIFY(!readProject(std::string(maxFileBytes + 1, 'x'), "x").ok);
    for (const char fill : {'[', '{', '"', '0', '\0', '\xff', ' '})
        QVERIFY(!readProject(std::string(20'000'000, fill), "x").ok);
    std::string many = "[";
    for (int at = 0; at < 12'000'000; ++at)
        many += "1,";
    const ReadResult result = readProject(many + "1]", "x");
    QVERIFY(!result.ok && result.errors[0].message.find("too large") != std::string::npos);
}

void ProjectFileTest::readsFiles() {
    QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    QVERIFY(readProjectFile(base + "/none.cluster.json").errors.at(0).text().find("does not exist") != std::string::npos);
    QVERIFY(readProjectFile(base).errors.at(0).text().find("a folder") != std::string::npos);
    QFile file(folder.filePath("p.cluster.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("\xef\xbb\xbf") + QByteArray::fromStdString(writeProject(test::fullProject())));
    file.close();
    const ReadResult result = readProjectFile(file.fileName().toStdString());
    QVERIFY2(result.ok, all(result.errors).c_str());
    QVERIFY(result.project == test::fullProject());
    QVERIFY(!bytesOf(file.fileName()).isEmpty());
}

void ProjectFileTest::readsLargeProjectsFast() {
    std::mt19937 random(5);
    const Project project = test::randomProject(random, 2000);
    QElapsedTimer timer;
    timer.start();
    const std::string text = writeProject(project);
    const auto wrote = timer.restart();
    const ReadResult result = readProject(text, "x");
    const auto read = timer.restart();
    const Project copy = result.project;
    const auto copied = timer.restart();
    qInfo("%zu bytes: written in %lld ms, read in %lld ms, copied in %lld ms", text.size(), wrote, read, copied);
    QVERIFY(result.ok && copy == project);
}

QTEST_GUILESS_MAIN(ProjectFileTest)
#include "project_file_test.moc"
