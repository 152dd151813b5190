// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/serving_constants.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace cw {

namespace {

const Constants* firstOf(const Catalog& catalog, std::string_view kind, std::string_view part, std::string_view family)
{
    if (const Constants* own = catalog.constants(kind, part))
        return own;
    if (const Constants* alike = catalog.constants(kind, family))
        return alike;
    return catalog.constants(kind, "unmeasured");
}

/// A user may override an entry and leave a key out: unknown, so that figures show "?" instead of a guess.
double value(const Constants& set, std::string_view key) { return set.get(key, std::numeric_limits<double>::quiet_NaN()); }

/// "Blackwell Ultra" as keys have it: "blackwell_ultra".
std::string lower(std::string_view name) {
    std::string out;
    for (const char c : name)
        out += c == ' ' ? '_' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return out;
}

/// Instruction sets with matrix or 16-bit dot-product units serve batches; the others widen to 32 bits.
std::string_view cpuFamily(const Cpu& cpu)
{
    if (cpu.isa == "amx")
        return "amx";
    return cpu.peak.contains(Precision::bf16) ? "bf16" : "fp32";
}

} // namespace

ServingDevice servingDevice(const Catalog& catalog, const Gpu& gpu, const ServingStack& stack)
{
    ServingDevice device;
    const Constants* set = firstOf(catalog, "serving_device", gpu.id.value, gpu.architecture);
    if (!set)
        return device;
    device.set = set;
    const std::string architecture = "_" + lower(gpu.architecture);
    const auto measured = [&](const char* key) -> std::optional<double> { // by the stack as a whole
        if (stack.set && stack.set->has(key + architecture))
            return (*stack.set)[key + architecture];
        return stack.set && stack.set->has(key) ? std::optional((*stack.set)[key]) : std::nullopt;
    };
    const auto of = [&](const char* key) { return measured(key).value_or(value(*set, key)); };
    const double ratio = stack.set ? stack.set->get("efficiency_ratio", 1) : 1;
    const auto efficiency = [&](const char* key, double otherwise) {
        if (const auto own = measured(key))
            return *own;
        return set->has(key) ? std::min(.95, ratio * value(*set, key)) : otherwise;
    };
    device.weightBandwidth = of("weight_bandwidth_share");
    device.kvBandwidth = of("kv_bandwidth_share");
    device.expertBandwidth = of("expert_bandwidth_share");
    device.efficiency16 = efficiency("efficiency_16bit", std::numeric_limits<double>::quiet_NaN());
    device.efficiency8 = efficiency("efficiency_8bit", device.efficiency16);
    device.efficiency4 = efficiency("efficiency_4bit", device.efficiency8);
    device.attentionEfficiency = of("attention_efficiency");
    device.allReduceLatency = of("all_reduce_latency_s");
    device.scaleUpShare = of("scale_up_share");
    device.pcieAllReduceLatency = of("pcie_all_reduce_latency_s");
    device.pcieShare = of("pcie_share");
    device.layerOverheadRatio = measured("layer_overhead_ratio").value_or(set->get("layer_overhead_ratio", 1));
    device.usableMemory = set->get("usable_memory_ratio", 1.05);
    device.errorTpot = of("error_tpot");
    device.errorTtft = of("error_ttft");
    device.errorCapacity = of("error_capacity");
    return device;
}

ServingCpu servingCpu(const Catalog& catalog, const Cpu& cpu, const ServingStack& stack)
{
    ServingCpu host;
    const Constants* set = firstOf(catalog, "serving_cpu", cpu.id.value, cpuFamily(cpu));
    if (!set)
        return host;
    const Constants& of = *set;
    host.set = set;
    const auto share = [&](const char* key) { return stack.set && stack.set->has(key) ? (*stack.set)[key] : value(of, key); };
    host.bandwidthOneSocket = share("bandwidth_share_one_socket");
    host.bandwidthSockets = share("bandwidth_share_sockets");
    host.efficiency = share("efficiency");
    host.memoryShare = of.get("memory_share", .9);
    host.layerOverhead = value(of, "layer_overhead_s");
    host.stepOverhead = value(of, "step_overhead_s");
    host.errorTpot = value(of, "error_tpot");
    host.errorTtft = value(of, "error_ttft");
    host.errorCapacity = value(of, "error_capacity");
    return host;
}

ServingStack servingStack(const Catalog& catalog, const PartId& wanted, bool onCpu)
{
    ServingStack stack;
    const Constants* set = wanted.empty() ? nullptr : catalog.find<Constants>(wanted);
    if (!set || set->kind != "serving_stack")
        set = catalog.find<Constants>(PartId(onCpu ? "stack_llamacpp" : "stack_vllm"));
    if (!set)
        return stack;
    const Constants& of = *set;
    stack.set = set;
    stack.layerOverhead = of.get("layer_overhead_s", 0);
    stack.expertLayerOverhead = of.get("expert_layer_overhead_s", 0);
    stack.mlaLayerOverhead = of.get("mla_layer_overhead_s", 0);
    stack.stepOverhead = of.get("step_overhead_s", 0);
    stack.sequenceOverhead = of.get("sequence_overhead_s", 0);
    stack.requestOverhead = of.get("request_overhead_s", 0);
    stack.outputLatency = of.get("output_latency_s", 0);
    stack.burstShare = of.get("burst_share", .12);
    stack.burstShareEqual = of.get("burst_share_equal", stack.burstShare);
    stack.burstPowerEqual = of.get("burst_power_equal", 1);
    stack.sequencePower = of.get("sequence_overhead_power", 1);
    stack.queueShare = of.get("queue_share", .1);
    stack.tpotTail = of.get("tpot_tail", 1.1);
    stack.waitShare = of.get("wait_share", .6);
    stack.memoryShare = of.get("memory_share", .9);
    stack.shareOfFree = of.get("share_of_free_memory", 0) > 0;
    stack.reservedBytes = of.get("reserved_bytes", 1.5e9);
    stack.blockTokens = of.get("block_tokens", 1);
    stack.maxSequences = of.get("max_sequences", 2048);
    stack.chunkTokens = of.get("chunk_tokens", stack.chunkTokens);
    stack.reservedOutput = std::clamp(of.get("reserved_output_share", stack.reservedOutput), 0., 1.);
    stack.prefillFirst = of.get("prefill_first", 0) > 0;
    stack.admission = of.get("admission_share", .95);
    stack.activationPasses = of.get("activation_passes", stack.activationPasses);
    stack.expertPrefill = of.get("expert_prefill_share", stack.expertPrefill);
    stack.hostOverlap = std::clamp(of.get("host_overlap_power", 1), 1., 20.);
    stack.prefillHost = of.get("prefill_host_s", 0);
    stack.draftAccepted = of.get("draft_accepted_share", .7);
    stack.draftCost = of.get("draft_cost_share", .05);
    return stack;
}

} // namespace cw
