// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/fact_words.h"
#include "views/text/names.h"
#include "views/text/vocabulary.h"

namespace cw {

namespace {

// In the order in which facts are listed.
constexpr text::Word facts[] = {
    CW_WORD("role", "Role"),
    CW_WORD("family", "Family"),
    CW_WORD("kind", "Kind"),
    CW_WORD("technology", "Technology"),
    CW_WORD("provider", "Provider"),
    CW_WORD("instance", "Instance"),
    CW_WORD("region", "Region"),
    CW_WORD("origin", "Origin of the price"),
    CW_WORD("gpu_id", "GPU"),
    CW_WORD("gpu_count", "GPUs"),
    CW_WORD("cpu_id", "CPU"),
    CW_WORD("cpu_count", "CPU sockets"),
    CW_WORD("vcpu_count", "vCPUs"),
    CW_WORD("physical_cores_count", "Physical cores"),
    CW_WORD("ram_gb", "Memory"),
    CW_WORD("architecture", "Architecture"),
    CW_WORD("form_factor", "Form factor"),
    CW_WORD("release_year", "Released"),
    CW_WORD("cores_count", "Cores"),
    CW_WORD("threads_count", "Threads"),
    CW_WORD("base_ghz", "Base clock"),
    CW_WORD("all_core_ghz", "All-core clock"),
    CW_WORD("boost_ghz", "Boost clock"),
    CW_WORD("peak_clock_ghz", "Clock of the peak"),
    CW_WORD("isa", "Vector unit"),
    CW_WORD("fp64_tensor_tflops", "FP64 tensor"),
    CW_WORD("fp64_tflops", "FP64"),
    CW_WORD("fp32_tflops", "FP32"),
    CW_WORD("tf32_tflops", "TF32"),
    CW_WORD("bf16_tflops", "BF16"),
    CW_WORD("fp16_tflops", "FP16"),
    CW_WORD("fp8_tflops", "FP8"),
    CW_WORD("int8_tops", "INT8"),
    CW_WORD("fp4_tflops", "FP4"),
    CW_WORD("fp4_sparse_tflops", "FP4, sparse"),
    CW_WORD("flops_basis", "Counted"),
    CW_WORD("sparsity_2to4", "2:4 sparsity"),
    CW_WORD("peak_fp64_gflops", "FP64 peak"),
    CW_WORD("peak_fp32_gflops", "FP32 peak"),
    CW_WORD("peak_bf16_gflops", "BF16 peak"),
    CW_WORD("peak_int8_gops", "INT8 peak"),
    CW_WORD("memory_type", "Memory type"),
    CW_WORD("memory_capacity_gb", "Memory"),
    CW_WORD("memory_bandwidth_gb_s", "Memory bandwidth"),
    CW_WORD("mrdimm_bandwidth_gb_s", "Bandwidth, MRDIMM"),
    CW_WORD("memory_channels_count", "Memory channels"),
    CW_WORD("memory_mt_s", "Memory speed"),
    CW_WORD("l3_mb", "L3 cache"),
    CW_WORD("scale_up_link", "Scale-up link"),
    CW_WORD("scale_up_links_count", "Scale-up links"),
    CW_WORD("scale_up_per_direction_gb_s", "Scale-up, a direction"),
    CW_WORD("scale_up_bidir_gb_s", "Scale-up, both"),
    CW_WORD("scale_up_domain_gpus", "Scale-up domain"),
    CW_WORD("scale_up_topology", "Scale-up topology"),
    CW_WORD("nvswitch_count", "NVSwitches"),
    CW_WORD("c2c_bidir_gb_s", "Chip to chip, both"),
    CW_WORD("pcie_gen", "PCIe generation"),
    CW_WORD("pcie_lanes_count", "PCIe lanes"),
    CW_WORD("pcie_per_direction_gb_s", "PCIe, a direction"),
    CW_WORD("nics", "Ports"),
    CW_WORD("ports", "Ports"),
    CW_WORD("uplink_extra_ports", "Further ports"),
    CW_WORD("radix_count", "Radix"),
    CW_WORD("max_radix_breakout_count", "Radix with breakout"),
    CW_WORD("capacity_tbit_s", "Capacity, a direction"),
    CW_WORD("network_gbit_s", "Network"),
    CW_WORD("raw_gb_s", "Raw, a direction"),
    CW_WORD("achievable_gb_s", "Achievable"),
    CW_WORD("bidir_gb_s", "Both directions"),
    CW_WORD("efficiency_fraction", "Efficiency"),
    CW_WORD("collective_efficiency_fraction", "Collectives reach"),
    CW_WORD("latency_ns", "Latency"),
    CW_WORD("latency_port_us", "Latency of a port"),
    CW_WORD("latency_end_to_end_us", "Latency end to end"),
    CW_WORD("latency_tcp_us", "Latency with TCP"),
    CW_WORD("added_latency_us", "Added latency"),
    CW_WORD("latency_us", "Latency"),
    CW_WORD("cpu_cores_per_100g", "CPU cores per 100 Gb/s"),
    CW_WORD("single_flow_gb_s", "One flow"),
    CW_WORD("transfer_usd_per_gb", "Billed per GB"),
    CW_WORD("cables", "Cables"),
    CW_WORD("storage_tb", "Storage"),
    CW_WORD("read_gb_s", "Read"),
    CW_WORD("write_gb_s", "Write"),
    CW_WORD("tdp_w", "TDP"),
    CW_WORD("tdp_max_w", "Highest TDP"),
    CW_WORD("superchip_tdp_w", "TDP of the superchip"),
    CW_WORD("peak_power_w", "Peak power"),
    CW_WORD("idle_w", "Idle power"),
    CW_WORD("usage_power_w", "Power in use"),
    CW_WORD("power_max_w", "Highest power"),
    CW_WORD("power_typical_w", "Typical power"),
    CW_WORD("power_idle_w", "Idle power"),
    CW_WORD("power_kw", "Power"),
    CW_WORD("server_2s_idle_w", "Two-socket server, idle"),
    CW_WORD("server_2s_full_load_w", "Two-socket server, full"),
    CW_WORD("psu_count", "Power supplies"),
    CW_WORD("psu_rating_w", "Each rated"),
    CW_WORD("psu_redundancy", "Redundancy"),
    CW_WORD("psu_needed_count", "Supplies needed"),
    CW_WORD("cooling_type", "Cooled by"),
    CW_WORD("airflow_cfm", "Airflow"),
    CW_WORD("liquid_heat_fraction", "Heat into liquid"),
    CW_WORD("inlet_min_c", "Inlet from"),
    CW_WORD("inlet_max_c", "Inlet to"),
    CW_WORD("u_height", "Height"),
    CW_WORD("width_mm", "Width"),
    CW_WORD("depth_mm", "Depth"),
    CW_WORD("weight_kg", "Weight"),
    CW_WORD("tare_kg", "Empty weight"),
    CW_WORD("static_load_kg", "Static load"),
    CW_WORD("dynamic_load_kg", "Dynamic load"),
    CW_WORD("voltage_v", "Voltage"),
    CW_WORD("current_a", "Current"),
    CW_WORD("phases_count", "Phases"),
    CW_WORD("derate_fraction", "Continuous load"),
    CW_WORD("usable_kw", "Usable power"),
    CW_WORD("limit_kw", "Limit"),
    CW_WORD("rack_limit_low_kw", "Rack limit, low"),
    CW_WORD("rack_limit_typical_kw", "Rack limit, typical"),
    CW_WORD("rack_limit_max_kw", "Rack limit, highest"),
    CW_WORD("capacity_kw", "Capacity"),
    CW_WORD("pue", "PUE"),
    CW_WORD("layers_count", "Layers"),
    CW_WORD("hidden_size", "Hidden size"),
    CW_WORD("attention", "Attention"),
    CW_WORD("attention_heads_count", "Heads"),
    CW_WORD("kv_heads_count", "KV heads"),
    CW_WORD("head_dim", "Head size"),
    CW_WORD("ffn_size", "FFN size"),
    CW_WORD("gated_mlp", "Gated MLP"),
    CW_WORD("tied_embeddings", "Tied embeddings"),
    CW_WORD("vocab_size", "Vocabulary"),
    CW_WORD("context_tokens", "Context"),
    CW_WORD("experts_count", "Experts"),
    CW_WORD("experts_per_token_count", "Experts per token"),
    CW_WORD("moe_ffn_size", "FFN size of an expert"),
    CW_WORD("shared_experts_count", "Shared experts"),
    CW_WORD("shared_ffn_size", "FFN size, shared"),
    CW_WORD("dense_layers_count", "Dense layers"),
    CW_WORD("params_total_b", "Parameters"),
    CW_WORD("params_active_b", "Active parameters"),
    CW_WORD("gflops_per_sample", "Work per sample"),
    CW_WORD("carbon_intensity_g_per_kwh", "Carbon intensity"),
    CW_WORD("carbon_year", "Carbon, year"),
    CW_WORD("electricity_usd_per_kwh", "Energy price"),
    CW_WORD("electricity_year", "Energy price, year"),
    CW_WORD("price_usd", "Price"),
    CW_WORD("launch_price_usd", "Launch price"),
    CW_WORD("price_basis", "Price for"),
    CW_WORD("on_demand_usd_per_hour", "On demand"),
    CW_WORD("reserved_1y_usd_per_hour", "Reserved, 1 year"),
    CW_WORD("reserved_3y_usd_per_hour", "Reserved, 3 years"),
    CW_WORD("spot_usd_per_hour", "Spot"),
    CW_WORD("usd_per_gpu_hour", "Per GPU and hour"),
    CW_WORD("as_of", "Prices as of"),
};

} // namespace

QString factName(std::string_view field) {
    std::string key(field);
    if (!text::knows(facts, key))
        key = text::withoutBandSuffix(key);
    return text::wordFor(facts, key);
}

namespace text {

int factRank(std::string_view key) {
    int rank = 0;
    for (const Word& word : facts) {
        if (word.code == key)
            return rank;
        ++rank;
    }
    return rank;
}

/// "price_usd_low" and "latency_low_us" give "price_usd" and "latency_us".
std::string withoutBandSuffix(const std::string& key) {
    for (const char* band : {"_low", "_high"}) {
        const std::size_t at = key.find(band);
        if (at == std::string::npos)
            continue;
        const std::size_t end = at + std::string_view(band).size();
        if (end == key.size() || key[end] == '_')
            return key.substr(0, at) + key.substr(end);
    }
    return key;
}

} // namespace text

} // namespace cw
