// SPDX-License-Identifier: GPL-3.0-or-later
// Written by `clusterwright validate --tables`; not edited by hand.
#include "estimators/validation/family_errors.h"

namespace cw {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

constexpr FamilyError families[] = {
    {"collectives.csv", "vtrain_nccl_a100", "time_us", "a100_80gb_sxm", 19, {5.9, 8.6}, {unknown, unknown}, {unknown, unknown}},
    {"cpu_inference.csv", "ktransformers", "decode_tokens_per_s", "", 2, {4.1, 6.4}, {unknown, unknown}, {unknown, unknown}},
    {"cpu_inference.csv", "llama_cpp", "decode_tokens_per_s", "", 2, {31.0, 35.2}, {unknown, unknown}, {unknown, unknown}},
    {"hpc.csv", "hpc_gpu", "rmax_pflops", "aurora el_capitan h100_sxm mi250x", 4, {10.8, 22.0}, {unknown, unknown}, {6.4, 16.6}},
    {"hpc.csv", "hpc_gpu", "hpcg_pflops", "mi250x", 1, {31.5, 31.5}, {unknown, unknown}, {unknown, unknown}},
    {"hpc.csv", "hpc_cpu", "rmax_pflops", "fugaku", 1, {3.3, 3.3}, {unknown, unknown}, {unknown, unknown}},
    {"inference_latency.csv", "splitwise_llama2", "prefill_ms", "a100_80gb_sxm h100_sxm", 21, {6.0, 14.2}, {unknown, unknown}, {6.5, 15.3}},
    {"inference_latency.csv", "splitwise_llama2", "decode_ms_per_token", "a100_80gb_sxm h100_sxm", 21, {2.2, 5.2}, {unknown, unknown}, {2.2, 5.9}},
    {"inference_latency.csv", "splitwise_llama2", "avg_power_frac_tdp", "a100_80gb_sxm", 3, {2.6, 4.0}, {unknown, unknown}, {unknown, unknown}},
    {"inference_latency.csv", "splitwise_bloom", "prefill_ms", "a100_80gb_sxm h100_sxm", 5, {9.2, 17.8}, {unknown, unknown}, {13.5, 21.6}},
    {"inference_latency.csv", "splitwise_bloom", "decode_ms_per_token", "a100_80gb_sxm h100_sxm", 5, {17.4, 22.0}, {unknown, unknown}, {11.4, 11.7}},
    {"inference_latency.csv", "splitwise_bloom", "avg_power_frac_tdp", "a100_80gb_sxm", 1, {8.7, 8.7}, {unknown, unknown}, {unknown, unknown}},
    {"inference_silicon.csv", "silicon_dense_agg", "ttft_ms", "b200_sxm h100_sxm h200_sxm", 29, {37.2, 53.8}, {36.4, 57.4}, {55.8, 74.7}},
    {"inference_silicon.csv", "silicon_dense_agg", "tpot_ms", "b200_sxm h100_sxm h200_sxm", 29, {7.0, 14.9}, {7.0, 13.9}, {6.9, 14.5}},
    {"inference_silicon.csv", "silicon_moe_agg", "ttft_ms", "b200_sxm b300_sxm h100_sxm h200_sxm", 29, {42.8, 85.9}, {48.3, 92.9}, {52.4, 90.2}},
    {"inference_silicon.csv", "silicon_moe_agg", "tpot_ms", "b200_sxm b300_sxm h100_sxm h200_sxm", 29, {15.6, 34.0}, {16.2, 36.6}, {15.3, 34.5}},
    {"mlperf_inference.csv", "mlperf_offline", "tokens_per_s", "b200_sxm gh200 h100_pcie h100_sxm h200_nvl h200_sxm mi300x rtx_pro_6000_server", 11, {15.1, 31.3}, {17.7, 37.7}, {16.6, 24.0}},
    {"mlperf_inference.csv", "mlperf_offline", "samples_per_s", "b200_sxm gh200 h100_pcie h100_sxm h200_nvl h200_sxm mi300x rtx_pro_6000_server", 13, {14.1, 28.0}, {16.2, 33.4}, {15.8, 23.7}},
    {"mlperf_inference.csv", "mlperf_server", "tokens_per_s", "b200_sxm gb200 gb300 h100_nvl h100_sxm h200_nvl l40s mi300x rtx_pro_6000_server", 12, {27.8, 47.0}, {23.7, 38.5}, {26.3, 37.4}},
    {"mlperf_inference.csv", "mlperf_server", "samples_per_s", "b200_sxm gb200 gb300 gh200 h100_nvl h100_sxm h200_nvl l40s mi300x rtx_pro_6000_server", 14, {25.1, 45.2}, {25.3, 36.8}, {23.7, 36.5}},
    {"mlperf_inference.csv", "mlperf_server", "ttft_p99_ms", "b200_sxm gb200 gb300 h100_nvl h100_sxm h200_nvl l40s mi300x rtx_pro_6000_server", 12, {41.4, 72.0}, {47.6, 67.0}, {36.8, 69.1}},
    {"mlperf_inference.csv", "mlperf_server", "tpot_p99_ms", "b200_sxm gb200 gb300 h100_nvl h100_sxm h200_nvl l40s mi300x rtx_pro_6000_server", 12, {48.1, 29.3}, {49.2, 33.0}, {60.5, 41.1}},
    {"mlperf_inference.csv", "mlperf_interactive", "tokens_per_s", "b200_sxm h200_sxm mi325x", 4, {13.9, 18.7}, {6.0, 6.1}, {unknown, unknown}},
    {"mlperf_inference.csv", "mlperf_interactive", "samples_per_s", "b200_sxm h200_sxm mi325x", 4, {13.9, 18.7}, {6.0, 6.1}, {unknown, unknown}},
    {"mlperf_inference.csv", "mlperf_interactive", "ttft_p99_ms", "b200_sxm h200_sxm mi325x", 4, {30.7, 57.1}, {74.8, 82.4}, {unknown, unknown}},
    {"mlperf_inference.csv", "mlperf_interactive", "tpot_p99_ms", "b200_sxm h200_sxm mi325x", 4, {14.6, 28.4}, {16.0, 26.5}, {unknown, unknown}},
    {"mlperf_training.csv", "mlperf_llama31_405b", "throughput_samples_per_s", "b200_sxm gb200 gb300 h100_sxm h200_sxm", 17, {4.1, 8.4}, {unknown, unknown}, {6.4, 10.3}},
    {"mlperf_training.csv", "mlperf_llama31_405b", "time_to_train_min", "b200_sxm gb200 gb300 h100_sxm h200_sxm", 17, {5.8, 10.6}, {unknown, unknown}, {5.4, 9.8}},
    {"mlperf_training.csv", "mlperf_gpt3_175b", "throughput_samples_per_s", "b200_sxm h100_sxm", 9, {5.7, 7.9}, {unknown, unknown}, {7.4, 7.4}},
    {"mlperf_training.csv", "mlperf_gpt3_175b", "time_to_train_min", "b200_sxm h100_sxm", 9, {8.4, 16.4}, {unknown, unknown}, {7.4, 7.4}},
    {"mlperf_training.csv", "mlperf_llama2_70b_lora", "throughput_samples_per_s", "b200_sxm gb200 h100_sxm h200_sxm mi300x mi325x mi355x", 14, {18.7, 35.2}, {unknown, unknown}, {21.1, 37.3}},
    {"mlperf_training.csv", "mlperf_llama2_70b_lora", "time_to_train_min", "b200_sxm gb200 h100_sxm h200_sxm mi300x mi325x mi355x", 14, {19.7, 37.7}, {unknown, unknown}, {22.9, 40.8}},
    {"operators.csv", "llmcompass_layernorm", "throughput", "a100_80gb_sxm mi210", 9, {7.5, 17.4}, {unknown, unknown}, {8.0, 16.6}},
    {"operators.csv", "llmcompass_matmul", "time_ms", "a100_80gb_sxm mi210", 9, {4.1, 9.2}, {unknown, unknown}, {4.1, 9.1}},
    {"operators.csv", "llmcompass_softmax", "throughput", "a100_80gb_sxm mi210", 9, {8.1, 19.1}, {unknown, unknown}, {11.6, 21.7}},
    {"reliability.csv", "llama3", "value", "", 2, {0.1, 0.1}, {unknown, unknown}, {unknown, unknown}},
    {"reliability.csv", "rsc1", "value", "", 3, {4.5, 10.6}, {unknown, unknown}, {unknown, unknown}},
    {"training.csv", "sc21_table1", "tflops_per_gpu", "a100_80gb_sxm", 10, {3.0, 6.0}, {3.4, 6.9}, {unknown, unknown}},
    {"training.csv", "seqpar_table5", "iter_time_s", "a100_80gb_sxm", 8, {3.3, 6.8}, {3.6, 7.1}, {unknown, unknown}},
    {"training.csv", "vtrain_multi", "iter_time_s", "a100_80gb_sxm", 9, {8.0, 15.6}, {unknown, unknown}, {unknown, unknown}},
    {"training.csv", "vtrain_single", "iter_time_s", "a100_80gb_sxm", 9, {6.8, 16.1}, {unknown, unknown}, {unknown, unknown}},
    {"training.csv", "mosaic_h100_80gb", "tokens_per_s_per_gpu", "h100_sxm", 9, {2.2, 4.3}, {2.3, 4.9}, {2.5, 3.7}},
    {"training.csv", "mosaic_a100_80gb", "tokens_per_s_per_gpu", "a100_80gb_sxm", 9, {4.3, 9.6}, {4.4, 9.0}, {4.1, 8.6}},
    {"training.csv", "mosaic_a100_40gb", "tokens_per_s_per_gpu", "a100_40gb_sxm", 9, {3.5, 5.0}, {3.1, 5.6}, {3.4, 4.9}},
    {"training.csv", "megatron_bridge_gb300", "tflops_per_gpu", "gb300", 10, {5.3, 12.7}, {5.7, 10.3}, {5.1, 12.4}},
    {"training.csv", "megatron_bridge_gb300", "tokens_per_s_per_gpu", "gb300", 10, {4.9, 12.9}, {6.3, 12.7}, {4.9, 11.1}},
    {"training.csv", "megatron_bridge_gb200", "tflops_per_gpu", "gb200", 10, {7.5, 15.6}, {8.5, 19.0}, {8.0, 18.1}},
    {"training.csv", "megatron_bridge_gb200", "tokens_per_s_per_gpu", "gb200", 10, {5.7, 12.4}, {6.4, 15.7}, {5.7, 14.8}},
    {"training.csv", "megatron_bridge_h100", "tflops_per_gpu", "h100_sxm", 10, {9.9, 17.5}, {10.4, 19.4}, {10.7, 15.9}},
    {"training.csv", "megatron_bridge_h100", "tokens_per_s_per_gpu", "h100_sxm", 10, {9.1, 14.2}, {10.0, 14.8}, {9.4, 14.2}},
    {"training.csv", "megatron_bridge_b300", "tflops_per_gpu", "b300_sxm", 10, {10.5, 16.2}, {15.7, 21.0}, {10.4, 17.4}},
    {"training.csv", "megatron_bridge_b300", "tokens_per_s_per_gpu", "b300_sxm", 10, {10.7, 15.9}, {13.5, 26.7}, {10.2, 17.2}},
    {"training.csv", "megatron_bridge_b200", "tflops_per_gpu", "b200_sxm", 10, {14.6, 28.6}, {19.3, 33.9}, {14.9, 31.1}},
    {"training.csv", "megatron_bridge_b200", "tokens_per_s_per_gpu", "b200_sxm", 10, {14.1, 28.4}, {18.9, 34.1}, {14.4, 31.1}},
    {"training.csv", "torchtitan_h100", "tokens_per_s_per_gpu", "h100_sxm", 9, {11.9, 20.2}, {14.0, 24.4}, {unknown, unknown}},
    {"training.csv", "torchtitan_h100", "peak_mem_gib", "h100_sxm", 9, {30.3, 53.0}, {58.3, 105.1}, {unknown, unknown}},
    {"training.csv", "torchtitan_asynctp", "tokens_per_s_per_gpu", "h100_sxm", 8, {12.2, 19.7}, {21.2, 26.9}, {unknown, unknown}},
    {"training.csv", "torchtitan_h200", "tokens_per_s_per_gpu", "h200_sxm", 2, {14.2, 14.6}, {unknown, unknown}, {15.3, 15.7}},
    {"training.csv", "torchtitan_h200", "peak_mem_gib", "h200_sxm", 2, {49.5, 50.1}, {unknown, unknown}, {112.0, 112.8}},
    {"training.csv", "bloom", "iter_time_s", "a100_80gb_sxm", 9, {4.8, 8.3}, {5.6, 9.4}, {unknown, unknown}},
    {"training.csv", "bloom", "tflops_per_gpu", "a100_80gb_sxm", 9, {5.0, 8.0}, {6.3, 9.6}, {unknown, unknown}},
    {"training.csv", "sc21_table2_ptd", "tflops_per_gpu", "a100_80gb_sxm", 6, {1.3, 2.6}, {1.4, 2.0}, {unknown, unknown}},
    {"training.csv", "sc21_table2_zero3", "tflops_per_gpu", "a100_80gb_sxm", 6, {5.9, 9.5}, {5.0, 10.3}, {unknown, unknown}},
    {"training.csv", "megascale_table2", "iter_time_s", "a100_80gb_sxm", 16, {3.5, 6.6}, {unknown, unknown}, {unknown, unknown}},
    {"training.csv", "megatron_core_weak", "tflops_per_gpu", "h100_sxm", 9, {5.5, 11.7}, {3.5, 7.3}, {unknown, unknown}},
    {"training.csv", "llama3_table4", "tflops_per_gpu", "h100_sxm", 3, {6.4, 9.4}, {unknown, unknown}, {unknown, unknown}},
};

} // namespace

std::span<const FamilyError> familyErrors() { return families; }

} // namespace cw
