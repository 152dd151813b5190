// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/paths.h"
#include "views/text/facts.h"
#include "views/text/finding_sentences.h"
#include "views/text/finding_text.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace cw;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

Quantity figure(double value, double low, double high, Unit unit) { return {value, low, high, unit, noTerm}; }

/// Where findings are made. A code is a literal "subject.what", which in these files means nothing else.
QStringList sourcesThatFind() {
    QStringList files;
    for (const QString& folder : {QStringLiteral("model"), QStringLiteral("estimators")}) {
        QDirIterator all(test::sourcePath(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                         QDirIterator::Subdirectories);
        while (all.hasNext())
            files += all.next();
    }
    return files;
}

QString withoutComments(QString code) { return code.remove(QRegularExpression(QStringLiteral("//[^\n]*"))); }

/// Codes given to findings and to their fixes, with the file that gives them.
QMap<QString, QString> codesIn(const QRegularExpression& pattern) {
    QMap<QString, QString> codes;
    for (const QString& path : sourcesThatFind()) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QString code = withoutComments(QString::fromUtf8(file.readAll()));
        for (auto match = pattern.globalMatch(code); match.hasNext();)
            codes.insert(match.next().captured(1), path);
    }
    return codes;
}

/// "link.use_": completed in the source; some code of the family must have words.
bool isFamily(const QString& code) {
    const auto& fixes = fixSentences();
    return code.endsWith(u'_') &&
        std::any_of(fixes.begin(), fixes.end(), [&](const FixSentence& fix) { return fix.code.starts_with(code.toStdString()); });
}

/// Fields of a part, as derivations name them: "cables.price_usd_low".
bool isField(const QString& code) { return code.startsWith(QStringLiteral("cables.")); }

/// Names in braces of a sentence.
QStringList placeholders(const char* sentence) {
    static const QRegularExpression brace(QStringLiteral(R"(\{(\w+)\})"));
    QStringList names;
    for (auto match = brace.globalMatch(QString::fromUtf8(sentence)); match.hasNext();)
        names += match.next().captured(1);
    return names;
}

} // namespace

class TextTest : public QObject {
    Q_OBJECT

private slots:
    void everyCodeInTheSourcesHasWords() {
        // A literal "subject.what" in model and estimators is the code of a finding, of its fix or of a resource, or begins a family of codes.
        static const QRegularExpression pattern(QStringLiteral(R"re("([a-z][a-z0-9]*\.[a-z0-9_]+)")re"));
        const QMap<QString, QString> codes = codesIn(pattern);
        QVERIFY2(codes.size() > 100, "the pattern no longer finds the codes in the sources");
        QStringList missing;
        for (auto code = codes.begin(); code != codes.end(); ++code) {
            const std::string key = code.key().toStdString();
            if (!hasFindingSentence(key) && !hasFixSentence(key) && !hasResourceName(key) && !isFamily(code.key()) &&
                !isField(code.key()))
                missing += code.key() + QStringLiteral(" (") + code.value() + QStringLiteral(")");
        }
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("no words for ") + missing.join(QStringLiteral(", "))));
    }

    void everySentenceIsSaidBySomebody() {
        static const QRegularExpression pattern(QStringLiteral(R"re("([a-z][a-z0-9]*\.[a-z0-9_]+)")re"));
        const QMap<QString, QString> codes = codesIn(pattern);
        QStringList unused;
        const auto check = [&](std::string_view code) {
            const QString key = QString::fromUtf8(code.data(), qsizetype(code.size()));
            const bool family = std::any_of(codes.keyBegin(), codes.keyEnd(),
                                            [&](const QString& known) { return known.endsWith(u'_') && key.startsWith(known); });
            if (!codes.contains(key) && !family)
                unused += key;
        };
        for (const FindingSentence& sentence : findingSentences())
            check(sentence.code);
        for (const FixSentence& fix : fixSentences())
            check(fix.code);
        QVERIFY2(unused.isEmpty(), qPrintable(unused.join(QStringLiteral(", "))));
    }

    void sentencesWantOnlyArgumentsThatSomebodyGives() {
        static const QRegularExpression key(QStringLiteral(R"re((?:\{|arguments\[)"([a-z][A-Za-z0-9_]*)"(?:,|\]))re"));
        const QMap<QString, QString> given = codesIn(key);
        QStringList unknown;
        const auto check = [&](std::string_view code, const char* text) {
            for (const QString& name : placeholders(text))
                if (!given.contains(name))
                    unknown += QString::fromUtf8(code.data(), qsizetype(code.size())) + QStringLiteral(": ") + name;
        };
        for (const FindingSentence& sentence : findingSentences()) {
            check(sentence.code, sentence.title);
            check(sentence.code, sentence.detail);
        }
        for (const FixSentence& fix : fixSentences())
            check(fix.code, fix.label);
        QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(QStringLiteral(", "))));
    }

    void sentencesFillTheirArguments() {
        Finding finding;
        finding.code = "link.full";
        finding.arguments = {{"link", "Leaf → Spine"}, {"utilisation", "93 %"}, {"load", "6 TB/s"}};
        QCOMPARE(findingTitle(finding), QStringLiteral("Leaf → Spine is 93 % full"));
        QVERIFY(findingDetail(finding).startsWith(QStringLiteral("6 TB/s of ? a direction"))); // not given: "?", never nothing
        QVERIFY(fixLabel(finding).isEmpty());
        finding.fix = Edit{};
        finding.fixCode = "link.double_lanes";
        finding.arguments["lanes"] = "8";
        QCOMPARE(fixLabel(finding), QStringLiteral("Double the cables: 8 lanes"));
    }

    void codesInArgumentsReadAsWords() {
        Finding finding;
        finding.code = "target.missed";
        finding.arguments = {{"workload", "Chat"},
                             {"target", "ttft_p99"},
                             {"wanted", "300 ms"},
                             {"got", "410 ms"},
                             {"binding", "gpu.memory_bandwidth"}};
        QCOMPARE(findingTitle(finding), QStringLiteral("Chat misses its target: TTFT p99"));
        QVERIFY(findingDetail(finding).contains(QStringLiteral("HBM bandwidth")));
    }

    void unknownCodesDegradeToThemselves() {
        Finding finding;
        finding.code = "nobody.knows";
        finding.arguments = {{"a", "1"}, {"b", "2"}};
        QCOMPARE(findingTitle(finding), QStringLiteral("nobody.knows"));
        QCOMPARE(findingDetail(finding), QStringLiteral("a: 1, b: 2"));
        finding.fix = Edit{"Do it", {}, {}};
        QCOMPARE(fixLabel(finding), QStringLiteral("Do it"));
        QCOMPARE(resourceName("gpu.something_new"), QStringLiteral("GPU something new"));
        QCOMPARE(quantityName("some_key"), QStringLiteral("Some key"));
    }

    void unknownIsAQuestionMarkAndAbsentADash() {
        QCOMPARE(quantityText(figure(unknown, unknown, unknown, Unit::watts)), QStringLiteral("?"));
        QCOMPARE(quantityText(std::optional<Quantity>()), QStringLiteral("–"));
        QCOMPARE(quantityText(figure(10200, 10200, 10200, Unit::watts)), QStringLiteral("10.2 kW"));
        QVERIFY(rangeText(figure(unknown, 1, 2, Unit::watts)).isEmpty());
        QVERIFY(rangeText(figure(1, 1, 1, Unit::watts)).isEmpty());
        QCOMPARE(rangeText(figure(1, .5, 2, Unit::one)).count(QStringLiteral(" – ")), 1);
    }

    void changes_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("reference");
        QTest::addColumn<QString>("text");
        QTest::newRow("up") << 112. << 100. << QStringLiteral("▲ 12 %");
        QTest::newRow("down") << 93. << 100. << QStringLiteral("▼ 7.0 %");
        QTest::newRow("same") << 100. << 100. << QStringLiteral("＝");
        QTest::newRow("manifold") << 1500. << 100. << QStringLiteral("▲ ×15.0");
        QTest::newRow("from nothing") << 5. << 0. << QString();
        QTest::newRow("unknown") << unknown << 5. << QString();
    }
    void changes() {
        QFETCH(double, value);
        QFETCH(double, reference);
        QTEST(changeText(figure(value, value, value, Unit::one), figure(reference, reference, reference, Unit::one)).text,
              "text");
    }

    void factsReadWithUnitsAndTrust() {
        PartInfo part;
        part.json =
            R"({"id":"x","name":"X","tdp_w":700,"memory_capacity_gb":80,"price_usd_low":20000,"price_usd_high":30000,"u_height":8,
                        "nics":[{"count":8,"purpose":"compute","speed_gbit_s":400}],"idle_w":null,"liquid_heat_fraction":0.4,"release_year":2023})";
        part.estimatedFields = {"price_usd_high"};
        QMap<QString, QString> values;
        QMap<QString, Provenance> trust;
        for (const FactText& fact : factTexts(part)) {
            values.insert(fact.name, fact.value);
            trust.insert(fact.name, fact.provenance);
        }
        QCOMPARE(values.value(QStringLiteral("TDP")), QStringLiteral("700 W"));
        QCOMPARE(values.value(QStringLiteral("Memory")), QStringLiteral("80.0 GB"));
        QCOMPARE(values.value(QStringLiteral("Price")), QStringLiteral("$ 20 000 – $ 30 000"));
        QCOMPARE(values.value(QStringLiteral("Height")), QStringLiteral("8 U"));
        QCOMPARE(values.value(QStringLiteral("Ports")), QStringLiteral("8×400 Gb/s compute"));
        QCOMPARE(values.value(QStringLiteral("Heat into liquid")), QStringLiteral("40 %"));
        QCOMPARE(values.value(QStringLiteral("Released")), QStringLiteral("2023"));
        QVERIFY(!values.contains(QStringLiteral("Idle power"))); // null is not said
        QVERIFY(trust.value(QStringLiteral("Price")) == Provenance::estimated);
        QVERIFY(trust.value(QStringLiteral("TDP")) == Provenance::read);
    }

    void bottlenecksReadAsASentence() {
        const Bottleneck bottleneck{
            {"network.link", "Leaf → Spine", {}, .93}, ResourceUse{"gpu.memory_bandwidth", "", {}, .71}, .18};
        QCOMPARE(bottleneckTitle(bottleneck), QStringLiteral("Leaf → Spine, 93 % busy"));
        QCOMPARE(bottleneckDetail(bottleneck), QStringLiteral("next: HBM bandwidth · relieving it: +18 % throughput"));
    }
};

QTEST_GUILESS_MAIN(TextTest)
#include "text_test.moc"
