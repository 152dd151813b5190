// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/columns.h"

namespace cw {

namespace {

constexpr double gigabit = 1e9 / 8, gibibyte = 1024.0 * 1024 * 1024;

constexpr Field fields[] = {
    {"id", Dimension::text, 1, "row|row_id|case|case_id|key|label|no"},
    {"family", Dimension::text, 1, "suite|campaign|series|set"},
    {"source", Dimension::text, 1, "reference|citation|url|paper|source_url|source_file|origin"},
    {"notes", Dimension::text, 1, "note|comment|comments|remarks|remark"},
    {"software", Dimension::text, 1, "stack|framework|engine|software_stack|library|backend|implementation"},
    {"version", Dimension::text, 1, "release|software_version|container|framework_version|release_version|round|backend_version|engine_version|mlperf_round|mlperf_version"},
    {"device", Dimension::text, 1,
     "gpu|accelerator|gpu_type|gpu_model|gpu_name|accelerator_type|accelerator_name|accelerator_model_name|device_name|chip|hardware|hw|"
     "device_type|sku|accelerator_model|accelerator_co_processor|gpu_device"},
    {"platform", Dimension::text, 1, "machine|server|node_type|system_name|cluster|instance|instance_type"},
    {"system", Dimension::text, 1, "system_desc|submitter_system|testbed"},
    {"device_memory", Dimension::bytes, 1e9, "gpu_mem|gpu_memory|gpu_mem_gb|gpu_memory_gb|hbm_gb|mem_per_gpu|device_mem"},
    {"gpus", Dimension::number, 1,
     "n_gpus|num_gpus|gpu_count|world_size|ranks|devices|n_devices|num_devices|accelerators|n_accelerators|total_gpus|ngpus|n_gpu|"
     "gpus_total|num_accelerators|accelerator_count|device_count|n_ranks|num_ranks|nranks|chips|number_of_gpus|number_gpus|gpu_num|no_gpus|total_accelerators|number_of_accelerators|num_chips|n_chips|"
     "n_devices_total|gpus_used|num_gpu|ngpu|num_of_gpus|gpu_number|num_of_accelerators|num_of_devices", true},
    {"per_node", Dimension::number, 1,
     "gpus_per_node|gpus_per_server|devices_per_node|accelerators_per_node|ngpus_per_node|gpu_per_node|ranks_per_node|n_gpus_per_node|"
     "gpus_node", true},
    {"nodes", Dimension::number, 1, "n_nodes|num_nodes|node_count|servers|hosts|number_of_nodes|nnodes", true},
    {"nic_rate", Dimension::rate, gigabit, "nic|nic_bw|nic_bandwidth|nic_speed|network_bw|network_bandwidth|net_bw|inter_node_bw|port_rate|internode_bw|scale_out|ib|network|net|hca|ethernet|roce|interconnect_gbps"},
    {"nic_rate_per_gpu", Dimension::rate, gigabit,
     "nic_per_gpu|gpu_nic|nic_gbps_gpu|net_gpu|nic_gbps_per_gpu|network_gbps_per_gpu|net_gbps_per_gpu|nic_bw_per_gpu|nic_gbit_per_gpu|net_per_gpu|gbps_per_gpu|ib_gbps_per_gpu|inter_node_bw_gbps_per_gpu|inter_node_gbps_per_gpu|interconnect_gbps_per_gpu"},
    {"nic_rate_per_node", Dimension::rate, gigabit,
     "nic_per_node|node_nic|nic_total|nic_gbps_node|node_bw|node_bandwidth|inter_node|internode|total_nic|nic_gbps_per_node|network_gbps_per_node|net_gbps_per_node|nic_bw_per_node|node_gbps|inter_node_gbps|net_per_node|internode_gbps"},
    {"ports_per_node", Dimension::number, 1, "nics_per_node|n_nics|nics|num_nics|nic_count|hcas|hcas_per_node|rails"},
    {"network", Dimension::text, 1, "fabric|interconnect|internode|inter_node|scale_out_network|network_type"},
    {"nic_text", Dimension::text, 1, "nic|nic_type|nic_model"},
    {"power_cap", Dimension::power, 1, "gpu_power|gpu_power_w|power_limit|power_limit_w|tdp_w|power_cap_w"},
    {"precision", Dimension::text, 1, "dtype|data_type|prec|quantization|quant|number_format|compute_dtype|precision_type|datatype|numeric_format"},
    {"model", Dimension::text, 1, "model_name|network_model|workload|benchmark|arch|architecture|task|model_id|model_path|hf_model|checkpoint"},
    {"peak_memory", Dimension::bytes, gibibyte, "peak_mem|peak_mem_gib|peak_memory_gib|max_memory|max_mem|memory_gib|peak_mem_per_gpu|peak_gpu_mem|max_mem_gib|memory_per_gpu"},
};

} // namespace

std::span<const Field> commonFields() { return fields; }

} // namespace cw
