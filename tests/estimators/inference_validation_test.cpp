// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of inference measurements: what is understood of their columns, the spellings of parallel sizes, rows that are refused and why,
// and the exact values of queues.
#include "estimators/validation/serving_fields.h"
#include "estimators/validation/validation.h"

#include <QtTest>

#include <cmath>

using namespace cw;

namespace {

ValidationReport validated(const std::string& text, std::string_view file) {
    ValidationReport report;
    const auto table = parseCsv(text, file);
    if (table)
        if (const auto added = addValidation(report, *table, shippedCatalog()); !added)
            qWarning("%s", added.error().text().c_str());
    addStatistics(report);
    return report;
}

const ValidatedRow* find(const ValidationReport& report, std::string_view id, std::string_view quantity = {}) {
    for (const ValidatedRow& row : report.rows)
        if (row.id == id && (quantity.empty() || row.prediction.quantity == quantity))
            return &row;
    return nullptr;
}

double predicted(const ValidationReport& report, std::string_view id, std::string_view quantity = {}) {
    const ValidatedRow* row = find(report, id, quantity);
    if (row && !row->prediction.known())
        qWarning("%s: %s", row->id.c_str(), row->prediction.reason.c_str());
    return row ? row->prediction.predicted : std::numeric_limits<double>::quiet_NaN();
}

bool refused(const ValidationReport& report, std::string_view id, std::string_view because) {
    const ValidatedRow* row = find(report, id);
    if (!row || row->prediction.known() || row->prediction.reason.find(because) == std::string::npos) {
        qWarning("%s: %s", std::string(id).c_str(), row ? row->prediction.reason.c_str() : "no row");
        return false;
    }
    return true;
}

constexpr const char* siliconHeader = "id,backend,version,model,system,precision,isl,osl,concurrency,batch_size,tp,attention_dp,moe_tp,moe_ep,ttft_ms,tpot_ms\n";

} // namespace

class InferenceValidationTest : public QObject {
    Q_OBJECT

private slots:
    void exactQueues();
    void queueSpellings_data();
    void queueSpellings();
    void unstableQueuesAreRefused();
    void layoutsAreTakenApart_data();
    void layoutsAreTakenApart();
    void twinsAgree();
    void impossibleRowsAreRefused();
    void lengthsOfCampaigns();
    void missingColumns();
    void formatsOfFourBits();
    void latencyRows();
    void cappedPowerSlowsPromptsOnly();
    void mlperfRows();
    void cpuRows();
    void columnsDecideTheKind();
};

void InferenceValidationTest::exactQueues() {
    // M/M/2 at rho .75: Erlang C .642857; M/D/1 at rho .5: half of M/M/1's wait.
    const ValidationReport report = validated("id,kind,model,lambda_per_s,service_time_ms,servers,scv,prob_wait,wait_mean_ms,wait_p99_ms\n"
                                              "mm2,analytic,M/M/c,15,100,2,1,0.642857,128.571,832.6\n"
                                              "md1,analytic,M/D/1,5,100,1,,0.5,50,\n"
                                              "mg1,analytic,M/G/1,5,100,1,4,0.5,250,\n",
                                              "queueing.csv");
    QVERIFY(std::abs(predicted(report, "mm2", "prob_wait") - .642857142857) < 1e-9);
    QVERIFY(std::abs(predicted(report, "mm2", "wait_mean_ms") - 128.571428571) < 1e-6);
    QVERIFY(std::abs(predicted(report, "mm2", "wait_p99_ms") - std::log(.642857142857 / .01) / 5 * 1e3) < 1e-3);
    QVERIFY(std::abs(predicted(report, "md1", "wait_mean_ms") - 50) < 1e-9);
    QVERIFY(std::abs(predicted(report, "mg1", "wait_mean_ms") - 250) < 1e-9);
    for (const FamilyStatistics& family : report.families)
        QVERIFY(family.n == family.predicted && family.max < .01);
}

void InferenceValidationTest::queueSpellings_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("rates") << QByteArray("id,queue,lambda,mu,c,cs2,wq_ms\na,M/M/c,15,10,2,1,128.571\n");
    QTest::newRow("load and service") << QByteArray("id,queue_type,rho,mean_service_ms,n_servers,wait_mean_ms\na,mmc,0.75,100,2,128.571\n");
    QTest::newRow("load in per cent, seconds") << QByteArray("id,model,utilisation_pct,service_time_s,servers,cv,wait_mean_s\na,M/G/c,75,0.1,2,1,0.128571\n");
    QTest::newRow("load and rate") << QByteArray("id,model,rho,arrival_rate_per_s,servers,mean_wait_us\na,M/M/2,0.75,15,2,128571\n");
}

void InferenceValidationTest::queueSpellings() {
    QFETCH(QByteArray, text);
    const ValidationReport report = validated(text.toStdString(), "queueing.csv");
    QCOMPARE(report.rows.size(), std::size_t(1));
    QVERIFY2(report.rows.front().prediction.known(), report.rows.front().prediction.reason.c_str());
    QVERIFY(std::abs(report.rows.front().prediction.errorPercent()) < .01);
}

void InferenceValidationTest::unstableQueuesAreRefused() {
    const ValidationReport report = validated("id,lambda,mu,c,wait_mean_ms\na,21,10,2,100\nb,,,,5\n", "queueing.csv");
    QVERIFY(refused(report, "a", "unstable"));
    QVERIFY(refused(report, "b", "not given"));
}

void InferenceValidationTest::layoutsAreTakenApart_data() {
    QTest::addColumn<QByteArray>("sizes");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("data");
    QTest::newRow("plain") << QByteArray("8,1,1,8") << 8 << 1;
    QTest::newRow("expert size multiplied in") << QByteArray("64,1,8,8") << 8 << 1;
    QTest::newRow("the same with attention data parallel") << QByteArray("1,64,8,8") << 1 << 8;
    QTest::newRow("attention data parallel") << QByteArray("8,8,1,64") << 1 << 8;
    QTest::newRow("only the experts' sizes") << QByteArray("1,1,2,1") << 2 << 1;
    QTest::newRow("data parallel as it is") << QByteArray("1,8,1,8") << 1 << 8;
}

void InferenceValidationTest::layoutsAreTakenApart() {
    QFETCH(QByteArray, sizes);
    QFETCH(int, tensor);
    QFETCH(int, data);
    const auto table = parseCsv("tp,attention_dp,moe_tp,moe_ep\n" + sizes.toStdString() + "\n", "inference_silicon.csv");
    QVERIFY(table.has_value());
    const std::span<const Field> spans[] = {commonFields(), servingFields()};
    const Columns columns(table->header, spans);
    const ReplicaLayout layout = servedLayout(Row(*table, columns, table->records.front()));
    QCOMPARE(layout.tensor, tensor);
    QCOMPARE(layout.attentionData, data);
}

void InferenceValidationTest::twinsAgree() {
    const ValidationReport report = validated(std::string(siliconHeader) + "one,sglang,0.5,deepseek-ai/DeepSeek-V3,b200_sxm,fp8,1024,1024,64,,8,1,1,8,500,20\n"
                                                                           "two,sglang,0.5,deepseek-ai/DeepSeek-V3,b200_sxm,fp8,1024,1024,,64,64,1,8,8,500,20\n",
                                              "inference_silicon.csv");
    QCOMPARE(predicted(report, "one", "tpot_ms"), predicted(report, "two", "tpot_ms")); // a missing concurrency is the batch size
    QVERIFY(predicted(report, "one", "tpot_ms") > 5);
}

void InferenceValidationTest::impossibleRowsAreRefused() {
    const ValidationReport report
        = validated(std::string(siliconHeader) + "fast,vllm,0.12,Qwen/Qwen3-32B,h100_sxm,fp8,15000,500,448,,4,1,1,1,100,5\n"
                                                 "mixed,trtllm,1,deepseek-ai/DeepSeek-R1,gb200,fp4,8192,1024,2252,,12,1,1,12,900,30\n"
                                                 "apart,trtllm,1,deepseek-ai/DeepSeek-R1,gb200,fp4,,,16,,8,1,1,8,900,30\n",
                    "inference_silicon.csv");
    QVERIFY(refused(report, "fast", "peak arithmetic"));
    QVERIFY(refused(report, "mixed", "does not divide"));
    QVERIFY(refused(report, "apart", "lengths"));
}

void InferenceValidationTest::lengthsOfCampaigns() {
    // InferenceX draws .8 to 1 of the nominal lengths, so its prompts are shorter than those of a sweep of equal lengths.
    const ValidationReport report = validated(std::string(siliconHeader) + "drawn,vllm,0.9,meta-llama/Llama-3.1-70B,h200_sxm,fp8,8192,1024,4,,8,1,1,1,500,20\n"
                                                                           "stated,vllm,0.9,meta-llama/Llama-3.1-70B,h200_sxm,fp8,7373,922,4,,8,1,1,1,500,20\n"
                                                                           "longer,vllm,0.9,meta-llama/Llama-3.1-70B,h200_sxm,fp8,8193,1024,4,,8,1,1,1,500,20\n",
                                              "inference_silicon.csv");
    const double drawn = predicted(report, "drawn", "tpot_ms"), stated = predicted(report, "stated", "tpot_ms"), longer = predicted(report, "longer", "tpot_ms");
    QVERIFY(std::abs(drawn / stated - 1) < .01);
    QVERIFY(longer > stated);
    QVERIFY(find(report, "drawn")->prediction.note.find("nominal") != std::string::npos);
}

void InferenceValidationTest::missingColumns() {
    const ValidationReport report = validated("id,model,gpu,ttft_ms\na,nothing-7b,h100,5\nb,llama3-70b,abacus,5\nc,llama3-70b,,5\n", "inference_silicon.csv");
    QVERIFY(refused(report, "a", "no model"));
    QVERIFY(refused(report, "b", "no device"));
    QVERIFY(refused(report, "c", "no device"));
}

void InferenceValidationTest::formatsOfFourBits() {
    const Catalog& catalog = shippedCatalog();
    const auto formatsOf = [&](const char* precision, const char* model, const char* gpu) {
        const auto table = parseCsv(std::string("id,precision\na,") + precision + "\n", "t.csv");
        const std::span<const Field> spans[] = {commonFields(), servingFields()};
        const Columns columns(table->header, spans);
        return servedFormats(Row(*table, columns, table->records.front()), *catalog.find<NeuralModel>(PartId(model)), catalog.find<Gpu>(PartId(gpu)), Precision::bf16);
    };
    QCOMPARE(formatsOf("nvfp4", "llama3_70b", "b200_sxm").weights, Precision::nvfp4);
    QCOMPARE(formatsOf("nvfp4", "gpt_oss_120b", "h100_sxm").weights, Precision::mxfp4);
    QCOMPARE(formatsOf("fp4", "gpt_oss_120b", "b200_sxm").weights, Precision::mxfp4);
    QCOMPARE(formatsOf("int4", "kimi_k2", "h200_sxm").kv, Precision::bf16);
    QCOMPARE(formatsOf("fp8", "llama3_70b", "h200_sxm").kv, Precision::fp8);
    QCOMPARE(formatsOf("w4a16_awq", "llama3_70b", "h200_sxm").weights, Precision::int4);
    QCOMPARE(formatsOf("-", "llama3_70b", "h200_sxm").weights, Precision::bf16);
}

void InferenceValidationTest::latencyRows() {
    const ValidationReport report = validated("id,model,hardware,prompt_size,batch_size,token_size,tp,prefill_ms,decode_ms_per_token,avg_power_frac_tdp\n"
                                              "a,llama2-70b,a100-80gb,1024,1,128,8,150,45,0.5\n"
                                              "b,llama2-70b,h100-80gb,1024,1,128,8,100,30,0.5\n"
                                              "c,llama2-70b,h100-80gb,1024,1,128,7,100,30,0.5\n",
                                              "inference_latency.csv");
    // The host of 2023 launches 80 layers at 557 and 372 microseconds; that is what a token takes.
    QVERIFY(std::abs(predicted(report, "a", "decode_ms_per_token") - 44.7) < 1.5);
    QVERIFY(std::abs(predicted(report, "b", "decode_ms_per_token") - 29.9) < 1.5);
    QVERIFY(predicted(report, "a", "prefill_ms") > predicted(report, "b", "prefill_ms"));
    const double power = predicted(report, "a", "avg_power_frac_tdp");
    QVERIFY(power > .29 && power < 1);
    QVERIFY(refused(report, "c", "heads"));
}

void InferenceValidationTest::cappedPowerSlowsPromptsOnly() {
    const ValidationReport report = validated("id,model,hardware,prompt_size,batch_size,token_size,tp,prefill_ms,decode_ms_per_token\n"
                                              "free,llama2-70b,h100-80gb,4096,2,128,8,100,30\n"
                                              "capped,llama2-70b,h100-80gb-pcap,4096,2,128,8,100,30\n",
                                              "inference_latency.csv");
    const double ratio = predicted(report, "capped", "prefill_ms") / predicted(report, "free", "prefill_ms");
    QVERIFY(ratio > 1.15 && ratio < 1.42);
    QVERIFY(std::abs(predicted(report, "capped", "decode_ms_per_token") / predicted(report, "free", "decode_ms_per_token") - 1) < .01);
}

void InferenceValidationTest::mlperfRows() {
    const ValidationReport report = validated("id,benchmark,scenario,accelerator,n_accelerators,tokens_per_s,samples_per_s,ttft_p99_ms,tpot_p99_ms\n"
                                              "off,llama2-70b-99,Offline,NVIDIA H100-SXM-80GB,8,24000,81.6,,\n"
                                              "srv,llama2-70b-99,Server,NVIDIA H100-SXM-80GB,8,21000,71.4,900,170\n"
                                              "int,llama2-70b-99,Interactive,NVIDIA H100-SXM-80GB,8,14000,47,300,36\n"
                                              "res,resnet,Offline,NVIDIA H100-SXM-80GB,8,,700000,,\n"
                                              "dlrm,dlrm-v2-99,Offline,NVIDIA H100-SXM-80GB,8,,700000,,\n"
                                              "jet,llama2-70b-99,Offline,NVIDIA Jetson AGX Orin 64G,1,10,1,,\n",
                                              "mlperf_inference.csv");
    const double offline = predicted(report, "off", "tokens_per_s"), server = predicted(report, "srv", "tokens_per_s"), interactive = predicted(report, "int", "tokens_per_s");
    QVERIFY(offline > server && server > interactive && interactive > 0); // stricter targets carry less
    QVERIFY(predicted(report, "srv", "ttft_p99_ms") <= 2000 && predicted(report, "srv", "tpot_p99_ms") <= 200); // within the targets
    QVERIFY(predicted(report, "int", "ttft_p99_ms") <= 450 && predicted(report, "int", "tpot_p99_ms") <= 40);
    QVERIFY(predicted(report, "res") > 1e4);
    QVERIFY(refused(report, "dlrm", "no model"));
    QVERIFY(refused(report, "jet", "no device"));
}

void InferenceValidationTest::cpuRows() {
    const ValidationReport report = validated("id,cpu,sockets,channels,mts,model,file_gb,params_b,software,numa,decode_tokens_per_s\n"
                                              "default,2x EPYC 9175F,2,12,5600,Llama-3.1-70B,40,,llama.cpp,default,10\n"
                                              "fixed,2x EPYC 9175F,2,12,5600,Llama-3.1-70B,40,,llama.cpp,numa distribute,18\n"
                                              "one,EPYC 9354,1,12,4800,unknown-13B,7.9,13,llama.cpp,,30\n"
                                              "none,Abacus 3000,1,,,Llama-3.1-70B,40,,llama.cpp,,3\n",
                                              "cpu_inference.csv");
    const double bandwidth = 24 * 8 * 5600e6;
    QVERIFY(std::abs(predicted(report, "default") - .41 * bandwidth / 40e9) < 1e-6);
    QVERIFY(std::abs(predicted(report, "fixed") - .74 * bandwidth / 40e9) < 1e-6);
    QVERIFY(std::abs(predicted(report, "one") - .57 * 12 * 8 * 4800e6 / 7.9e9) < 1e-6);
    QVERIFY(refused(report, "none", "bandwidth"));
}

void InferenceValidationTest::columnsDecideTheKind() {
    const auto kind = [](const char* header) {
        const auto table = parseCsv(std::string(header) + "\n", "table.csv");
        const FileKind* found = table ? kindOf(*table) : nullptr;
        return found ? std::string(found->name) : std::string();
    };
    QCOMPARE(kind("model,gpu,isl,osl,concurrency,ttft_ms,tpot_ms"), std::string("inference_silicon"));
    QCOMPARE(kind("model,hardware,prompt_size,prefill_ms,decode_ms_per_token"), std::string("inference_latency"));
    QCOMPARE(kind("benchmark,scenario,accelerator,tokens_per_s"), std::string("mlperf_inference"));
    QCOMPARE(kind("cpu,channels,model,decode_tokens_per_s"), std::string("cpu_inference"));
    QCOMPARE(kind("lambda,mu,c,prob_wait"), std::string("queueing"));
}

QTEST_GUILESS_MAIN(InferenceValidationTest)
#include "inference_validation_test.moc"
