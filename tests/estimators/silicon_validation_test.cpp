// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of first and further tokens by concurrency: the spellings of parallel sizes, what is known of the campaigns, prefill and decode
// apart, rows that are refused and why.
#include "estimators/validation/serving_fields.h"
#include "tests/estimators/validated_table.h"

#include <QtTest>

using namespace cw;
using namespace cw::test;

namespace {

constexpr const char* siliconHeader = "id,backend,version,model,system,precision,isl,osl,concurrency,batch_size,tp,attention_dp,moe_tp,moe_ep,ttft_ms,tpot_ms\n";

} // namespace

class SiliconValidationTest : public QObject {
    Q_OBJECT

private slots:
    void layoutsAreTakenApart_data();
    void layoutsAreTakenApart();
    void twinsAgree();
    void impossibleRowsAreRefused();
    void contradictionsAreRefused();
    void cachedPromptsAreRefused();
    void lengthsOfCampaigns();
    void promptsHeldBack();
    void oneRequestMoreThanPlaces();
    void lockstepOfReleases();
    void prefillAndDecodeApart();
    void missingColumns();
    void formatsOfFourBits();
    void ratesOfDevicesAndUsers();
};

void SiliconValidationTest::layoutsAreTakenApart_data() {
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

void SiliconValidationTest::layoutsAreTakenApart() {
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

void SiliconValidationTest::twinsAgree() {
    const ValidationReport report = validated(std::string(siliconHeader) + "one,sglang,0.5,deepseek-ai/DeepSeek-V3,b200_sxm,fp8,1024,1024,64,,8,1,1,8,500,20\n"
                                                                           "two,sglang,0.5,deepseek-ai/DeepSeek-V3,b200_sxm,fp8,1024,1024,,64,64,1,8,8,500,20\n",
                                              "inference_silicon.csv");
    QCOMPARE(predicted(report, "one", "tpot_ms"), predicted(report, "two", "tpot_ms")); // a missing concurrency is the batch size
    QVERIFY(predicted(report, "one", "tpot_ms") > 5);
}

void SiliconValidationTest::impossibleRowsAreRefused() {
    const ValidationReport report
        = validated(std::string(siliconHeader) + "fast,vllm,0.12,Qwen/Qwen3-32B,h100_sxm,fp8,15000,500,448,,4,1,1,1,100,5\n"
                                                 "mixed,trtllm,1,deepseek-ai/DeepSeek-R1,gb200,fp4,8192,1024,2252,,12,1,1,12,900,30\n"
                                                 "apart,trtllm,1,deepseek-ai/DeepSeek-R1,gb200,fp4,,,16,,8,1,1,8,900,30\n",
                    "inference_silicon.csv");
    QVERIFY(refused(report, "fast", "peak arithmetic"));
    QVERIFY(refused(report, "mixed", "does not divide"));
    QVERIFY(refused(report, "apart", "lengths"));
}

void SiliconValidationTest::contradictionsAreRefused() {
    const ValidationReport report = validated(std::string(siliconHeader) + "two,trtllm,1.3,Qwen/Qwen3-32B,gb200,,4000,1000,64,16,2,1,1,1,685,133\n"
                                                                           "ranks,vllm,0.19,MiniMaxAI/MiniMax-M2.5,b200_sxm,fp8,1024,1024,64,16,1,4,1,4,200,20\n"
                                                                           "same,trtllm,1.3,Qwen/Qwen3-32B,gb200,,4000,1000,64,64,2,1,1,1,685,20\n",
                                              "inference_silicon.csv");
    QVERIFY(refused(report, "two", "contradict"));
    QVERIFY(predicted(report, "ranks", "tpot_ms") > 0); // a batch on each of four ranks
    QVERIFY(predicted(report, "same", "tpot_ms") > 0);
}

void SiliconValidationTest::cachedPromptsAreRefused() {
    // 96 prompts of 4000 tokens and 500 steps in 8.7 s: reading weights and cache alone takes 3.7 s, the prompts' arithmetic 2.7 s at the peak.
    const ValidationReport report = validated(std::string(siliconHeader) + "cached,vllm,0.12,meta-llama/Llama-3.1-8B,h200_sxm,fp8,4000,500,96,96,1,1,1,1,121,17.1\n"
                                                                           "read,vllm,0.12,meta-llama/Llama-3.1-8B,h200_sxm,fp8,4000,500,96,96,1,1,1,1,700,27\n",
                                              "inference_silicon.csv");
    QVERIFY(refused(report, "cached", "decoding leaves"));
    // One of 512 users waits 285 s for an answer of 4.6 s: eight are served at a time, and the cache would hold them all.
    // 140 GB of weights in 5 ms on two devices are more than their memory streams.
    const ValidationReport limits = validated(std::string(siliconHeader) + "limited,vllm,0.11,openai/gpt-oss-120b,h100_sxm,fp4,1024,1024,512,512,8,1,8,1,285000,5.0\n"
                                                                           "quick,vllm,0.11,meta-llama/Llama-3.1-70B,h100_sxm,bf16,1000,1000,4,4,2,1,1,1,200,5\n",
                                              "inference_silicon.csv");
    QVERIFY(refused(limits, "limited", "does not say"));
    QVERIFY(refused(limits, "quick", "memory bandwidth"));
    QVERIFY(predicted(report, "read", "ttft_ms") > 0);
}

void SiliconValidationTest::lengthsOfCampaigns() {
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

void SiliconValidationTest::promptsHeldBack() {
    // The campaign's scripts hold prompts of 1k/1k back for up to 20 steps where fewer than eight devices serve the model.
    const std::string head = siliconHeader;
    const auto row = [](const char* id, const char* lengths, int tensor) {
        return std::string(id) + ",trtllm,,meta-llama/Llama-3.1-70B,h200_sxm,fp8," + lengths + ",8,8," + std::to_string(tensor) + ",1,1,1,300,12\n";
    };
    const ValidationReport report = validated(head + row("held", "1024,1024", 4) + row("plain", "1024,8192", 4) + row("eight", "1024,1024", 8), "inference_silicon.csv");
    const double held = predicted(report, "held", "ttft_ms"), plain = predicted(report, "plain", "ttft_ms"), step = predicted(report, "held", "tpot_ms");
    QVERIFY(held - plain > 15 * step && held - plain < 21 * step);
    QVERIFY(predicted(report, "eight", "ttft_ms") < plain);
    QVERIFY(find(report, "held")->prediction.note.find("held back") != std::string::npos);
}

void SiliconValidationTest::oneRequestMoreThanPlaces() {
    // A prompt waits until one of the others has ended: a cycle over the number of users.
    const auto row = [](const char* id, const char* version) {
        return std::string(id) + ",trtllm," + version + ",meta-llama/Llama-3.1-8B-Instruct,h100_sxm,,1024,512,8,8,1,1,1,1,550,7.4\n";
    };
    const ValidationReport report = validated(siliconHeader + row("sweep", "1.0.0rc3") + row("other", "1.1.0"), "inference_silicon.csv");
    const double cycle = predicted(report, "other", "ttft_ms") + 511 * predicted(report, "other", "tpot_ms");
    QVERIFY(std::abs((predicted(report, "sweep", "ttft_ms") - predicted(report, "other", "ttft_ms")) / (cycle / 8) - 1) < .15);
}

void SiliconValidationTest::lockstepOfReleases() {
    const auto row = [](const char* id, const char* version) {
        return std::string(id) + ",sglang," + version + ",Qwen/Qwen3-32B,h100_sxm,,2000,500,64,64,4,1,1,1,800,30\n";
    };
    const ValidationReport report = validated(siliconHeader + row("old", "0.5.1.post1") + row("new", "0.5.6.post2") + row("unsaid", ""), "inference_silicon.csv");
    QVERIFY(predicted(report, "old", "ttft_ms") > 2 * predicted(report, "new", "ttft_ms"));
    QVERIFY(predicted(report, "old", "tpot_ms") < predicted(report, "new", "tpot_ms")); // the same work in the same cycle
    QCOMPARE(predicted(report, "unsaid", "ttft_ms"), predicted(report, "new", "ttft_ms"));
}

void SiliconValidationTest::prefillAndDecodeApart() {
    const std::string head = "id,backend,model,system,precision,mode,isl,osl,concurrency,prefill_num_workers,prefill_tp_size,decode_num_workers,decode_tp_size,ttft_ms,tpot_ms\n";
    const std::string shape = ",trtllm,meta-llama/Llama-3.1-70B,h200_sxm,fp8,disagg,4000,500,64,";
    const ValidationReport report = validated(head + "one" + shape + "1,4,1,4,900,12\n" + "two" + shape + "2,4,1,4,600,12\n" + "wide" + shape + "1,4,1,8,900,9\n" + "unsaid" + shape + ",4,,4,900,12\n"
                                                  + "rack,trtllm,meta-llama/Llama-3.1-70B,gb200,fp8,disagg,4000,500,64,1,4,1,4,900,12\n",
                                              "inference_silicon.csv");
    QVERIFY(predicted(report, "one", "ttft_ms") > predicted(report, "two", "ttft_ms")); // more prompts abreast
    QVERIFY(predicted(report, "one", "tpot_ms") > predicted(report, "wide", "tpot_ms"));
    QVERIFY(predicted(report, "rack", "tpot_ms") > 1);
    QVERIFY(refused(report, "unsaid", "how many workers"));
}

void SiliconValidationTest::missingColumns() {
    const ValidationReport report = validated("id,model,gpu,ttft_ms\na,nothing-7b,h100,5\nb,llama3-70b,abacus,5\nc,llama3-70b,,5\n", "inference_silicon.csv");
    QVERIFY(refused(report, "a", "no model"));
    QVERIFY(refused(report, "b", "no device"));
    QVERIFY(refused(report, "c", "no device"));
}

void SiliconValidationTest::formatsOfFourBits() {
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
    QCOMPARE(formatsOf("w4a8", "llama3_70b", "h200_sxm").weights, Precision::int4);
    QCOMPARE(formatsOf("e4m3", "llama3_70b", "h200_sxm").weights, Precision::fp8);
    QCOMPARE(formatsOf("float8", "llama3_70b", "h200_sxm").weights, Precision::fp8);
    QVERIFY(!formatsOf("abc", "llama3_70b", "h200_sxm").why.empty());
    QVERIFY(formatsOf("auto", "llama3_70b", "h200_sxm").why.empty());
    QCOMPARE(formatsOf("-", "llama3_70b", "h200_sxm").weights, Precision::bf16);
}

void SiliconValidationTest::ratesOfDevicesAndUsers() {
    const ValidationReport report = validated("id,model,hw,precision,isl,osl,conc,tp,tpot_ms,intvty,tokens_per_s,tokens/s/gpu,tput_per_gpu\n"
                                              "a,llama3-70b,h100,fp8,2000,500,16,4,20,50,700,175,900\n",
                                              "inference_silicon.csv");
    const double rate = predicted(report, "a", "tokens_per_s");
    QVERIFY(rate > 0);
    QCOMPARE(predicted(report, "a", "intvty"), 1e3 / predicted(report, "a", "tpot_ms"));
    QCOMPARE(predicted(report, "a", "tokens/s/gpu"), rate / 4);
    QCOMPARE(predicted(report, "a", "tput_per_gpu"), rate / 4 * 5); // prompts and answers
}

QTEST_GUILESS_MAIN(SiliconValidationTest)
#include "silicon_validation_test.moc"
