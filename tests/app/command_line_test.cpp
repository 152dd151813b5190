// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program as a command: exit status, what goes to which stream, and that garbage is refused with a reason and nothing else.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

namespace {

struct Outcome {
    int status = -1;
    QByteArray out, error;
};

Outcome run(const QStringList& arguments, const QByteArray& input = {})
{
    QProcess process;
    process.start(qEnvironmentVariable("CW_PROGRAM"), arguments);
    process.write(input);
    process.closeWriteChannel();
    Outcome outcome;
    if (!process.waitForFinished(120'000)) {
        process.kill();
        process.waitForFinished();
        return outcome;
    }
    outcome.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    outcome.out = process.readAllStandardOutput();
    outcome.error = process.readAllStandardError();
    return outcome;
}

QStringList exampleNames()
{
    QStringList names;
    for (const QString& file : QDir(QStringLiteral("resources/examples")).entryList({QStringLiteral("*.cluster.json")}))
        names << file.chopped(static_cast<qsizetype>(sizeof ".cluster.json" - 1));
    return names;
}

} // namespace

class CommandLineTest : public QObject {
    Q_OBJECT
  private slots:
    void estimateSimulates()
    {
        const QStringList arguments{"estimate", "example:serve-7b", "--simulate", "--format", "json"};
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.status, 0);
        QCOMPARE(run(arguments).out, outcome.out); // the same seed, the same bytes
        const QJsonObject alternative = QJsonDocument::fromJson(outcome.out).object()["alternatives"].toArray()[0].toObject();
        const QJsonObject simulated = alternative["workloads"].toArray()[0].toObject()["simulated"].toObject();
        QVERIFY(simulated["requests"].toDouble() > 1000 && simulated["precise"].toBool());
        const QJsonObject p99 = simulated["figures"].toObject()["p99"].toObject();
        QVERIFY(p99["low"].toDouble() < p99["value"].toDouble() && p99["value"].toDouble() < p99["high"].toDouble());
        QVERIFY(p99["closed_form"].toDouble() > 0);
        QVERIFY(run(arguments + QStringList{"--seed", "2"}).out != outcome.out);
        QCOMPARE(run({"estimate", "example:serve-7b", "--seed", "2"}).status, 2); // of what?
        QVERIFY(run({"estimate", "example:serve-7b", "--simulate"}).out.contains("requests simulated"));
        QVERIFY(run({"estimate", "example:serve-7b", "--simulate", "--explain", "p99"}).out.contains("sampling error of the run"));
    }
    void saysWhatIsNotSimulated()
    {
        QTemporaryDir folder;
        const QString idle = folder.filePath(QStringLiteral("idle.cluster.json"));
        QFile shipped(QStringLiteral("resources/examples/serve-7b.cluster.json"));
        QVERIFY(shipped.open(QIODevice::ReadOnly));
        QJsonObject project = QJsonDocument::fromJson(shipped.readAll()).object();
        QJsonArray workloads = project["workloads"].toArray();
        QJsonObject first = workloads[0].toObject();
        first["arrival_rate_per_s"] = 0;
        workloads[0] = first;
        project["workloads"] = workloads;
        QFile file(idle);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(project).toJson()) > 0);
        file.close();
        QVERIFY(run({"estimate", idle, "--simulate"}).error.contains("was not simulated, for no requests arrive"));
        QVERIFY(!run({"estimate", "example:serve-7b", "--simulate"}).error.contains("was not simulated"));
    }
    void helpOfEveryVerb_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("program") << QStringList{"--help"};
        for (const char* verb : {"estimate", "compare", "check", "export", "import", "validate", "examples", "catalog", "bench"})
            QTest::newRow(verb) << QStringList{QString::fromLatin1(verb), "--help"};
    }
    void importsTraces()
    {
        QTemporaryDir folder;
        const QString trace = folder.filePath(QStringLiteral("day.csv")), to = folder.filePath(QStringLiteral("made.cluster.json"));
        QFile file(trace);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.5,100,10\n2023-11-16 18:17:04.5,300,30\n");
        file.close();
        const QStringList arguments{QStringLiteral("import"), trace, QStringLiteral("--from"), QStringLiteral("trace"), QStringLiteral("--to"), to,
                                    QStringLiteral("--workload"), QStringLiteral("Chat & more")};
        for (int round = 0; round < 2; ++round) { // made, then extended
            const Outcome outcome = run(arguments);
            QVERIFY2(outcome.status == 0, outcome.error.constData());
            QFile made(to);
            QVERIFY(made.open(QIODevice::ReadOnly));
            const QJsonArray workloads = QJsonDocument::fromJson(made.readAll()).object()[QStringLiteral("workloads")].toArray();
            QCOMPARE(workloads.size(), 1);
            const QJsonObject workload = workloads.first().toObject();
            QCOMPARE(workload[QStringLiteral("name")].toString(), QStringLiteral("Chat & more"));
            QCOMPARE(workload[QStringLiteral("prompt_tokens")].toDouble(), 200.);
            QCOMPARE(workload[QStringLiteral("arrival_rate_per_s")].toDouble(), 1.);
        }
        const auto refused = [&](QStringList changed) {
            const Outcome outcome = run(changed);
            QCOMPARE(outcome.status, 2);
            QVERIFY(!outcome.error.isEmpty() && outcome.out.isEmpty());
        };
        refused({QStringLiteral("import"), folder.filePath(QStringLiteral("none.csv")), QStringLiteral("--from"), QStringLiteral("trace"),
                 QStringLiteral("--to"), to});
        refused({QStringLiteral("import"), trace, QStringLiteral("--from"), QStringLiteral("magic"), QStringLiteral("--to"), to});
        refused({QStringLiteral("import"), trace, QStringLiteral("--from"), QStringLiteral("trace"), QStringLiteral("--to"),
                 folder.filePath(QStringLiteral("no/such/folder.json"))});
        refused({QStringLiteral("import"), to, QStringLiteral("--from"), QStringLiteral("trace"), QStringLiteral("--to"), to});
    }
    void helpOfEveryVerb()
    {
        QFETCH(QStringList, arguments);
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.contains("Usage") || outcome.out.contains("usage"));
    }

    void checkPassesOnEveryExample_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString& name : exampleNames())
            QTest::newRow(qPrintable(name)) << name;
    }
    void checkPassesOnEveryExample()
    {
        QFETCH(QString, name);
        const Outcome outcome = run({"check", "example:" + name});
        QVERIFY2(outcome.status == 0, outcome.out + outcome.error);
    }

    void validatePrintsErrorsOfRows()
    {
        const QByteArray rows = "id,family,model,gpu,n_gpus,nic_gbps,tp,pp,seq,gbs,vpp,micro_batch,iter_time_s\n"
                                "a,megascale,GPT-3 175B,A100,12288,200,8,8,2048,6144,6,1,6.34\n"
                                "b,megascale,GPT-3 175B,Zeta,12288,200,8,8,2048,6144,6,1,6.34\n";
        const Outcome outcome = run({"validate", "-", "--format", "json"}, rows);
        QCOMPARE(outcome.status, 0);
        const QJsonObject report = QJsonDocument::fromJson(outcome.out).object();
        const QJsonArray all = report["rows"].toArray(), families = report["families"].toArray();
        QCOMPARE(all.size(), 2);
        QVERIFY(qAbs(all[0]["error_pct"].toDouble()) < 10 && all[0]["reason"] == QJsonValue(""));
        QVERIFY(all[1]["predicted"].isNull() && all[1]["error_pct"].isNull() && all[1]["reason"].toString().contains("Zeta"));
        QCOMPARE(families[0]["n"].toInt(), 2);
        QCOMPARE(families[0]["predicted"].toInt(), 1);
        QVERIFY(run({"validate", "-", "--explain", "a"}, rows).out.contains("step time"));
        QCOMPARE(run({"validate", "/no/such.csv"}).status, 2);
        QCOMPARE(run({"validate", "-"}, "no table at all").status, 2);
    }

    void galleryHasItsCases() { QVERIFY(exampleNames().size() >= 10); }

    void estimateJsonHasWhatItPromises()
    {
        const Outcome outcome = run({"estimate", "example:fabric-512", "--format", "json"});
        QCOMPARE(outcome.status, 0);
        const QJsonObject root = QJsonDocument::fromJson(outcome.out).object();
        QCOMPARE(root["schema"].toInt(), 1);
        const QJsonArray alternatives = root["alternatives"].toArray();
        QVERIFY(!alternatives.isEmpty());
        for (const QJsonValue& value : alternatives) {
            const QJsonObject alternative = value.toObject();
            for (const char* key : {"name", "workloads", "power", "racks", "links", "network", "cost", "reliability", "carbon", "findings"})
                QVERIFY2(alternative.contains(QString::fromLatin1(key)), key);
            const QJsonObject workload = alternative["workloads"].toArray().first().toObject();
            const QJsonObject throughput = workload["throughput"].toObject();
            QVERIFY(throughput["low"].toDouble() <= throughput["value"].toDouble());
            QVERIFY(throughput["value"].toDouble() <= throughput["high"].toDouble());
            QVERIFY(throughput["value"].toDouble() > 0);
            QVERIFY(!workload["bottleneck"].toObject()["resource"].toString().isEmpty());
        }
    }

    void explainOpensAFigureToItsFacts()
    {
        const Outcome outcome = run({"estimate", "example:fabric-512", "--explain", "step"});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.contains("H100"));
        const Outcome wrong = run({"estimate", "example:fabric-512", "--explain", "nonsense"});
        QCOMPARE(wrong.status, 2);
        QVERIFY(wrong.error.contains("throughput")); // says what could have been asked for
        QVERIFY(wrong.out.isEmpty());
    }

    void compareNamesAllAlternatives()
    {
        const Outcome outcome = run({"compare", "example:fabric-512"});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.contains("InfiniBand"));
        QVERIFY(outcome.out.contains("baseline"));
        const Outcome csv = run({"compare", "example:fabric-512", "--format", "csv"});
        QVERIFY(csv.out.startsWith("alternative,baseline,of,figure,value"));
    }

    void sameInputSameBytes_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* file : {"report.pdf", "report.html", "bom.csv", "bom.xlsx", "diagram.svg", "diagram.png", "platform.xml"})
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    void sameInputSameBytes()
    {
        QFETCH(QString, file);
        QTemporaryDir folder;
        QByteArray first;
        for (int i = 0; i < 2; ++i) {
            const QString path = folder.filePath(QString::number(i) + file);
            const Outcome outcome = run({"export", "example:bert-small", "--to", path});
            QVERIFY2(outcome.status == 0, outcome.error);
            QFile written(path);
            QVERIFY(written.open(QIODevice::ReadOnly));
            const QByteArray bytes = written.readAll();
            QVERIFY(bytes.size() > 300);
            if (i == 0) {
                first = bytes;
                QTest::qWait(1100); // another second, so that a clock would show
            } else {
                QVERIFY(bytes == first);
            }
        }
    }

    void badInputIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("truncated") << QByteArray("{\"format\":\"clusterwright\",\"schema\":1,\"alternatives\":[{\"id\":\"a\"");
        QTest::newRow("not a project") << QByteArray("[1,2,3]");
        QTest::newRow("wrong type") << QByteArray(R"({"format":"clusterwright","schema":1,"alternatives":[{"id":"a","nodes":[{"id":"n","part":"dgx_h100","count":"many"}]}]})");
        QTest::newRow("huge number") << QByteArray(R"({"format":"clusterwright","schema":1,"alternatives":[{"id":"a","nodes":[{"id":"n","part":"dgx_h100","count":1e400}]}]})");
        QTest::newRow("negative count") << QByteArray(R"({"format":"clusterwright","schema":1,"alternatives":[{"id":"a","nodes":[{"id":"n","part":"dgx_h100","count":-4}]}]})");
        QTest::newRow("NaN") << QByteArray(R"({"format":"clusterwright","schema":1,"site":{"inlet_c":NaN},"alternatives":[]})");
        QTest::newRow("deep nesting") << QByteArray(200'000, '[');
        QTest::newRow("binary") << QByteArray("\x00\xff\xfe\x80PK\x03\x04", 8);
        QTest::newRow("100 MB") << QByteArray(100'000'000, 'x');
    }
    void badInputIsRefused()
    {
        QFETCH(QByteArray, text);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bad.cluster.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        for (const char* verb : {"estimate", "check"}) {
            const Outcome outcome = run({QString::fromLatin1(verb), path});
            QVERIFY2(outcome.status == 2, outcome.out + outcome.error);
            QVERIFY(outcome.out.isEmpty());
            QVERIFY(outcome.error.size() > 10 && outcome.error.size() < 20'000);
        }
        QFile after(path);
        QVERIFY(after.open(QIODevice::ReadOnly));
        QCOMPARE(after.size(), text.size());
    }

    void wrongUsageIsRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no file") << QStringList{"estimate"};
        QTest::newRow("missing file") << QStringList{"estimate", "/nonexistent/x.cluster.json"};
        QTest::newRow("unknown example") << QStringList{"estimate", "example:nothing"};
        QTest::newRow("unknown alternative") << QStringList{"estimate", "example:fabric-512", "--alternative", "zzz"};
        QTest::newRow("unknown workload") << QStringList{"estimate", "example:fabric-512", "--workload", "zzz"};
        QTest::newRow("unknown format") << QStringList{"estimate", "example:fabric-512", "--format", "yaml"};
        QTest::newRow("unknown ending") << QStringList{"export", "example:fabric-512", "--to", "/tmp/x.doc"};
        QTest::newRow("more hosts than SimGrid takes")
            << QStringList{"export", "example:llama-405b-16k", "--to", "x.xml", "--what", "simgrid"};
        QTest::newRow("ending against document") << QStringList{"export", "example:fabric-512", "--to", "x.pdf", "--what", "bom"};
        QTest::newRow("folder that is not there") << QStringList{"export", "example:bert-small", "--to", "/nonexistent/x.csv"};
        QTest::newRow("unknown part") << QStringList{"catalog", "show", "nothing_like_it"};
        QTest::newRow("verb mistyped") << QStringList{"estimat"};
        QTest::newRow("verb that does not exist") << QStringList{"frobnicate", "example:fabric-512"};
        QTest::newRow("unknown option") << QStringList{"--frobnicate"};
        QTest::newRow("unknown measurement") << QStringList{"bench", "--only", "speed_of_light"};
    }
    void wrongUsageIsRefused()
    {
        QFETCH(QStringList, arguments);
        const Outcome outcome = run(arguments);
        QVERIFY2(outcome.status == 2, outcome.out + outcome.error);
        QVERIFY(!outcome.error.isEmpty());
    }

    /// A pipe or a device that has the name of the target must not be replaced by a file.
    void onlyFilesAreReplaced()
    {
        QTemporaryDir folder;
        const QByteArray pipe = folder.filePath("bom.csv").toLocal8Bit();
        QCOMPARE(mkfifo(pipe.constData(), 0600), 0);
        const Outcome outcome = run({"export", "example:bert-small", "--to", QString::fromLocal8Bit(pipe)});
        QCOMPARE(outcome.status, 2);
        struct stat after;
        QCOMPARE(stat(pipe.constData(), &after), 0);
        QVERIFY(S_ISFIFO(after.st_mode));
    }

    void outputThatCannotBeWrittenIsNoSuccess()
    {
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(qEnvironmentVariable("CW_PROGRAM"), {"estimate", "example:bert-small"});
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitCode(), 2);
    }

    void billNamesEveryArticleOnce()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("bom.csv");
        QCOMPARE(run({"export", "example:superpod-h100", "--to", path}).status, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QCOMPARE(text.count(QStringLiteral("\"dgx_h100\"")), 1);
        QVERIFY(text.contains(QStringLiteral("\"Servers\",127,"))); // 32 + 32 + 32 + 31
        QVERIFY(text.contains(QStringLiteral("\"Switches\",48,")));
    }

    void standardInputIsAFile()
    {
        QFile example(QStringLiteral("resources/examples/bert-small.cluster.json"));
        QVERIFY(example.open(QIODevice::ReadOnly));
        const Outcome outcome = run({"compare", "-"}, example.readAll());
        QVERIFY2(outcome.status == 0, outcome.error);
    }

    void catalogIsSound()
    {
        QCOMPARE(run({"catalog", "check"}).status, 0);
        const Outcome show = run({"catalog", "show", "h100_sxm"});
        QCOMPARE(show.status, 0);
        QVERIFY(show.out.contains("memory_bandwidth_gb_s") && show.out.contains("Sources"));
        const Outcome list = run({"catalog", "list", "gpu>=80GB", "--format", "json"});
        QVERIFY(QJsonDocument::fromJson(list.out).array().size() > 3);
    }
};

QTEST_GUILESS_MAIN(CommandLineTest)
#include "command_line_test.moc"
