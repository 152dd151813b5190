// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/serving_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double million = 1e6;

constexpr Field fields[] = {
    // What is measured.
    {"ttft_p99", Dimension::time, 1e-3, "p99_ttft|ttft_99|p99_first_token|first_token_p99|ttft_p99_latency|p99_time_to_first_token|"
     "99th_percentile_ttft|ttft_99th_percentile|ttft_ms_p99|p99_ttft_ms"},
    {"tpot_p99", Dimension::time, 1e-3, "p99_tpot|tpot_99|p99_itl|itl_p99|tpot_p99_latency|p99_time_per_output_token|p99_tbt"},
    {"ttft", Dimension::time, 1e-3, "silicon_ttft|mean_ttft|ttft_mean|avg_ttft|ttft_avg|median_ttft|time_to_first_token|first_token_latency|ttft_p50|"
     "p50_ttft|first_token|time_to_first_token_mean"},
    {"tpot", Dimension::time, 1e-3,
     "silicon_tpot|mean_tpot|tpot_mean|avg_tpot|tpot_avg|median_tpot|time_per_output_token|itl|mean_itl|inter_token_latency|tbt|tpot_p50|"
     "p50_tpot|p50_itl|itl_p50|itl_mean|median_itl|per_token|time_between_tokens|token_interval"},
    {"prefill_time", Dimension::time, 1e-3, "prefill|prompt_time|prefill_latency|prompt_latency|prefill_time_ms|prompt_time_ms|context_time|summarization_time|"
     "prompt_ms|prompt_s|prompt_eval_time"},
    {"decode_time", Dimension::time, 1e-3,
     "decode_ms_per_token|decode_time_per_token|token_time|decode_per_token|decode_latency|decode|generation_time_per_token|ms_per_token|decode_step|"
     "time_per_token|token_time_ms|generation_latency|"
     "eval_ms_per_token|eval_time_per_token|eval_time|s_per_token"},
    {"power_share", Dimension::fraction, 1,
     "avg_power_frac_tdp|average_power|avg_power|power_frac_tdp|avg_power_frac|mean_power_frac_tdp|average_power_frac|power_fraction|avg_power_fraction|"
     "power_frac|power_fraction_tdp|relative_power|power_share_tdp"},
    {"decode_rate", Dimension::number, 1,
     "decode_tokens_per_s|decode_tok_s|decode_tps|generation_tokens_per_s|tg_tokens_per_s|tg_tps|tg|tg128|eval_tokens_per_s|gen_tokens_per_s|"
     "decode_tokens_s|decode_tokens_per_second|generate_tokens_per_s|"
     "tg_t_s|tg_tok_s|eval_tok_s|eval_t_s|tg128_tps|tg128_t_s|tg64|tg64_t_s|generation_tokens_s|generation_tok_s|generation_t_s|token_generation|token_generation_t_s|token_generation_tok_s|token_generation_tokens_s|decode_speed|decode_speed_tps|decode_t_s|gen_tok_s|generation_tps"},
    {"prefill_rate", Dimension::number, 1,
     "prefill_tokens_per_s|prefill_tok_s|prefill_tps|prompt_tokens_per_s|pp_tokens_per_s|pp_tps|pp512|prompt_eval_tokens_per_s|prefill_tokens_s|"
     "prefill_tokens_per_second|"
     "pp_t_s|pp_tok_s|pp512_tps|pp512_t_s|prompt_eval_tok_s|prompt_tok_s|prompt_t_s|prompt_processing|prompt_processing_t_s|prefill_t_s|prefill_speed_tps"},
    {"tokens_rate", Dimension::number, 1,
     "tokens_per_s|tokens_per_sec|tokens_per_second|tok_s|tokens_s|output_tokens_per_s|throughput_tokens_per_s|tps|generation_throughput|throughput_tok_s|"
     "result_tokens_per_s|throughput_tokens|output_throughput|tok_per_s|"
     "tokens_sec|t_s|tokens_second|result_tokens_s|token_throughput|output_token_throughput|output_token_throughput_tok_s|output_tokens_s|output_tok_s|output_throughput_tok_s|output_tps|throughput_tokens_s|output_tokens_per_second|result_tokens_per_second"},
    {"tokens_rate_per_gpu", Dimension::number, 1,
     "tokens_s_gpu|tokens_per_s_per_gpu|tok_s_gpu|tok_s_per_gpu|tokens_s_per_gpu|output_tput_per_gpu|output_throughput_per_gpu|output_tokens_per_s_per_gpu|tps_per_gpu|"
     "tps_gpu"},
    {"all_tokens_rate_per_gpu", Dimension::number, 1, "tput_per_gpu|total_tput_per_gpu|total_tokens_per_s_per_gpu|total_throughput_per_gpu"},
    {"user_rate", Dimension::number, 1,
     "intvty|interactivity|tps_per_user|tps_user|tokens_s_user|tok_s_user|tok_s_per_user|tokens_per_s_per_user|tokens_per_second_per_user|output_tokens_per_s_per_user|"
     "tokens_s_per_user|tokens_sec_user"},
    {"samples_rate", Dimension::number, 1,
     "samples_per_s|samples_per_sec|samples_per_second|queries_per_s|queries_per_second|requests_per_s|request_throughput|qps|samples_s|result_samples_per_s|"
     "throughput_samples_per_s|inferences_per_s|images_per_s|"
     "samples_sec|samples_second|queries_s|queries_sec|result_samples_s|completed_samples_per_s|completed_samples_per_second|scheduled_samples_per_s|scheduled_samples_per_second|inferences_s|images_s"},
    {"latency_mean", Dimension::time, 1e-3, "mean_latency|latency|e2e_mean|mean_e2e|avg_latency|e2e_latency_mean|mean_e2e_latency|response_mean|e2e"},
    {"latency_p99", Dimension::time, 1e-3, "p99_latency|p99|e2e_p99|p99_e2e|latency_99|p99_e2e_latency"},
    // What was done.
    {"prompt", Dimension::number, 1,
     "isl|input_len|input_length|input_tokens|prompt_size|prompt_tokens|prompt_len|prompt_length|in_tokens|input_seq_len|mean_input_tokens|"
     "avg_input_tokens|input|n_prompt|input_tokens_mean|mean_prompt_tokens|seq_in|prompt_size_tokens|"
     "input_sequence_length|num_input_tokens|n_input_tokens|context_len|context_tokens|prompt_tokens_mean"},
    {"output", Dimension::number, 1,
     "osl|output_len|output_length|output_tokens|token_size|gen_tokens|generated_tokens|out_tokens|output_seq_len|mean_output_tokens|avg_output_tokens|"
     "n_gen|new_tokens|max_tokens|output_tokens_mean|gen_len|seq_out|"
     "output_sequence_length|token_length|num_output_tokens|n_output_tokens|output_tokens_requested|max_new_tokens|completion_tokens"},
    {"batch", Dimension::number, 1, "batch_size|bs|max_batch_size|batchsize"},
    {"concurrency", Dimension::number, 1, "conc|users|max_concurrency|num_users|clients|in_flight|concurrent_requests|silicon_concurrency|"
     "num_concurrent|concurrent_users|concurrent|parallel_requests|num_seqs|n_concurrent|concurrent_sessions"},
    {"rate", Dimension::number, 1, "request_rate|arrival_rate|lambda|rps|request_rate_per_s|arrival_rate_per_s|lambda_per_s|target_qps|requests_per_s_offered"},
    {"requests", Dimension::number, 1, "n_requests|num_requests|num_prompts|request_count|requests_total|n_prompts|total_requests"},
    {"tp", Dimension::number, 1, "tp_size|tensor_parallel|tensor_parallel_size|tensor"},
    {"pp", Dimension::number, 1, "pp_size|pipeline_parallel|pipeline_parallel_size"},
    {"attention_dp", Dimension::number, 1, "attention_dp_size|dp_attention|dp_attention_size|adp|dp|dp_size|data_parallel|"
     "attn_dp|attn_dp_size|attention_data_parallel"},
    {"moe_tp", Dimension::number, 1, "moe_tp_size|expert_tp"},
    {"moe_ep", Dimension::number, 1, "moe_ep_size|ep|ep_size|expert_parallel|"
     "expert_parallel_size|moe_expert_parallel_size"},
    // Prefill and decode apart: sizes of a worker and how many there are.
    {"prefill_workers", Dimension::number, 1, "prefill_num_workers|num_prefill_workers|n_prefill|prefill_replicas|context_workers"},
    {"prefill_tp", Dimension::number, 1, "prefill_tp_size|prefill_tensor"},
    {"prefill_pp", Dimension::number, 1, "prefill_pp_size"},
    {"prefill_attention_dp", Dimension::number, 1, "prefill_attention_dp_size|prefill_dp|prefill_dp_size"},
    {"prefill_moe_tp", Dimension::number, 1, "prefill_moe_tp_size"},
    {"prefill_moe_ep", Dimension::number, 1, "prefill_moe_ep_size|prefill_ep|prefill_ep_size"},
    {"decode_workers", Dimension::number, 1, "decode_num_workers|num_decode_workers|n_decode|decode_replicas|generation_workers"},
    {"decode_tp", Dimension::number, 1, "decode_tp_size|decode_tensor"},
    {"decode_pp", Dimension::number, 1, "decode_pp_size"},
    {"decode_attention_dp", Dimension::number, 1, "decode_attention_dp_size|decode_dp|decode_dp_size"},
    {"decode_moe_tp", Dimension::number, 1, "decode_moe_tp_size"},
    {"decode_moe_ep", Dimension::number, 1, "decode_moe_ep_size|decode_ep|decode_ep_size"},
    {"kv_precision", Dimension::text, 1, "kv_cache_dtype|kv_dtype|kv|kv_cache|kvcache_quant_mode|kv_quant"},
    // Fields that any table may have, by the names that those of inference give them besides.
    {"gpus", Dimension::number, 1, "of_accelerators|a"},
    {"model", Dimension::text, 1, "mlperf_model|model_mlc|benchmark_model"},
    {"precision", Dimension::text, 1, "weight_precision|weight_dtype|weights_dtype|weights_precision|weight_format|weight_quant|gemm_quant_mode|quantisation|model_dtype"},
    {"scenario", Dimension::text, 1, "mlperf_scenario|load|serving_mode|test_scenario"},
    {"mode", Dimension::text, 1, "kind|type|deployment|test"},
    {"cpu", Dimension::text, 1, "processor|cpu_model|cpu_name|host_processor_model_name|processor_name|host_cpu|soc"},
    {"numa", Dimension::text, 1, "placement|numa_placement|numa_policy|numa_mode"},
    {"sockets", Dimension::number, 1, "n_sockets|num_sockets|cpus|host_processors_per_node|cpu_count|processors"},
    {"cores", Dimension::number, 1, "cores_per_socket|n_cores|host_processor_core_count|physical_cores"},
    {"all_cores", Dimension::number, 1, "cores_total|total_cores"},
    {"threads", Dimension::number, 1, "n_threads|num_threads|cpu_threads|thread_count|cpu_infer"},
    {"clock", Dimension::number, 1, "base_ghz|ghz|clock_ghz|frequency_ghz|base_clock_ghz"},
    {"channels", Dimension::number, 1, "mem_channels|memory_channels|channels_per_socket|populated_channels|ddr_channels|n_channels|"
     "dimms|n_dimms|dimm_count"},
    {"transfers", Dimension::number, million, "mt_s|mts|mem_mts|memory_mts|ddr_mts|mem_speed_mts|memory_speed_mts|mem_mt_s|mts_per_channel|mt_per_s|memory_speed|"
     "ddr_mt_s|dram_mts|ram_mts|ddr_speed_mts|memory_mt_s|ram_mt_s"},
    {"bandwidth", Dimension::rate, 1e9,
     "mem_bw|memory_bandwidth|memory_bw|mem_bw_gbs|mem_bw_gb_s|peak_bw|mem_bandwidth|theoretical_bw|dram_bw|bw|bw_gbs|bandwidth_gbs|memory_bandwidth_gbs|"
     "mem_bandwidth_gbs|measured_bw"},
    {"file_size", Dimension::bytes, 1e9, "model_size|file|weights_size|gguf_size|model_bytes|weight_size|size|model_file|weights|file_size_gb|model_size_gb|size_gb|"
     "model_gb|model_gib|gguf_gb|weights_gb"},
    {"parameters", Dimension::number, 1e9, "params_b|parameters_b|params|n_params_b|params_total_b|model_params_b|total_params_b|"
     "parameters_billion|params_billion|n_params|model_params"},
    {"active_parameters", Dimension::number, 1e9, "active_params_b|params_active_b|active_b|active_params|activated_params_b"},
    {"bytes_per_token", Dimension::bytes, 1e9, "gb_per_token|bytes_token|read_per_token|gb_read_per_token"},
};

std::string lower(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return out;
}

} // namespace

std::span<const Field> servingFields() { return fields; }

std::string wordsOf(const Row& row, std::initializer_list<const char*> keys) {
    std::string words;
    for (const char* key : keys)
        words += lower(row.text(key)) + ' ';
    return words;
}

bool hasWord(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

std::string unusableInput(const Row& row, std::initializer_list<const char*> keys, bool orNone) {
    for (const char* key : keys) {
        if (!row.has(key) || (orNone && row.flag(key) == false))
            continue;
        const std::optional<double> given = row.number(key); // a cell that is no number is named by whoever reports the row
        if (!given || *given <= 0)
            return std::string(row.column(key)) + " \"" + std::string(row.text(key).substr(0, 40)) + "\" is nothing that a measurement can have";
    }
    return {};
}

std::string unusableLayout(const Row& row) {
    const std::string why = unusableInput(row, {"tp", "pp", "prefill_tp", "prefill_pp", "decode_tp", "decode_pp", "prefill_workers", "decode_workers", "gpus", "per_node", "nodes"});
    // Without expert or data parallelism: 0 or "false".
    return !why.empty() ? why
                        : unusableInput(row, {"attention_dp", "moe_tp", "moe_ep", "prefill_attention_dp", "prefill_moe_tp", "prefill_moe_ep", "decode_attention_dp", "decode_moe_tp", "decode_moe_ep"}, true);
}

std::optional<ClusterWish> servedWish(const Row& row, const Catalog& catalog, std::string& why) {
    why = unusableLayout(row);
    const std::string device(row.text("device"));
    if (why.empty() && !device.empty() && !findGpu(catalog, device))
        why = "no device of the catalog is called \"" + device.substr(0, 60) + "\"";
    return why.empty() ? clusterWish(row, catalog, why) : std::nullopt;
}

namespace {

/// Number formats that findPrecision does not know by these names: weights of w bits, activations of a bits, and what files call them.
std::optional<Precision> quantisedFormat(std::string_view words) {
    if (hasWord(words, {"w4a", "awq", "gptq", "q4", "iq4", "4bit", "4-bit", "uint4"}))
        return Precision::int4;
    if (hasWord(words, {"e4m3", "e5m2", "float8", "f8"}))
        return Precision::fp8;
    if (hasWord(words, {"w8a", "q8", "8bit", "8-bit", "uint8"}))
        return Precision::int8;
    if (hasWord(words, {"bf"}))
        return Precision::bf16;
    return hasWord(words, {"f16", "16bit", "16-bit"}) ? std::optional(Precision::fp16) : std::nullopt;
}

} // namespace

ServedFormats servedFormats(const Row& row, const NeuralModel& model, const Gpu* gpu, Precision otherwise) {
    ServedFormats out;
    const std::string words = wordsOf(row, {"precision"});
    std::optional<Precision> said = findPrecision(words);
    if (!said)
        said = quantisedFormat(words);
    if (!said && row.has("precision") && !hasWord(words, {"auto", "default", "none", "unquantized", "native"}))
        out.why = "the number format \"" + std::string(row.text("precision").substr(0, 40)) + "\" is not known";
    if (!said)
        out.note = "weights " + std::string(name(otherwise));
    out.weights = otherwise;
    if (said)
        out.weights = *said;
    const bool four = out.weights == Precision::nvfp4 || out.weights == Precision::mxfp4;
    const bool gptOss = model.id.value.starts_with("gpt_oss");
    if (four && (gptOss || (gpu && !gpu->peak.contains(Precision::nvfp4))))
        out.weights = Precision::mxfp4;
    const bool eight = out.weights == Precision::fp8 || out.weights == Precision::mxfp8;
    out.kv = eight || four ? Precision::fp8 : Precision::bf16;
    if (const std::optional<Precision> kv = findPrecision(wordsOf(row, {"kv_precision"})))
        out.kv = *kv;
    return out;
}

namespace {

/// 15 for "0.15.1" or "v0.15"; 0 where no such release is said.
int releaseOf(const Row& row) {
    std::string_view version = row.text("version");
    if (version.starts_with('v'))
        version.remove_prefix(1);
    return version.starts_with("0.") ? std::atoi(std::string(version.substr(2)).c_str()) : 0;
}

} // namespace

PartId servingStackOf(const Row& row) {
    const std::string words = wordsOf(row, {"software", "version", "family", "notes", "source", "id"});
    if (hasWord(words, {"trtllm", "trt-llm", "trt_llm", "tensorrt-llm", "tensorrt_llm", "tensorrt llm"}))
        return PartId("stack_trtllm");
    if (hasWord(words, {"sglang"}))
        return PartId(row.text("version") < "0.5.6" && row.text("version").starts_with("0.") ? "stack_sglang_2025" : "stack_sglang");
    if (hasWord(words, {"vllm"}))
        return PartId(releaseOf(row) >= 14 ? "stack_vllm_2026" : "stack_vllm");
    return {};
}

ReplicaLayout servedLayout(const Row& row, std::string_view part) {
    const auto size = [&](const char* key) { return row.count(std::string(part) + key, 1); };
    ReplicaLayout layout;
    layout.tensor = size("tp");
    layout.pipeline = size("pp");
    layout.attentionData = size("attention_dp");
    const int expertTensor = size("moe_tp"), expert = size("moe_ep");
    const bool squared = expertTensor > 1 && expertTensor == expert; // sizes multiplied by the expert size
    if (squared && expertTensor * expert == layout.tensor)
        layout.tensor = expert;
    else if (squared && expertTensor * expert == layout.attentionData && layout.tensor == 1)
        layout.attentionData = expert;
    else if (layout.attentionData > 1 && layout.tensor == layout.attentionData && expert == layout.tensor * layout.attentionData)
        layout.tensor = 1; // every rank has its own attention, the experts are spread over all
    else if (layout.attentionData == 1 && expertTensor * expert > layout.tensor)
        layout.tensor = expertTensor * expert; // the experts' sizes are those of the replica
    return layout;
}

std::vector<Prediction> allWithout(const Row& row, std::initializer_list<const char*> keys, const std::string& reason) {
    std::vector<Prediction> out;
    for (const char* key : keys)
        if (const auto measured = row.measured(key))
            out.push_back(notPredicted(measured->column, measured->value, reason));
    if (out.empty())
        out.push_back(notPredicted("", std::numeric_limits<double>::quiet_NaN(), "nothing was measured in this row"));
    return out;
}

AlternativeEstimate estimateServed(ServedRow& served) {
    std::vector<Placement> placements{served.placement};
    if (served.answers) {
        placements.push_back(*served.answers);
        placements.back().id = PlacementId("answers");
    }
    return estimateAlone(served.cluster, served.cluster.catalog, "serving", served.spec, std::move(placements));
}

std::string whyNot(const AlternativeEstimate& estimate) {
    const WorkloadEstimate& run = estimate.workloads.front();
    if (run.memory && !run.memory->fits)
        return "the model does not fit into the memory of these devices by our count";
    return estimate.findings.empty() ? "no layout of this row can be estimated" : "not estimated: " + estimate.findings.front().code;
}

} // namespace cw
