// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading recorded traces: spellings, summaries against known distributions, bad input, millions of lines, and the published Azure sample
// where it is at hand.
#include "model/io/request_trace.h"
#include "tests/support/paths.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <sstream>

using namespace cw;

namespace {

Expected<TraceSummary> read(const std::string& text) {
    std::istringstream in(text);
    return readTrace(in, "t.csv");
}

/// A trace that is made while it is read, so that ten million lines take no space.
class MadeTrace : public std::streambuf {
public:
    explicit MadeTrace(std::int64_t lines) : m_lines(lines) { set("TIMESTAMP,ContextTokens,GeneratedTokens\n"); }

protected:
    int_type underflow() override {
        if (m_at >= m_lines)
            return traits_type::eof();
        std::string block;
        for (int i = 0; i < 1000 && m_at < m_lines; ++i, ++m_at)
            block += std::to_string(static_cast<double>(m_at) * .01) + "," + std::to_string(100 + m_at % 200) + ",50\n";
        set(block);
        return traits_type::to_int_type(*gptr());
    }

private:
    void set(std::string text) {
        m_block = std::move(text);
        setg(m_block.data(), m_block.data(), m_block.data() + m_block.size());
    }
    std::string m_block;
    std::int64_t m_lines, m_at = 0;
};

} // namespace

class RequestTraceTest : public QObject {
    Q_OBJECT

private slots:
    void spellings_data();
    void spellings();
    void knownDistributions();
    void theMeanDay();
    void outOfOrder();
    void bad_data();
    void bad();
    void unreadableLinesAreCounted();
    void failedRequestsHaveNoAnswer();
    void columnsOfTimes_data();
    void columnsOfTimes();
    void allAtOneTime();
    void tenMillionLines();
    void readingStops();
    void becomesALoad();
    void azureSample();
    void busiestStretchIsKept();
};

void RequestTraceTest::spellings_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("Azure") << QByteArray("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.5000000,100,10\n2023-11-16 18:17:04.5000000,300,30\n");
    QTest::newRow("zones") << QByteArray("TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10T02:00:00.009930+00:00,100,10\n2024-05-10T03:00:01.009930+0100,300,30\n");
    QTest::newRow("BurstGPT") << QByteArray("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,100,10,110,Conversation log\n6,GPT-4,300,30,330,\"API, log\"\n");
    QTest::newRow("quotes, semicolons, carriage returns")
        << QByteArray("\"output_tokens\";\"arrived_at\";\"prompt_tokens\"\r\n\"10\";\"0\";\"100\"\r\n30;1;300\r\n");
    QTest::newRow("milliseconds since 1970") << QByteArray("\xef\xbb\xbftime\tinput_tokens\toutput_tokens\n1700158623000\t100\t10\n1700158624000\t300\t30\n");
}

void RequestTraceTest::spellings() {
    QFETCH(QByteArray, text);
    const auto trace = read(text.toStdString());
    QVERIFY2(trace.has_value(), trace ? "" : trace.error().text().c_str());
    QCOMPARE(trace->requests, 2);
    QCOMPARE(trace->skipped, 0);
    QVERIFY(std::abs(trace->seconds - 1) < 1e-4);
    QCOMPARE(trace->prompt.mean, 200.);
    QCOMPARE(trace->output.mean, 20.);
    QVERIFY(std::abs(trace->prompt.cv - .5) < 1e-12);
    QCOMPARE(trace->prompt.most, 300.);
    QVERIFY(trace->hourly.empty());
}

void RequestTraceTest::knownDistributions() {
    std::mt19937_64 random(3);
    std::exponential_distribution<double> gap(20);
    std::lognormal_distribution<double> prompt(std::log(800), .7);
    std::string text = "t,prompt,output\n";
    double at = 0;
    for (int i = 0; i < 40000; ++i) {
        at += gap(random);
        text += std::to_string(at) + "," + std::to_string(std::lround(prompt(random))) + ",64\n";
    }
    const auto trace = read(text);
    QVERIFY(trace.has_value());
    QVERIFY(std::abs(trace->meanRate / 20 - 1) < .03);
    QVERIFY(std::abs(trace->gapCv - 1) < .03);
    QVERIFY(std::abs(trace->prompt.mean / (800 * std::exp(.245)) - 1) < .03);
    QVERIFY(std::abs(trace->prompt.cv / std::sqrt(std::expm1(.49)) - 1) < .06);
    QVERIFY(std::abs(trace->prompt.p50 / 800 - 1) < .03);
    QVERIFY(std::abs(trace->prompt.p99 / (800 * std::exp(.7 * 2.3263)) - 1) < .06);
    QCOMPARE(trace->output.cv, 0.);
    double inHistogram = 0;
    for (const double count : trace->prompt.histogram)
        inHistogram += count;
    QCOMPARE(inHistogram, 40000.);
    double binned = 0;
    for (const double rate : trace->rates)
        binned += rate * trace->binSeconds;
    QVERIFY(std::abs(binned - 40000) < 1e-6);
    QVERIFY(static_cast<int>(trace->rates.size()) <= mostBins);
    QVERIFY(trace->peakRate >= trace->meanRate);
}

void RequestTraceTest::theMeanDay() {
    // Three days; each hour h has 60 + 10 h requests.
    std::string text = "timestamp,context_tokens,generated_tokens\n";
    for (int hour = 0; hour < 72; ++hour) {
        const int count = 60 + 10 * (hour % 24);
        for (int i = 0; i < count; ++i)
            text += std::to_string(1700006400. + 3600. * hour + 3600. * (i + .5) / count) + ",10,10\n"; // midnight, UTC
    }
    const auto trace = read(text);
    QVERIFY(trace.has_value());
    QCOMPARE(trace->hourly.size(), std::size_t(24));
    QVERIFY(std::abs(trace->busyRate - 290 / 3600.) < .02 * 290 / 3600);
    for (int hour = 0; hour < 24; ++hour)
        QVERIFY(std::abs(trace->hourly[static_cast<std::size_t>(hour)] - (60 + 10 * hour) / 290.) < .02);
}

void RequestTraceTest::outOfOrder() {
    const auto trace = read("t,prompt,output\n100,1,1\n90,2,1\n110,3,1\n");
    QVERIFY(trace.has_value());
    QCOMPARE(trace->outOfOrder, 1);
    QCOMPARE(trace->requests, 3);
    QCOMPARE(trace->start, 90.);
    QCOMPARE(trace->seconds, 20.);
    QVERIFY(std::isnan(trace->gapCv));
}

void RequestTraceTest::bad_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("where");
    QTest::newRow("empty") << QByteArray() << "t.csv";
    QTest::newRow("blank") << QByteArray("\n\n") << "t.csv";
    QTest::newRow("no header") << QByteArray("1,2,3\n4,5,6\n") << "t.csv:1";
    QTest::newRow("only a header") << QByteArray("t,prompt,output\n") << "t.csv";
    QTest::newRow("nothing readable") << QByteArray("t,prompt,output\nyesterday,1,1\n") << "t.csv:2";
    QTest::newRow("too few fields") << QByteArray("t,prompt,output\n1\n") << "t.csv:2";
    QTest::newRow("binary") << QByteArray("\x7f\x45\x4c\x46\x00\x01", 6) << "t.csv:1";
}

void RequestTraceTest::bad() {
    QFETCH(QByteArray, text);
    QFETCH(QString, where);
    const auto trace = read(text.toStdString());
    QVERIFY(!trace.has_value());
    QCOMPARE(QString::fromStdString(trace.error().where), where);
    QVERIFY(!trace.error().message.empty());
}

void RequestTraceTest::unreadableLinesAreCounted() {
    const auto trace = read("t,prompt,output\n1,5,5\n2,five,5\n3,-1,5\n1e300,5,5\nnan,5,5\n4,5,5\n");
    QVERIFY(trace.has_value());
    QCOMPARE(trace->requests, 2);
    QCOMPARE(trace->skipped, 4);
    QCOMPARE(trace->faults.front().where, std::string("t.csv:3"));
    QCOMPARE(trace->faults.front().found, std::string("five"));
    QCOMPARE(trace->seconds, 3.);
}

void RequestTraceTest::failedRequestsHaveNoAnswer() {
    const auto trace = read("t,prompt,output\n1,5,0\n2,5,10\n");
    QVERIFY(trace.has_value());
    QCOMPARE(trace->requests, 2);
    QCOMPARE(trace->output.mean, 10.);
    const auto single = read("t,prompt,output\n1,5,10\n");
    QVERIFY(single.has_value() && single->seconds == 0 && single->meanRate == 0 && single->prompt.cv == 0);
}

void RequestTraceTest::columnsOfTimes_data() {
    QTest::addColumn<QByteArray>("column");
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second"); // two seconds later
    const auto row = [](const char* column, const char* first, const char* second) { QTest::newRow(column) << QByteArray(column) << QByteArray(first) << QByteArray(second); };
    row("ts", "5", "7");
    row("created", "1700158623", "1700158625");
    row("arrival_timestamp", "2023-11-16 18:17:03", "2023-11-16 18:17:05");
    row("time_ms", "500", "2500");
    row("Arrival (s)", "0.5", "2.5");
    row("arrival_s", "0", "2");
    row("timestamp_us", "1700158623000000", "1700158625000000");
    row("time [ns]", "0", "2000000000");
}

void RequestTraceTest::columnsOfTimes() {
    QFETCH(QByteArray, column);
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    const auto trace = read((column + ",isl,osl\n" + first + ",10,5\n" + second + ",10,5\n").toStdString());
    QVERIFY2(trace.has_value(), trace ? "" : trace.error().text().c_str());
    QVERIFY(std::abs(trace->seconds - 2) < 1e-4);
    QCOMPARE(trace->absolute, first.size() >= 10);
}

/// One request, or all at once: there is no rate to take over.
void RequestTraceTest::allAtOneTime() {
    for (const char* lines : {"t,prompt,output\n1,5,10\n", "t,prompt,output\n1,5,10\n1,7,10\n"}) {
        const auto trace = read(lines);
        QVERIFY(trace.has_value() && trace->busyRate == 0);
        Workload workload;
        LlmServing spec;
        spec.arrivalRate = 3;
        workload.spec = spec;
        QVERIFY(applyTrace(workload, *trace, "t.csv"));
        QCOMPARE(std::get<LlmServing>(workload.spec).arrivalRate, 3.);
        QCOMPARE(std::get<LlmServing>(workload.spec).output.mean, 10.);
    }
}

void RequestTraceTest::tenMillionLines() {
    constexpr std::int64_t lines = 10'000'000;
    MadeTrace made(lines);
    std::istream in(&made);
    std::int64_t reported = 0;
    const auto trace = readTrace(in, "made", [&](std::int64_t at) { reported = at; return true; });
    QVERIFY(trace.has_value());
    QCOMPARE(trace->requests, lines);
    QVERIFY(reported > lines / 2);
    QVERIFY(std::abs(trace->meanRate - 100) < 1e-3);
    QVERIFY(trace->gapCv < .01);
    QVERIFY(std::abs(trace->prompt.mean - 199.5) < 1e-6);
    QVERIFY(static_cast<int>(trace->rates.size()) <= mostBins);
    QCOMPARE(trace->hourly.size(), std::size_t(24));
}

void RequestTraceTest::readingStops() {
    MadeTrace made(1'000'000);
    std::istream in(&made);
    QVERIFY(!readTrace(in, "made", [](std::int64_t) { return false; }).has_value());
}

void RequestTraceTest::becomesALoad() {
    const auto trace = read("t,prompt,output\n0,100,10\n1,300,30\n2,200,20\n");
    QVERIFY(trace.has_value());
    Workload chat;
    chat.spec = LlmServing{};
    std::get<LlmServing>(chat.spec).concurrency = 5;
    QVERIFY(applyTrace(chat, *trace, "t.csv"));
    QVERIFY(applyTrace(chat, *trace, "t.csv"));
    const auto& serving = std::get<LlmServing>(chat.spec);
    QCOMPARE(serving.arrivalRate, 1.);
    QCOMPARE(serving.prompt.mean, 200.);
    QCOMPARE(serving.output.mean, 20.);
    QVERIFY(chat.flow.recorded);
    QCOMPARE(chat.flow.recorded->at, (std::vector<double>{0, 1, 2}));
    QCOMPARE(chat.flow.recorded->prompts, (std::vector<double>{100, 300, 200}));
    QCOMPARE(chat.flow.arrivalCv, 0.);
    QVERIFY(!serving.concurrency);
    QCOMPARE(QString::fromStdString(chat.notes).count("t.csv"), 1);
    Workload stream;
    stream.spec = Stream{};
    QVERIFY(applyTrace(stream, *trace, "t.csv"));
    QCOMPARE(std::get<Stream>(stream.spec).eventRate, 1.);
    Workload training;
    training.spec = LlmTraining{};
    QVERIFY(!applyTrace(training, *trace, "t.csv"));
}

void RequestTraceTest::azureSample() {
    CW_REQUIRE_SHARED(path, "samples/traces/azure-llm-2023-code.csv");
    const auto trace = readTraceFile(path.toStdString());
    QVERIFY2(trace.has_value(), trace ? "" : trace.error().text().c_str());
    QCOMPARE(trace->requests, 8819);
    QCOMPARE(trace->skipped, 0);
    QVERIFY(std::abs(trace->prompt.mean - 2048) < 2); // published: 2048 and 28 tokens on average
    QVERIFY(std::abs(trace->output.mean - 28) < 1);
    QVERIFY(trace->seconds > 3000 && trace->seconds < 4000);
    QVERIFY(trace->hourly.empty());
    QCOMPARE(trace->recorded->at.size(), std::size_t(8819));
    QVERIFY(std::abs(std::accumulate(trace->recorded->prompts.begin(), trace->recorded->prompts.end(), 0.) / 8819 - trace->prompt.mean) < 1e-6);
}

/// Of a long trace the stretch about its busiest time is kept, in order, whatever the order of the lines.
void RequestTraceTest::busiestStretchIsKept() {
    std::string text = "time,input,output\n";
    std::vector<double> times;
    for (int i = 0; i < 30000; ++i)
        times.push_back(10. * i);
    for (int i = 0; i < 9000; ++i)
        times.push_back(200000 + .5 * i); // twenty times the rate for an hour and a quarter
    for (std::size_t i = 0; i < times.size(); ++i)
        text += std::to_string(times[(i * 7919) % times.size()]) + ",10,0\n";
    const auto trace = read(text);
    QVERIFY(trace.has_value() && trace->recorded);
    const RecordedRequests& kept = *trace->recorded;
    QVERIFY(kept.at.size() > 9000 && kept.at.size() <= mostRecorded);
    QVERIFY(std::is_sorted(kept.at.begin(), kept.at.end()) && kept.at.front() == 0);
    const auto dense = std::count_if(kept.at.begin() + 1, kept.at.end(), [before = 0.](double at) mutable { return at - std::exchange(before, at) < .6; });
    QVERIFY(dense > 8500);
    QCOMPARE(kept.outputs.front(), 1.); // none was recorded; a token is the least
    QVERIFY(!read("time,input\n5,10\n5,11\n")->recorded); // all at once: no rate
}

QTEST_GUILESS_MAIN(RequestTraceTest)
#include "request_trace_test.moc"
