// SPDX-License-Identifier: GPL-3.0-or-later
//
// The open project: undo to the byte, previews, saving that loses nothing, and recovery after the process was killed.
#include "model/document/document.h"
#include "model/document/journal.h"
#include "tests/model/sample_projects.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <csignal>
#include <unistd.h>

using namespace cw;

namespace {

const AlternativeId base("alt0");

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void overwrite(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

Project sample(int stacks = 6) {
    std::mt19937 random(3);
    return test::randomProject(random, stacks);
}

Edit countEdit(const Project& project, const char* id, std::int64_t count, std::string mergeKey = {}) {
    Node node = *project.alternatives[0].findNode(NodeId(id));
    node.count = count;
    return edits::set(project, {ElementKind::node, base, id}, node, "Count", std::move(mergeKey));
}

std::int64_t count(const Project& project, const char* id) { return project.alternatives[0].findNode(NodeId(id))->count; }

/// What the killed child does: changes a project, and lives on until its journal is written and it is killed.
int child() {
    Document document;
    document.reset(sample(), QStringLiteral("/nowhere/of/old.cluster.json"));
    document.push(countEdit(document.project(), "n1", 4242));
    const QDir folder(JournalFile::folder());
    while (folder.entryList({QStringLiteral("*.journal")}).isEmpty())
        QTest::qWait(20);
    puts("written");
    fflush(stdout);
    QTest::qWait(60000);
    return 0;
}

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void undoesToTheByte();
    void mergesAndForgetsNoOps();
    void showsPreviews();
    void previewsQuickly();
    void refusesWhatDoesNotFit();
    void savesWithBackup();
    void losesNothingWhenSavingFails();
    void seesChangesOnDisk();
    void keepsTheOpenProjectWhenOpeningFails();
    void opensNewerReadOnly();
    void journalComesAndGoes();
    void reportsAJournalThatCannotBeWritten();
    void recoversAfterKill();
};

void DocumentTest::initTestCase() { QDir(JournalFile::folder()).removeRecursively(); }

void DocumentTest::undoesToTheByte() {
    Document document;
    document.reset(sample());
    const std::string start = writeProject(document.project());
    QSignalSpy changed(&document, &Document::changed);
    QVERIFY(document.push(countEdit(document.project(), "n1", 77)));
    QVERIFY(document.push(
        edits::remove(document.project(), {{ElementKind::node, base, "n0"}, {ElementKind::node, base, "n2"}}, "Remove")));
    QVERIFY(document.push(edits::duplicateAlternative(document.project(), base, "Duplicate")));
    const std::string end = writeProject(document.project());
    QCOMPARE(changed.count(), 3);
    QVERIFY(document.isModified());
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Duplicate"));
    while (document.undoStack().canUndo())
        document.undoStack().undo();
    QCOMPARE(writeProject(document.project()), start);
    QVERIFY(!document.isModified());
    while (document.undoStack().canRedo())
        document.undoStack().redo();
    QCOMPARE(writeProject(document.project()), end);
    QCOMPARE(changed.count(), 9);
}

void DocumentTest::mergesAndForgetsNoOps() {
    Document document;
    document.reset(sample());
    const std::int64_t before = count(document.project(), "n1");
    QVERIFY(document.push(countEdit(document.project(), "n1", before)));
    QCOMPARE(document.undoStack().count(), 0);
    QVERIFY(!document.isModified());
    for (const int value : {50, 60, 70})
        QVERIFY(document.push(countEdit(document.project(), "n1", value, "scrub n1")));
    QCOMPARE(document.undoStack().count(), 1);
    QVERIFY(document.push(countEdit(document.project(), "n2", 5000, "scrub n2")));
    QCOMPARE(document.undoStack().count(), 2);
    document.undoStack().undo();
    document.undoStack().undo();
    QCOMPARE(count(document.project(), "n1"), before);
    for (const std::int64_t value : {std::int64_t(50), before})
        QVERIFY(document.push(countEdit(document.project(), "n1", value, "scrub n1")));
    QCOMPARE(document.undoStack().count(), 0); // scrubbed back to where it was
    QVERIFY(!document.isModified());
}

void DocumentTest::showsPreviews() {
    Document document;
    document.reset(sample());
    const std::string start = writeProject(document.project());
    QSignalSpy previewed(&document, &Document::previewChanged), changed(&document, &Document::changed);
    quint64 revision = document.revision();
    for (const int value : {100, 200, 300}) {
        document.setPreview(countEdit(document.project(), "n1", value));
        QCOMPARE(count(document.effective(), "n1"), std::int64_t(value));
        QVERIFY(document.revision() > revision);
        revision = document.revision();
    }
    document.setPreview(countEdit(document.project(), "n2", 400)); // another edit replaces the first
    QVERIFY(count(document.effective(), "n1") == count(document.project(), "n1") && count(document.effective(), "n2") == 400);
    QCOMPARE(writeProject(document.project()), start);
    QVERIFY(!document.isModified() && changed.count() == 0 && previewed.count() == 4);
    document.clearPreview();
    QVERIFY(!document.hasPreview() && &document.effective() == &document.project() && previewed.count() == 5);
    document.setPreview(countEdit(document.project(), "n1", 100));
    QVERIFY(document.push(countEdit(document.project(), "n1", 100)));
    QVERIFY(!document.hasPreview() && count(document.project(), "n1") == 100);
    document.setPreview(countEdit(document.project(), "n1", 200));
    document.undoStack().undo();
    QVERIFY(!document.hasPreview());
    QCOMPARE(writeProject(document.project()), start);
    document.setPreview(Edit{"wrong", "", {{{ElementKind::node, base, "nobody"}, Node{}, Node{}, -1, -1}}});
    QVERIFY(!document.hasPreview());
}

void DocumentTest::previewsQuickly() {
    Document document;
    document.reset(sample(2000));
    std::map<std::string, ItemView> moves;
    QElapsedTimer timer;
    timer.start();
    for (int frame = 0; frame < 100; ++frame) {
        for (int at = 0; at < 50; ++at)
            moves["n" + std::to_string(at)] = {double(frame), double(at), 0, 0, {}, {}};
        document.setPreview(edits::move(document.project(), base, moves, "Move"));
    }
    qInfo("%.3f ms a preview of 50 moved nodes", double(timer.nsecsElapsed()) / 1e6 / 100);
    QCOMPARE(document.effective().view.items.at("alt0/n7").x, 99.);
    QVERIFY(document.project().view.items.at("alt0/n7").x != 99. || document.project().view.items.at("alt0/n7").y != 7.);
}

void DocumentTest::refusesWhatDoesNotFit() {
    Document document;
    document.reset(sample());
    const Edit edit = countEdit(document.project(), "n1", 123456);
    QVERIFY(document.push(edit));
    QString reason;
    QVERIFY(!document.push(edit, &reason));
    QVERIFY2(reason.contains("n1"), qPrintable(reason));
    QCOMPARE(document.undoStack().count(), 1);
    document.reset(sample(), {}, true);
    QVERIFY(!document.push(edit, &reason));
    QVERIFY(reason.contains("reading only") && !document.save(&reason));
}

void DocumentTest::savesWithBackup() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.cluster.json");
    Document document;
    document.reset(sample());
    QString reason;
    QVERIFY(!document.save(&reason) && !reason.isEmpty());
    QVERIFY2(document.saveAs(path, &reason), qPrintable(reason));
    const QByteArray first = bytesOf(path);
    QCOMPARE(first.toStdString(), writeProject(document.project()));
    QVERIFY(!QFile::exists(path + '~'));
    QVERIFY(document.push(countEdit(document.project(), "n1", 99)));
    QVERIFY(document.isModified());
    QVERIFY(document.save(&reason));
    QVERIFY(!document.isModified());
    QCOMPARE(bytesOf(path + '~'), first);
    document.undoStack().undo();
    QVERIFY(document.isModified());
    QVERIFY(document.save(&reason));
    QCOMPARE(bytesOf(path), first); // back where it was, to the byte
    Document other;
    QString report;
    QVERIFY2(other.open(path, &report), qPrintable(report));
    QVERIFY(other.project() == document.project() && other.path() == path && report.isEmpty());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2); // no temporary file left
}

void DocumentTest::losesNothingWhenSavingFails() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.cluster.json");
    Document document;
    document.reset(sample(200));
    QString reason;
    QVERIFY(document.saveAs(path, &reason));
    const QByteArray before = bytesOf(path);
    QVERIFY(document.push(countEdit(document.project(), "n1", 99)));
    QVERIFY(!document.saveAs(folder.filePath("none/b.cluster.json"), &reason));
    QVERIFY2(reason.contains("none/b.cluster.json"), qPrintable(reason));
    QVERIFY(!document.saveAs(folder.path(), &reason) && !reason.isEmpty());

    // A full disk: no file may grow beyond a few kB.
    signal(SIGXFSZ, SIG_IGN);
    rlimit old{}, tight{};
    getrlimit(RLIMIT_FSIZE, &old);
    tight = old;
    tight.rlim_cur = 4096;
    setrlimit(RLIMIT_FSIZE, &tight);
    const bool saved = document.save(&reason);
    setrlimit(RLIMIT_FSIZE, &old);
    QVERIFY(!saved && !reason.isEmpty());
    QCOMPARE(bytesOf(path), before);
    QVERIFY(document.isModified() && document.path() == path);

    QVERIFY(QFile::setPermissions(folder.path(), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    if (geteuid() != 0) { // root may write everywhere
        QVERIFY(!document.save(&reason));
        QVERIFY(!reason.isEmpty());
    }
    QFile::setPermissions(folder.path(), QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    QCOMPARE(bytesOf(path), before);
    QVERIFY2(document.save(&reason), qPrintable(reason));
    QCOMPARE(bytesOf(path + '~'), before);
}

void DocumentTest::seesChangesOnDisk() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.cluster.json");
    Document document;
    document.reset(sample());
    QVERIFY(!document.changedOnDisk());
    QVERIFY(document.saveAs(path, nullptr));
    QVERIFY(!document.changedOnDisk());
    const QByteArray text = bytesOf(path);
    QTest::qWait(20);
    overwrite(path, text);
    QVERIFY(!document.changedOnDisk()); // touched, but the same
    overwrite(path, QByteArray(text).replace("Random", "Modnar"));
    QVERIFY(document.changedOnDisk());
    QVERIFY(QFile::remove(path));
    QVERIFY(document.changedOnDisk());
    QVERIFY(document.save(nullptr));
    QVERIFY(!document.changedOnDisk());
}

void DocumentTest::keepsTheOpenProjectWhenOpeningFails() {
    QTemporaryDir folder;
    Document document;
    document.reset(sample(), QStringLiteral("mine"));
    const std::string before = writeProject(document.project());
    overwrite(folder.filePath("bad.cluster.json"),
              R"({"format": "clusterwright", "schema": 1, "site": {"pue": -1, "inlet_c": "x"}})");
    QString report;
    QVERIFY(!document.open(folder.filePath("bad.cluster.json"), &report));
    QVERIFY2(report.contains("/site/pue") && report.contains("/site/inlet_c"), qPrintable(report));
    QVERIFY(!document.open(folder.filePath("none"), &report) && report.contains("does not exist"));
    QCOMPARE(writeProject(document.project()), before);
    QCOMPARE(document.path(), QStringLiteral("mine"));
}

void DocumentTest::opensNewerReadOnly() {
    QTemporaryDir folder;
    const QString path = folder.filePath("new.cluster.json");
    overwrite(path, R"({"format": "clusterwright", "schema": 7, "min_reader": 1, "alternatives": [{"id": "a"}]})");
    Document document;
    QString report;
    QVERIFY(document.open(path, &report));
    QVERIFY(document.readOnly() && report.contains("newer"));
    QVERIFY(!document.push(edits::removeAlternative(document.project(), AlternativeId("a"), "e"), &report));
}

void DocumentTest::journalComesAndGoes() {
    QTemporaryDir folder;
    const QDir journals(JournalFile::folder());
    const auto number = [&journals] { return journals.entryList({QStringLiteral("*.journal")}).size(); };
    {
        Document document;
        document.reset(sample());
        QVERIFY(document.push(countEdit(document.project(), "n1", 99)));
        QTRY_COMPARE(number(), 1);
        QVERIFY(Document::recoveries().isEmpty()); // we live
        QVERIFY(document.saveAs(folder.filePath("a.cluster.json"), nullptr));
        QCOMPARE(number(), 0);
        document.undoStack().undo();
        QTRY_COMPARE(number(), 1);
        document.undoStack().redo(); // as saved again
        QCOMPARE(number(), 0);
        document.undoStack().undo();
        QTRY_COMPARE(number(), 1);
    }
    QCOMPARE(number(), 0); // closed by hand
    QVERIFY(journals.entryList(QDir::Files).isEmpty());
}

void DocumentTest::reportsAJournalThatCannotBeWritten() {
    QDir(JournalFile::folder()).removeRecursively();
    overwrite(JournalFile::folder(), "in the way");
    Document document;
    document.reset(sample());
    QVERIFY(document.push(countEdit(document.project(), "n1", 99)));
    QTRY_VERIFY(!document.journalProblem().isEmpty());
    QVERIFY(QFile::remove(JournalFile::folder()));
    QVERIFY(document.push(countEdit(document.project(), "n1", 98)));
    QTRY_VERIFY(document.journalProblem().isEmpty());
}

void DocumentTest::recoversAfterKill() {
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--child")});
    QVERIFY(process.waitForStarted() && process.waitForReadyRead(20000));
    QVERIFY(Document::recoveries().isEmpty()); // it lives
    kill(pid_t(process.processId()), SIGKILL);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);

    const auto list = Document::recoveries();
    QCOMPARE(list.size(), 1);
    QCOMPARE(list[0].title, QStringLiteral("Random"));
    QCOMPARE(list[0].path, QStringLiteral("/nowhere/of/old.cluster.json"));
    QVERIFY(!list[0].when.isEmpty());
    Document document;
    QString reason;
    QVERIFY2(document.recover(list[0], &reason), qPrintable(reason));
    Project expected = sample();
    QVERIFY(apply(expected, countEdit(expected, "n1", 4242)).has_value());
    QVERIFY(document.project() == expected);
    QVERIFY(document.isModified() && document.path() == list[0].path);
    QVERIFY(Document::recoveries().isEmpty() && !QFile::exists(list[0].journal));
    QVERIFY(!document.recover(list[0], &reason) && !reason.isEmpty());
    QCOMPARE(QDir(JournalFile::folder()).entryList({QStringLiteral("*.journal")}).size(), 1); // our own now

    overwrite(JournalFile::folder() + "/broken.journal", "not a journal");
    overwrite(JournalFile::folder() + "/cut.journal", "{\"journal\":1,\"title\":\"Cut\"}\n{\"format\": ");
    const auto more = Document::recoveries();
    QCOMPARE(more.size(), 1);
    QVERIFY(!document.recover(more[0], &reason) && reason.contains("line 1"));
    QVERIFY(document.project() == expected);
    Document::discard(more[0]);
    QVERIFY(Document::recoveries().isEmpty());
}

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("document_test"));
    if (argc > 1 && QByteArray(argv[1]) == "--child")
        return child();
    DocumentTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "document_test.moc"
