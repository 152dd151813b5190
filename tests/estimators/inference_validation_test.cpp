// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of inference measurements: exact queues and replays, latencies of batches, MLPerf submissions and CPUs; what is understood of their
// columns, what is refused and why.
#include "estimators/validation/serving_fields.h"
#include "tests/estimators/validated_table.h"

#include <QtTest>

using namespace cw;
using namespace cw::test;

class InferenceValidationTest : public QObject {
    Q_OBJECT

private slots:
    void exactQueues();
    void queueSpellings_data();
    void queueSpellings();
    void unstableQueuesAreRefused();
    void nothingToWaitFor();
    void overloadedReplays();
    void latencyRows();
    void impossibleLatenciesAreRefused();
    void cappedPowerSlowsPromptsOnly();
    void mlperfRows();
    void mlperfSystems();
    void cpuRows();
    void mlperfOnHosts();
    void coresBoundFourBits();
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

void InferenceValidationTest::nothingToWaitFor() {
    const ValidationReport report = validated("id,queue,lambda,mu,c,wait_p50_ms,wait_p99_ms,wait_mean_ms\na,M/M/c,1,10,8,0,0,0.0000001\n", "queueing.csv");
    QCOMPARE(predicted(report, "a", "wait_p50_ms"), 0.);
    for (const FamilyStatistics& family : report.families)
        if (family.quantity != "wait_mean_ms")
            QVERIFY(family.predicted == 1 && family.mean == 0); // 0 of 0 is no error, not an unknown one
}

/// More arrives than is served: a trace of so many requests still ends.
void InferenceValidationTest::overloadedReplays() {
    const auto row = [](const char* id, int requests, double rate) {
        return std::string(id) + ",replay,L40S,1,Llama-3.1-8B,bf16,vLLM,1,512,200," + std::to_string(rate) + ',' + std::to_string(requests) + ",1500,300,40\n";
    };
    const ValidationReport report = validated("id,kind,gpu,n_gpus,model,precision,engine,tp,input_len,output_len,request_rate,num_prompts,output_tokens_per_s,mean_ttft_ms,mean_tpot_ms\n" + row("calm", 300, 1)
                                                  + row("short", 1000, 100) + row("long", 4000, 100),
                                              "queueing.csv");
    QVERIFY(predicted(report, "calm", "mean_ttft_ms") < 500);
    QVERIFY(predicted(report, "short", "mean_ttft_ms") > 1000);
    QVERIFY(predicted(report, "long", "mean_ttft_ms") > 2 * predicted(report, "short", "mean_ttft_ms"));
    QCOMPARE(predicted(report, "long", "mean_tpot_ms"), predicted(report, "short", "mean_tpot_ms"));
    QVERIFY(std::abs(predicted(report, "long", "output_tokens_per_s") / predicted(report, "short", "output_tokens_per_s") - 1) < 2e-3); // both are busy all the time
    QVERIFY(find(report, "long")->prediction.note.find("overloaded") != std::string::npos);
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

void InferenceValidationTest::impossibleLatenciesAreRefused() {
    // 64 prompts of 512 tokens on two devices are 7.4 s at the peak of an A100; 140 GB of weights take 34 ms at its bandwidth.
    const ValidationReport report = validated("id,model,hardware,prompt_size,batch_size,token_size,tp,prefill_ms,decode_ms_per_token\n"
                                              "cut,llama2-70b,a100-80gb,512,64,128,2,794,80\n"
                                              "quick,llama2-70b,a100-80gb,512,1,128,2,200,20\n",
                                              "inference_latency.csv");
    QVERIFY(refused(report, "cut", "peak arithmetic"));
    QVERIFY(predicted(report, "cut", "decode_ms_per_token") > 0);
    const ValidatedRow* quick = find(report, "quick", "decode_ms_per_token");
    QVERIFY(quick && !quick->prediction.known() && quick->prediction.reason.find("bandwidth") != std::string::npos);
}

void InferenceValidationTest::cappedPowerSlowsPromptsOnly() {
    const ValidationReport report = validated("id,model,hardware,prompt_size,batch_size,token_size,tp,prefill_ms,decode_ms_per_token\n"
                                              "free,llama2-70b,h100-80gb,4096,2,128,8,400,30\n"
                                              "capped,llama2-70b,h100-80gb-pcap,4096,2,128,8,400,30\n",
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

void InferenceValidationTest::mlperfSystems() {
    const std::string head = "id,benchmark,scenario,system,round,accelerator,n_accelerators,software,tokens_per_s\n";
    const auto row = [](const char* id, const char* model, const char* system, const char* round, const char* device, const char* software) {
        return std::string(id) + "," + model + ",Offline," + system + "," + round + "," + device + ",8," + software + ",20000\n";
    };
    const ValidationReport report = validated(head + row("full", "llama2-70b-99", "H200x8_TRT", "v4.1", "NVIDIA H200-SXM-141GB", "TensorRT 10.2")
                                                  + row("half", "llama2-70b-99", "H200x8_TRT_MaxQ", "v4.1", "NVIDIA H200-SXM-141GB", "TensorRT 10.2")
                                                  + row("later", "llama2-70b-99", "H200x8_TRT", "v5.1", "NVIDIA H200-SXM-141GB", "TensorRT 10.11")
                                                  + row("untuned", "llama3.1-8b", "L40Sx8", "v5.1", "NVIDIA L40S", "vLLM 0.10.0")
                                                  + row("tuned", "llama3.1-8b", "L40Sx8", "v5.1", "NVIDIA L40S", "TensorRT 10.11")
                                                  + row("board", "llama2-70b-99", "H100_PCIe_x8", "v4.1", "NVIDIA H100-PCIe-80GB", "TensorRT 10.2")
                                                  + row("bridged", "llama2-70b-99", "H100_PCIe_x8 with NVLink bridge", "v4.1", "NVIDIA H100-PCIe-80GB", "TensorRT 10.2")
                                                  + row("amd", "llama2-70b-99", "8xMI325X", "v5.1", "AMD Instinct MI325X 256GB HBM3e", "vLLM 0.9")
                                                  + row("amd750", "llama2-70b-99", "8xMI300X", "v5.1", "AMD Instinct MI300X 192GB HBM3", "vLLM 0.9"),
                                              "mlperf_inference.csv");
    const double full = predicted(report, "full"), half = predicted(report, "half");
    QVERIFY(half > .6 * full && half < .85 * full);
    QVERIFY(predicted(report, "later") > 1.03 * full);
    QVERIFY(predicted(report, "untuned") < .85 * predicted(report, "tuned"));
    QVERIFY(predicted(report, "board") < .9 * predicted(report, "bridged"));
    // Replicas of each kind beside each other.
    const ValidationReport mixed = validated("id,benchmark,scenario,round,accelerator,n_accelerators,tokens_per_s,ttft_p99_ms\n"
                                             "both,llama2-70b-99,Server,v5.1,AMD Instinct MI325X 256GB HBM3E (x16); AMD Instinct MI300X 192GB HBM3 (x8),24,80000,1600\n"
                                             "one,llama2-70b-99,Server,v5.1,AMD Instinct MI325X 256GB HBM3E,16,57000,1600\n"
                                             "two,llama2-70b-99,Server,v5.1,AMD Instinct MI300X 192GB HBM3,8,25000,1600\n"
                                             "odd,llama2-70b-99,Server,v5.1,AMD Instinct MI300X (x8); Abacus 3000 (x8),16,25000,1600\n",
                                             "mlperf_inference.csv");
    QVERIFY(std::abs(predicted(mixed, "both", "tokens_per_s") / (predicted(mixed, "one", "tokens_per_s") + predicted(mixed, "two", "tokens_per_s")) - 1) < .01);
    QVERIFY(!find(mixed, "both", "ttft_p99_ms")->prediction.known());
    QVERIFY(refused(mixed, "odd", "not known"));
    QVERIFY(predicted(report, "amd") > 1.1 * predicted(report, "amd750")); // the same die at 1000 and 750 W
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

void InferenceValidationTest::mlperfOnHosts() {
    const std::string head = "id,benchmark,scenario,system,round,accelerator,host_processor_model_name,host_processors_per_node,tokens_per_s,samples_per_s\n";
    const ValidationReport report = validated(head + "big,llama3.1-8b,Offline,1-node-2S-GNR_128C,v5.1,N/A,Intel(R) Xeon(R) 6980P,2,1200,9.4\n"
                                                     "one,llama3.1-8b,Offline,1-node-1S-GNR_128C,v5.1,N/A,Intel(R) Xeon(R) 6980P,1,600,4.7\n"
                                                     "small,llama3.1-8b,Offline,1-node-2S-GNR_86C,v5.1,N/A,Intel(R) Xeon(R) 6787P,2,800,6.3\n"
                                                     "server,llama3.1-8b,Server,1-node-2S-GNR_128C,v5.1,N/A,Intel(R) Xeon(R) 6980P,2,450,3.5\n"
                                                     "other,llama3.1-8b,Offline,abacus,v5.1,N/A,Abacus 3000,2,450,3.5\n",
                                              "mlperf_inference.csv");
    const double big = predicted(report, "big", "tokens_per_s"), small = predicted(report, "small", "tokens_per_s");
    QVERIFY(std::abs(predicted(report, "one", "tokens_per_s") / big - .5) < 1e-6);
    QVERIFY(small < .8 * big && small > .55 * big); // 86 cores for 128, eight channels for twelve
    QVERIFY(predicted(report, "server", "tokens_per_s") < .6 * big); // a token of each NUMA node takes half of the target
    QVERIFY(find(report, "big")->prediction.note.find("6 NUMA nodes") != std::string::npos);
    QVERIFY(refused(report, "other", "no device"));
}

void InferenceValidationTest::coresBoundFourBits() {
    const ValidationReport report = validated("id,cpu,sockets,channels,mts,threads,model,precision,software,version,params_b,file_gb,decode_tokens_per_s\n"
                                              "few,EPYC 9135,1,12,6400,8,DeepSeek-R1,Q4_K_M,ktransformers hybrid with GPU,,,,4\n"
                                              "many,EPYC 9135,1,12,6400,64,DeepSeek-R1,Q4_K_M,ktransformers hybrid with GPU,,,,12\n"
                                              "two,2x EPYC 9135,2,12,6400,128,DeepSeek-R1,Q4_K_M,ktransformers hybrid with GPU,,,,17\n"
                                              "client,Ryzen 5700G,1,2,3200,,LLaMA-7B,q4,llama.cpp,2024,6.7,4.2,9\n"
                                              "m1,Apple M1,1,,,,LLaMA-7B,q4,llama.cpp,2023-03,6.7,4.2,10\n",
                                              "cpu_inference.csv");
    QVERIFY(std::abs(predicted(report, "few") / predicted(report, "many") - .29) < .05); // eight cores unpack 54 GB/s
    const double gain = predicted(report, "two") / predicted(report, "many");
    QVERIFY(gain > 1.3 && gain < 1.5);
    QVERIFY(std::abs(predicted(report, "client") - .78 * 51.2 / 4.2) < .01);
    QVERIFY(refused(report, "m1", "bandwidth"));
    // Prompts of a program without matrix units: .45 of 128 cores at 2 GHz with 64 operations a cycle, 37 billion parameters a token.
    const ValidationReport prompts = validated("id,cpu,sockets,channels,mts,model,quant,software,params_b,active_params_b,decode_tokens_per_s,prefill_tokens_per_s\n"
                                               "r1,Xeon 6980P,1,12,6400,DeepSeek-R1,Q4_K_M,ik_llama.cpp,671,37,8.5,93\n",
                                               "cpu_inference.csv");
    QVERIFY(std::abs(predicted(prompts, "r1", "prefill_tokens_per_s") - .45 * 128 * 2e9 * 64 / (2 * 37e9)) < 1);
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
