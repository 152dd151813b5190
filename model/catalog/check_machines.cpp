// SPDX-License-Identifier: GPL-3.0-or-later
//
// Physics and arithmetic of GPUs, CPUs, servers and rented instances. The ratios of peaks are properties of an architecture, so that a
// rate with 2:4 sparsity, or one with another accumulator, shows as a factor of two.
#include "model/catalog/check_report.h"

#include <cmath>
#include <map>
#include <set>

namespace cw {
namespace {

using Ratios = std::map<std::string, double, std::less<>>;

/// Dense 16-bit matrix rate over fp32 vector rate.
double matrixToVectorRatio(const Facts& gpu) {
    static const Ratios ofPart{{"a10", 4}, {"a10g", 2}, {"h20", 3.36}, {"rtx_pro_6000_server", 4}, {"rtx_4090", 2}};
    static const Ratios ofArchitecture{{"Volta", 8},      {"Turing", 8},           {"Ampere", 16}, {"Ada", 4},   {"Hopper", 14.8},
                                       {"Blackwell", 30}, {"Blackwell Ultra", 30}, {"CDNA2", 8},   {"CDNA3", 8}, {"CDNA4", 16}};
    if (const auto found = ofPart.find(gpu.id()); found != ofPart.end())
        return found->second;
    const auto found = ofArchitecture.find(gpu.part<Gpu>().architecture);
    return found == ofArchitecture.end() ? std::nan("") : found->second;
}

double fp4ToFp8Ratio(const Facts& gpu) { return gpu.part<Gpu>().architecture == "Blackwell Ultra" ? 3 : 2; }

void checkPeaks(const Facts& gpu, CheckReport& report) {
    static const std::set<std::string_view> otherFp8{"gaudi3", "tpu_v6e"};
    static const std::set<std::string_view> otherInt8{"rtx_4090", "b300_sxm", "gb300", "mi210", "mi250x", "tpu_v4", "gaudi3"};
    static const std::set<std::string_view> otherTf32{"a10g"};
    static const Ratios largest{{"NVIDIA", 2600}, {"AMD", 2600}, {"Intel", 1900}, {"Google", 2400}};

    const double bf16 = gpu.number("bf16_tflops");
    const double fp16 = gpu.number("fp16_tflops");
    const double fp8 = gpu.number("fp8_tflops");
    const double fp32 = gpu.number("fp32_tflops");
    const double top = std::isnan(bf16) ? fp16 : bf16;
    report.expect(gpu.entry().layer != CatalogLayer::shipped || gpu.text("flops_basis") == "dense", gpu, "flops_basis",
                  "rates are dense");
    report.expectNear(gpu, "bf16_tflops", bf16, fp16, .001, "bf16 and fp16 run at one rate");
    report.expect(!std::isnan(top) || gpu.entry().layer != CatalogLayer::shipped, gpu, "bf16_tflops", "a GPU has a 16-bit rate");
    if (const auto cap = largest.find(gpu.info().vendor); cap != largest.end())
        report.expectAtMost(gpu, "bf16_tflops", top, cap->second, "this looks like a sparse rate");
    report.expectNear(gpu, "bf16_tflops", top / fp32, matrixToVectorRatio(gpu), .06,
                      "the ratio of 16-bit matrix and fp32 vector rate is not that of the architecture; is it a sparse rate?");
    if (!otherFp8.contains(gpu.id()))
        report.expectNear(gpu, "fp8_tflops", fp8, 2 * top, .02, "fp8 is twice bf16");
    if (!otherInt8.contains(gpu.id()))
        report.expectNear(gpu, "int8_tops", gpu.number("int8_tops"), 2 * top, .03, "int8 is twice bf16");
    if (!otherTf32.contains(gpu.id()))
        report.expectNear(gpu, "tf32_tflops", gpu.number("tf32_tflops"), top / 2, .03, "tf32 is half of bf16");
    report.expectNear(gpu, "fp4_tflops", gpu.number("fp4_tflops"), fp4ToFp8Ratio(gpu) * fp8, .02, "fp4 is a multiple of fp8");
    report.expectAtLeast(gpu, "fp64_tensor_tflops", gpu.number("fp64_tensor_tflops"), gpu.number("fp64_tflops") * .99,
                         "the matrix rate is not below the vector rate");
    report.expectAtMost(gpu, "fp64_tflops", gpu.number("fp64_tflops"), fp32 * 1.01, "fp64 is not faster than fp32");
    report.expectWithin(gpu, "memory_bandwidth_gb_s", top * 1000 / gpu.number("memory_bandwidth_gb_s"), 30, 600,
                        "operations per byte of memory traffic");
    report.expectWithin(gpu, "tdp_w", top / gpu.number("tdp_w"), .05, 5, "TFLOP/s per watt");
}

void checkGpuLinks(const Facts& gpu, CheckReport& report) {
    const double both = gpu.number("scale_up_bidir_gb_s");
    report.expectNear(gpu, "scale_up_bidir_gb_s", both, 2 * gpu.number("scale_up_per_direction_gb_s"), 1e-6,
                      "both directions are twice one direction");
    report.expect(both > 0 || gpu.part<Gpu>().scaleUpBandwidth || gpu.part<Gpu>().scaleUpDomain == 1, gpu, "scale_up_domain_gpus",
                  "without a scale-up link a GPU is alone");
    static const Ratios perLink{{"NVLink2", 50}, {"NVLink3", 50}, {"NVLink4", 50}, {"NVLink5", 100}};
    const std::string link = gpu.text("scale_up_link");
    const auto speed = perLink.find(link.substr(0, 7));
    if (speed != perLink.end() && both > 0 && link.find("reduced") == link.npos)
        report.expectNear(gpu, "scale_up_links_count", both / gpu.number("scale_up_links_count"), speed->second, .01,
                          "GB/s of one NVLink, both directions");
}

bool startsLike(const std::string& text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// "4+2": needed and spare.
bool redundancyFits(const Server& server) {
    const auto plus = server.psuRedundancy.find('+');
    const auto isNumber = [](std::string_view text) {
        return !text.empty() && text.size() < 5 && text.find_first_not_of("0123456789") == text.npos;
    };
    if (plus == std::string::npos)
        return true;
    const std::string needed = server.psuRedundancy.substr(0, plus), spare = server.psuRedundancy.substr(plus + 1);
    if (!isNumber(needed) || !isNumber(spare))
        return true; // words, e.g. "N+N shelves"
    return std::stoi(needed) + std::stoi(spare) == server.psuCount && std::stoi(needed) == server.psuNeeded;
}

void checkServerPower(const Facts& facts, const Facts* gpu, const Facts* cpu, CheckReport& report) {
    const auto& server = facts.part<Server>();
    const double most = facts.number("power_max_w");
    const double ofGpus = gpu ? gpu->number("tdp_w") * server.gpuCount : 0;
    const double ofParts = ofGpus + (cpu ? cpu->number("tdp_w") * server.cpuCount : 0);
    report.expectAtLeast(facts, "power_max_w", most, ofGpus, "the maximum covers the TDP of all GPUs");
    report.expectAtLeast(facts, "power_max_w", most, ofParts, "the maximum covers the TDP of all GPUs and CPUs");
    if (ofParts > 0)
        report.expectAtMost(facts, "power_max_w", most, 4.5 * ofParts, "the maximum is far above the TDP of its parts");
    report.expect(!(facts.number("power_idle_w") >= facts.number("power_typical_w")), facts, "power_idle_w",
                  "idle is below typical");
    report.expectAtMost(facts, "power_typical_w", facts.number("power_typical_w"), most, "typical is not above the maximum");
    if (gpu)
        report.expectAtLeast(facts, "power_idle_w", facts.number("power_idle_w"), gpu->number("idle_w") * server.gpuCount,
                             "idle covers the idle GPUs");
    report.expectAtMost(facts, "psu_needed_count", server.psuNeeded, server.psuCount, "no more supplies are needed than fitted");
    if (server.psuCount > 0)
        report.expectAtLeast(facts, "psu_rating_w", server.psuNeeded * si(server.psuRating), most,
                             "the needed supplies cover the maximum");
    report.expect(redundancyFits(server), facts, "psu_redundancy", "needed and spare supplies are those that are counted");
}

void checkServerCooling(const Facts& facts, CheckReport& report) {
    const auto& server = facts.part<Server>();
    const double most = facts.number("power_max_w");
    const double wattPerCfmKelvin = .569; // of air at sea level
    report.expectWithin(facts, "airflow_cfm",
                        most * (1 - server.liquidHeatFraction) / (wattPerCfmKelvin * facts.number("airflow_cfm")), 8, 24,
                        "kelvins the air warms up at maximum power");
    report.expect(server.cooling == "air" || server.liquidHeatFraction > .5, facts, "liquid_heat_fraction",
                  "a liquid-cooled machine gives most heat to the liquid");
    report.expectAtMost(facts, "weight_kg", facts.number("weight_kg") / server.heightU, 45, "kg per rack unit");
    report.expectAtMost(facts, "power_max_w", most / server.heightU, 4200, "W per rack unit");
    report.expectAtMost(facts, "inlet_min_c", server.inletMinC, server.inletMaxC, "the coldest inlet is below the warmest");
}

void checkServerLinks(const Facts& facts, const Facts& gpu, CheckReport& report) {
    const auto& server = facts.part<Server>();
    report.expectAtLeast(facts, "price_usd_high", facts.number("price_usd_high"),
                         .9 * gpu.number("price_usd_low") * server.gpuCount, "a machine costs no less than its GPUs");
    const std::string topology = facts.text("scale_up_topology");
    const auto unit = topology.find(" GB/s per GPU");
    if (startsLike(topology, "all-to-all") && unit != topology.npos) {
        const auto space = topology.rfind(' ', unit - 1);
        report.expectNear(facts, "scale_up_topology", std::atof(topology.c_str() + space + 1), gpu.number("scale_up_bidir_gb_s"),
                          1e-6, "the link speed in words is that of the GPU");
    }
    const bool eightWay = server.role == ServerRole::gpuServer && server.gpuCount == 8 && gpu.part<Gpu>().scaleUpDomain == 8;
    if (!eightWay || gpu.info().vendor == "Intel") // Gaudi carries its network itself
        return;
    for (const PortGroup& group : server.ports) {
        if (group.purpose != "compute")
            continue;
        report.expect(group.count == 8, facts, "nics", "an 8-GPU machine has one compute port for each GPU");
        report.expect(si(group.speed) < si(gpu.part<Gpu>().scaleUpBandwidth.value_or(BytesPerSecond{})), facts, "nics",
                      "the network is not faster than the scale-up link; are bits taken for bytes?");
        return;
    }
    report.expect(false, facts, "nics", "an 8-GPU machine has compute ports");
}

void checkRackSystem(const Facts& facts, const Facts& gpu, CheckReport& report) {
    const auto& server = facts.part<Server>();
    if (server.role == ServerRole::rackSystem && server.gpuCount == 72)
        report.expectNear(facts, "gpu_count", server.gpuCount * gpu.number("scale_up_bidir_gb_s") / 1000, 129.6, .01,
                          "TB/s of NVLink in an NVL72 rack");
}

} // namespace

void checkGpus(const CheckedCatalog& catalog, CheckReport& report) {
    for (const Facts& gpu : catalog.of<Gpu>()) {
        checkPeaks(gpu, report);
        checkGpuLinks(gpu, report);
        const double tdp = gpu.number("tdp_w");
        report.expectWithin(gpu, "tdp_w", tdp, 20, 1500, "W of one GPU");
        report.expectWithin(gpu, "idle_w", gpu.number("idle_w") / tdp, .03, .3, "share of the TDP when idle");
        const double readSeconds = gpu.number("memory_capacity_gb") / gpu.number("memory_bandwidth_gb_s");
        report.expectAtMost(gpu, "memory_capacity_gb", readSeconds, .1, "seconds to read the whole memory");
    }
}

void checkCpus(const CheckedCatalog& catalog, CheckReport& report) {
    static constexpr std::pair<const char*, const char*> rates[]{{"peak_fp64_gflops", "fp64_flops_per_cycle_core"},
                                                                 {"peak_fp32_gflops", "fp32_flops_per_cycle_core"},
                                                                 {"peak_bf16_gflops", "bf16_flops_per_cycle_core"},
                                                                 {"peak_int8_gops", "int8_ops_per_cycle_core"}};
    for (const Facts& cpu : catalog.of<Cpu>()) {
        const bool shipped = cpu.entry().layer == CatalogLayer::shipped;
        for (const auto& [peak, perCycle] : rates) {
            report.expect(!shipped || cpu.has(peak) == cpu.has(perCycle), cpu, peak, "a peak rests on a rate per cycle");
            report.expectNear(cpu, peak, cpu.number(peak),
                              cpu.number("cores_count") * cpu.number("peak_clock_ghz") * cpu.number(perCycle), .002,
                              "the peak is cores x clock x rate");
        }
        report.expectNear(cpu, "fp32_flops_per_cycle_core", cpu.number("fp32_flops_per_cycle_core"),
                          2 * cpu.number("fp64_flops_per_cycle_core"), 0, "fp32 is twice fp64");
        const double channelBytes = (cpu.has("memory_channel_bits") ? cpu.number("memory_channel_bits") : 64) / 8;
        report.expectNear(cpu, "memory_bandwidth_gb_s", cpu.number("memory_bandwidth_gb_s"),
                          cpu.number("memory_channels_count") * cpu.number("memory_mt_s") * channelBytes / 1000, .02,
                          "the bandwidth is channels x transfers x width");
        const auto& part = cpu.part<Cpu>();
        report.expect(part.threads == part.cores || part.threads == 2 * part.cores, cpu, "threads_count",
                      "one or two threads a core");
        report.expectAtLeast(cpu, "boost_ghz", part.boostGhz, part.baseGhz, "boost is not below base");
        const double tdp = cpu.number("tdp_w"), full = cpu.number("server_2s_full_load_w");
        report.expectAtMost(cpu, "idle_w", cpu.number("idle_w"), .4 * tdp, "idle is below 40 % of the TDP");
        report.expect(!(cpu.number("server_2s_idle_w") >= full), cpu, "server_2s_idle_w", "idle is below full load");
        report.expectWithin(cpu, "server_2s_full_load_w", full, 1.5 * tdp, 4 * tdp + 200,
                            "wall power of two sockets against their TDP");
        report.expectAtMost(cpu, "peak_fp64_gflops", cpu.number("peak_fp64_gflops"), 20000,
                            "a CPU stays below 20 TFLOP/s; is the unit right?");
    }
}

void checkServers(const CheckedCatalog& catalog, CheckReport& report) {
    for (const Facts& facts : catalog.of<Server>()) {
        const auto& server = facts.part<Server>();
        const Facts* gpu = catalog.findOf<Gpu>(server.gpu.value);
        const Facts* cpu = catalog.findOf<Cpu>(server.cpu.value);
        report.expect(server.gpu.empty() || gpu, facts, "gpu_id", "there is no such GPU");
        report.expect((server.cpu.empty() && facts.entry().layer != CatalogLayer::shipped) || cpu, facts, "cpu_id",
                      "there is no such CPU");
        report.expect((server.gpuCount > 0) == !server.gpu.empty(), facts, "gpu_count",
                      "GPUs have a type and a count, or neither");
        checkServerPower(facts, gpu, cpu, report);
        checkServerCooling(facts, report);
        if (gpu) {
            checkServerLinks(facts, *gpu, report);
            checkRackSystem(facts, *gpu, report);
        }
    }
}

} // namespace cw
