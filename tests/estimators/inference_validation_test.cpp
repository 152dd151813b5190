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
    void pipelineSizesAreNoPrompts();
    void unusableInputs_data();
    void unusableInputs();
    void columnsOfOthers_data();
    void columnsOfOthers();
    void otherQueues_data();
    void otherQueues();
    void modelNames_data();
    void modelNames();
    void sizesInNames_data();
    void sizesInNames();
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

/// "pp" is pipeline parallel unless a rate of decoding stands beside it.
void InferenceValidationTest::pipelineSizesAreNoPrompts() {
    const FileKind* kind = kindOf(*parseCsv("id,model,gpu,n_gpus,tp,pp,tflops_per_gpu\na,gpt3_175b,A100,1024,8,8,140\n", "foo.csv"));
    QVERIFY(!kind || std::string_view(kind->name) != "cpu_inference");
    const ValidationReport report = validated("id,cpu,mem_bw_gb_s,model,quant,pp,tg\na,Xeon 8480P,300,llama2-7b,q4_0,100,20\n", "bar.csv");
    QVERIFY(predicted(report, "a", "pp") > predicted(report, "a", "tg"));
}

void InferenceValidationTest::unusableInputs_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("because");
    const auto latency = [](const char* name, const char* cells, const char* because) {
        QTest::newRow(name) << "inference_latency.csv" << QByteArray("id,model,hardware,prompt_size,batch_size,token_size,tp,dtype,decode_ms_per_token\na,llama2-70b,h100-80gb,") + cells + ",30\n"
                            << QByteArray(because);
    };
    latency("prompt of 0", "0,1,128,8,fp16", "prompt_size \"0\"");
    latency("prompt of -1", "-1,1,128,8,fp16", "prompt_size \"-1\"");
    latency("batch in letters", "512,abc,128,8,fp16", "batch_size");
    latency("tensor size in letters", "512,1,128,abc,fp16", "tp");
    latency("tensor size -2", "512,1,128,-2,fp16", "tp \"-2\"");
    latency("format", "512,1,128,8,abc", "number format");
    const QByteArray silicon = "id,model,system,isl,osl,concurrency,tp,attention_dp,precision,ttft_ms,tpot_ms\na,llama3-70b,h100_sxm,";
    QTest::newRow("users in letters") << "inference_silicon.csv" << silicon + "1000,1000,abc,8,0,fp8,300,20\n" << QByteArray("concurrency");
    QTest::newRow("answer of -5") << "inference_silicon.csv" << silicon + "1000,-5,8,8,0,fp8,300,20\n" << QByteArray("osl \"-5\"");
    QTest::newRow("format of silicon") << "inference_silicon.csv" << silicon + "1000,1000,8,8,0,ternary,300,20\n" << QByteArray("number format");
    const QByteArray mlperf = "id,benchmark,scenario,accelerator,n_accelerators,system,tokens_per_s\na,llama2-70b-99,";
    QTest::newRow("single stream") << "mlperf_inference.csv" << mlperf + "SingleStream,NVIDIA H100-SXM-80GB,8,,24000\n" << QByteArray("stream");
    QTest::newRow("multi stream") << "mlperf_inference.csv" << mlperf + "Multi-Stream,NVIDIA H100-SXM-80GB,8,,24000\n" << QByteArray("stream");
    QTest::newRow("another scenario") << "mlperf_inference.csv" << mlperf + "abc,NVIDIA H100-SXM-80GB,8,,24000\n" << QByteArray("scenario");
    QTest::newRow("accelerator beside a known system") << "mlperf_inference.csv" << mlperf + "Offline,Jetson AGX Orin,1,DGX H100,24000\n" << QByteArray("Jetson");
    QTest::newRow("accelerator in a known host") << "mlperf_inference.csv" << mlperf + "Offline,Intel Arc Pro B60,1,1-node-2S-EMR,24000\n" << QByteArray("Arc Pro");
    QTest::newRow("accelerators not given") << "mlperf_inference.csv" << mlperf + "Offline,NVIDIA H100-SXM-80GB,,,24000\n" << QByteArray("how many accelerators");
    QTest::newRow("accelerators in letters") << "mlperf_inference.csv" << mlperf + "Offline,NVIDIA H100-SXM-80GB,abc,,24000\n" << QByteArray("n_accelerators");
    QTest::newRow("channels of a CPU") << "cpu_inference.csv" << QByteArray("id,cpu,channels,mts,model,quant,tg_t_s\na,EPYC 9654,-1,4800,llama2-7b,q4_0,20\n") << QByteArray("channels \"-1\"");
    QTest::newRow("servers of a queue") << "queueing.csv" << QByteArray("id,queue,lambda,mu,c,wait_mean_ms\na,M/M/c,1,10,-3,5\n") << QByteArray("c \"-3\"");
}

void InferenceValidationTest::unusableInputs() {
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, because);
    QVERIFY(refused(validated(text.toStdString(), file.toStdString()), "a", because.toStdString()));
}

void InferenceValidationTest::columnsOfOthers_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("usual");
    QTest::addColumn<QByteArray>("other");
    const auto latency = [](const char* name, const char* other) {
        QTest::newRow(name) << "inference_latency.csv" << QByteArray("id,model,hardware,prompt_size,batch_size,token_size,tp,prefill_ms\na,llama2-70b,h100-80gb,1024,4,128,8,300\n")
                            << QByteArray("id,model,hardware,") + other + "\na,llama2-70b,h100-80gb,1024,4,128,8,300\n";
    };
    for (const char* first : {"ttft_ms", "TTFT (ms)", "time_to_first_token_ms", "first_token_ms", "prompt_ms"})
        latency(first, QByteArray("prompt_size,batch_size,token_size,tp,").append(first));
    for (const char* size : {"n_gpus", "GPUs", "num_gpus"})
        latency(size, QByteArray("num_input_tokens,concurrency,token_length,").append(size).append(",prefill_ms"));
    const auto token = [](const char* name) {
        QTest::newRow(name) << "inference_latency.csv" << QByteArray("id,model,hardware,prompt_size,tp,decode_ms_per_token\na,llama2-70b,h100-80gb,1024,8,30\n")
                            << QByteArray("id,model,hardware,prompt_size,tp,") + name + "\na,llama2-70b,h100-80gb,1024,8,30\n";
    };
    for (const char* name : {"tpot_ms", "ITL", "TBT (ms)", "per_token_ms", "time_between_tokens_ms", "Time per output token (ms)"})
        token(name);
    const QByteArray silicon = "\na,llama3-70b,h100_sxm,1000,1000,8,fp8,8,20\n";
    for (const char* header : {"Input sequence length,Output sequence length,num_concurrent,weight_dtype,tp,tpot_ms", "isl,osl,concurrent_users,gemm_quant_mode,tp,p50_itl_ms",
                               "isl,osl,parallel_requests,quantisation,tp,tpot_ms"})
        QTest::newRow(header) << "inference_silicon.csv" << "id,model,system,isl,osl,concurrency,precision,tp,tpot_ms" + silicon << QByteArray("id,model,system,") + header + silicon;
    const auto mlperf = [](const char* header) {
        QTest::newRow(header) << "mlperf_inference.csv" << QByteArray("id,benchmark,scenario,accelerator,n_accelerators,tokens_per_s\na,llama2-70b-99,Offline,NVIDIA H100-SXM-80GB,8,24000\n")
                              << QByteArray("id,") + header + "\na,llama2-70b-99,Offline,NVIDIA H100-SXM-80GB,8,24000\n";
    };
    for (const char* header : {"mlperf_model,scenario,accelerator,# of Accelerators,Tokens/sec", "model_mlc,scenario,accelerator,a#,Result (tokens/s)", "benchmark,scenario,accelerator,n_accelerators,token_throughput"})
        mlperf(header);
    const auto cpu = [](const char* header) {
        QTest::newRow(header) << "cpu_inference.csv" << QByteArray("id,cpu,channels,mts,model,precision,decode_tokens_per_s\na,EPYC 9654,12,4800,llama2-7b,q4_0,20\n")
                              << QByteArray("id,cpu,") + header + "\na,EPYC 9654,12,4800,llama2-7b,q4_0,20\n";
    };
    for (const char* header : {"dimms,DDR MT/s,model,quantisation,tg t/s", "channels,mts,model,weight_format,t/s", "channels,mts,model,precision,eval tok/s", "channels,mts,model,precision,Generation (tokens/s)",
                               "channels,mts,model,precision,token generation (t/s)", "channels,mts,model,precision,decode_speed_tps"})
        cpu(header);
    const auto queue = [](const char* header, const char* measured) {
        QTest::newRow(header) << "queueing.csv" << QByteArray("id,queue,lambda,mu,c,") + measured + "\na,M/M/c,15,10,2,0.1\n" << QByteArray("id,queue,") + header + "\na,M/M/c,15,10,2,0.1\n";
    };
    for (const char* header : {"Arrival rate (1/s),mu,s,wait_ms", "lambda,mu,k,waiting_time_ms"})
        queue(header, "wait_mean_ms");
    for (const char* header : {"lambda,mu,c,response_time_ms", "lambda,mu,c,Response time (ms)", "lambda,mu,c,sojourn_ms", "lambda,mu,c,mean_latency_ms", "lambda,mu,c,w_ms"})
        queue(header, "response_mean_ms");
    for (const char* header : {"lambda,mu,c,p99_latency_ms", "lambda,mu,c,p99_ms"})
        queue(header, "response_p99_ms");
    queue("lambda,mu,c,prob_delay", "prob_wait");
    queue("lambda,mu,c,queue_len", "queue_length");
}

void InferenceValidationTest::columnsOfOthers() {
    QFETCH(QString, file);
    QFETCH(QByteArray, usual);
    QFETCH(QByteArray, other);
    const ValidationReport one = validated(usual.toStdString(), file.toStdString()), two = validated(other.toStdString(), file.toStdString());
    QCOMPARE(one.rows.size(), std::size_t(1));
    QCOMPARE(two.rows.size(), std::size_t(1));
    QVERIFY(predicted(one, "a") > 0);
    QVERIFY(std::abs(predicted(two, "a") / predicted(one, "a") - 1) < 1e-9);
}

void InferenceValidationTest::otherQueues_data() {
    QTest::addColumn<QByteArray>("queue");
    QTest::addColumn<QByteArray>("because");
    for (const char* queue : {"G/G/1", "D/M/1", "GI/M/1"})
        QTest::newRow(queue) << QByteArray(queue) << QByteArray("Poisson");
    QTest::newRow("M/M/1/K") << QByteArray("M/M/1/K") << QByteArray("room");
    QTest::newRow("M/M/inf") << QByteArray("M/M/inf") << QByteArray("nothing waits");
    QTest::newRow("M/G/1") << QByteArray("M/G/1") << QByteArray("varies");
    for (const char* queue : {"M/M/2", "mm2", "M_M_2", "M/M/2 queue"})
        QTest::newRow(queue) << QByteArray(queue) << QByteArray();
}

void InferenceValidationTest::otherQueues() {
    QFETCH(QByteArray, queue);
    QFETCH(QByteArray, because);
    const ValidationReport report = validated("id,queue,lambda,mu,wait_mean_ms\na," + queue.toStdString() + ",7.5,10,100\n", "queueing.csv");
    if (!because.isEmpty())
        QVERIFY(refused(report, "a", because.toStdString()));
    else // two servers, by the notation: rho .375, Erlang C .2045
        QVERIFY(std::abs(predicted(report, "a") - 1e3 * .20454545 / 12.5) < 1e-3);
}

void InferenceValidationTest::modelNames_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("id");
    const auto row = [](const char* name, const char* id) { QTest::newRow(name) << QByteArray(name) << QByteArray(id); };
    row("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "llama3_70b");
    row("DeepSeek-R1-Distill-Qwen-32B", "qwen2_5_32b");
    row("THUDM/glm-4.5-air", "");
    row("glm-4.5", "");
    row("zai-org/GLM-5", "glm_5");
    row("mistral-large", "");
    row("Mistral-7B-Instruct-v0.3", "mistral_7b");
    row("DeepSeek-V2-Lite", "");
    row("meta-llama/Llama-3.1-8B", "llama3_8b");
    row("dsr1", "deepseek_r1");
    row("gptoss", "gpt_oss_120b");
    row("openai/gpt-oss-20b", "gpt_oss_20b");
    row("Qwen3 235B", "qwen3_235b_a22b");
    row("Mixtral-8x7B-v0.1", "mixtral_8x7b");
}

void InferenceValidationTest::modelNames() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, id);
    const NeuralModel* model = servedModelIn(shippedCatalog(), name.toStdString());
    QCOMPARE(QByteArray::fromStdString(model ? model->id.value : std::string()), id);
}

void InferenceValidationTest::sizesInNames_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<double>("total");
    QTest::addColumn<double>("active");
    QTest::newRow("dense") << QByteArray("LLaMA 30B Q4_0") << 30e9 << 0.;
    QTest::newRow("with a point") << QByteArray("TinyLlama-1.1B-Chat") << 1.1e9 << 0.;
    QTest::newRow("experts") << QByteArray("Qwen3-235B-A22B") << 235e9 << 22e9;
    QTest::newRow("bits are no size") << QByteArray("QwQ-32B 4bit") << 32e9 << 0.;
    QTest::newRow("none") << QByteArray("phi-2") << 0. << 0.;
    QTest::newRow("product of experts") << QByteArray("Mixtral-8x7B") << 0. << 0.;
}

void InferenceValidationTest::sizesInNames() {
    QFETCH(QByteArray, name);
    QFETCH(double, total);
    QFETCH(double, active);
    QCOMPARE(sizeInName(name.toStdString()).total, total);
    QCOMPARE(sizeInName(name.toStdString()).active, active);
}

QTEST_GUILESS_MAIN(InferenceValidationTest)
#include "inference_validation_test.moc"
