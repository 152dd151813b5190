// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/part_reader.h"

#include <algorithm>

namespace cw {
namespace {

constexpr double litresPerCubicFoot = 28.316846592;

CubicMetresPerSecond cubicFeetPerMinute(double v) { return fromSi<CubicMetresPerSecond>(v * litresPerCubicFoot / 1000 / 60); }

Bytes megabytes(double v) { return bytes(v * 1e6); }

Bytes terabytes(double v) { return bytes(v * 1e12); }

BytesPerSecond halfOfGigabytesPerSecond(double bothDirections) { return gigabytesPerSecond(bothDirections / 2); }

using RateKey = std::pair<const char*, Precision>;

void readRates(Fields& fields, std::span<const RateKey> keys, OperationsPerSecond (*make)(double),
               std::map<Precision, OperationsPerSecond>& peak) {
    for (const auto& [key, precision] : keys) {
        if (const auto rate = fields.quantityIfKnown(key, make); rate && si(*rate) > 0)
            peak[precision] = *rate;
    }
    if (peak.empty())
        fields.missing(keys.back().first, "the peak rate of at least one precision");
}

/// One `fp4_tflops` for all 4-bit block formats that the part computes in; all of them unless it lists which.
void readFourBitRates(Fields& fields, Gpu& gpu) {
    const auto rate = fields.quantityIfKnown("fp4_tflops", teraOperationsPerSecond);
    std::vector<std::string> formats = fields.texts("fp4_formats");
    if (!rate || si(*rate) <= 0)
        return;
    if (formats.empty())
        formats = {"nvfp4", "mxfp4"};
    for (const std::string& format : formats) {
        const auto precision = precisionFrom(format);
        if (precision == Precision::nvfp4 || precision == Precision::mxfp4 || precision == Precision::int4)
            gpu.peak[*precision] = *rate;
        else
            fields.wrong("fp4_formats", "nvfp4, mxfp4 or int4", "Unknown 4-bit format \"" + format + "\".");
    }
}

std::optional<ServerRole> roleFrom(std::string_view name) {
    constexpr std::pair<std::string_view, ServerRole> roles[]{
        {"gpu_server", ServerRole::gpuServer},        {"rack_system", ServerRole::rackSystem},
        {"cpu_server", ServerRole::cpuServer},        {"head_node", ServerRole::headNode},
        {"load_balancer", ServerRole::loadBalancer},  {"cache_node", ServerRole::cacheNode},
        {"storage_server", ServerRole::storageServer}};
    for (const auto& [text, role] : roles) {
        if (text == name)
            return role;
    }
    return {};
}

void readServerPorts(Fields& fields, Server& server) {
    constexpr std::string_view purposes[]{"compute", "storage", "management", "any"};
    for (Fields& nic : fields.objects("nics")) {
        PortGroup group;
        group.count = nic.whole("count", 1);
        group.speed = nic.quantity("speed_gbit_s", gigabitsPerSecond);
        group.connector = nic.textOr("connector", {});
        group.purpose = nic.textOr("purpose", "any");
        if (std::find(std::begin(purposes), std::end(purposes), group.purpose) == std::end(purposes))
            nic.wrong("purpose", "compute, storage, management or any", "Unknown purpose of ports.");
        server.ports.push_back(std::move(group));
    }
}

} // namespace

void readPart(Fields& fields, Gpu& gpu) {
    gpu.architecture = fields.textOr("architecture", {});
    gpu.releaseYear = fields.wholeOr("release_year", 0);
    static constexpr RateKey rates[]{{"fp64_tflops", Precision::fp64}, {"fp64_tensor_tflops", Precision::fp64},
                                     {"fp32_tflops", Precision::fp32}, {"tf32_tflops", Precision::tf32},
                                     {"fp16_tflops", Precision::fp16}, {"fp8_tflops", Precision::fp8},
                                     {"int8_tops", Precision::int8},   {"bf16_tflops", Precision::bf16}};
    readRates(fields, rates, teraOperationsPerSecond, gpu.peak);
    readFourBitRates(fields, gpu);
    gpu.memory = fields.quantity("memory_capacity_gb", gigabytes);
    gpu.memoryBandwidth = fields.quantity("memory_bandwidth_gb_s", gigabytesPerSecond);
    gpu.tdp = fields.quantityIfKnown("tdp_w", watts);
    gpu.idle = fields.quantityIfKnown("idle_w", watts);
    gpu.scaleUpLink = fields.textOr("scale_up_link", "none");
    gpu.scaleUpBandwidth = fields.quantityIfKnown("scale_up_per_direction_gb_s", gigabytesPerSecond);
    if (gpu.scaleUpBandwidth && si(*gpu.scaleUpBandwidth) == 0)
        gpu.scaleUpBandwidth.reset();
    gpu.scaleUpDomain = fields.wholeOr("scale_up_domain_gpus", 1, 1);
    gpu.pcieBandwidth = fields.quantity("pcie_per_direction_gb_s", gigabytesPerSecond);
    gpu.hostLinkBandwidth = fields.quantityIfKnown("c2c_bidir_gb_s", halfOfGigabytesPerSecond);
    gpu.price = fields.band("price_usd_low", "price_usd_high", dollars);
}

void readPart(Fields& fields, Cpu& cpu) {
    cpu.architecture = fields.textOr("architecture", {});
    cpu.isa = fields.textOr("isa", {});
    cpu.cores = fields.whole("cores_count", 1);
    cpu.threads = fields.wholeOr("threads_count", cpu.cores, 1);
    cpu.baseGhz = fields.number("base_ghz");
    cpu.boostGhz = fields.numberOr("boost_ghz", cpu.baseGhz);
    static constexpr RateKey rates[]{{"peak_fp64_gflops", Precision::fp64},
                                     {"peak_bf16_gflops", Precision::bf16},
                                     {"peak_int8_gops", Precision::int8},
                                     {"peak_fp32_gflops", Precision::fp32}};
    readRates(fields, rates, gigaOperationsPerSecond, cpu.peak);
    cpu.l3 = fields.quantityOrNan("l3_mb", megabytes);
    cpu.memoryBandwidth = fields.quantity("memory_bandwidth_gb_s", gigabytesPerSecond);
    cpu.tdp = fields.quantity("tdp_w", watts);
    cpu.idle = fields.quantityIfKnown("idle_w", watts);
    cpu.serverIdle2s = fields.quantityIfKnown("server_2s_idle_w", watts);
    cpu.serverFull2s = fields.quantityIfKnown("server_2s_full_load_w", watts);
    cpu.price = fields.band("price_usd_low", "price_usd_high", dollars);
}

void readPart(Fields& fields, Server& server) {
    const std::string role = fields.text("role");
    if (const auto known = roleFrom(role))
        server.role = *known;
    else if (!role.empty())
        fields.wrong("role", "gpu_server, rack_system, cpu_server, head_node, load_balancer, cache_node or storage_server",
                     "Unknown role of a server.");
    server.heightU = fields.number("u_height");
    server.weight = fields.quantityOrNan("weight_kg", kilograms);
    server.gpu = PartId(fields.textOr("gpu_id", {}));
    server.gpuCount = fields.wholeOr("gpu_count", 0);
    server.cpu = PartId(fields.textOr("cpu_id", {}));
    server.cpuCount = fields.wholeOr("cpu_count", 0);
    server.ram = fields.quantity("ram_gb", gigabytes);
    readServerPorts(fields, server);
    server.powerMax = fields.quantity("power_max_w", watts);
    server.powerTypical = fields.quantity("power_typical_w", watts);
    server.powerIdle = fields.quantity("power_idle_w", watts);
    server.psuCount = fields.wholeOr("psu_count", 0);
    server.psuRating = fields.quantityOrNan("psu_rating_w", watts);
    server.psuRedundancy = fields.textOr("psu_redundancy", {});
    server.psuNeeded = fields.wholeOr("psu_needed_count", server.psuCount);
    server.cooling = fields.textOr("cooling_type", "air");
    server.airflow = fields.quantityIfKnown("airflow_cfm", cubicFeetPerMinute);
    server.liquidHeatFraction = fields.numberOr("liquid_heat_fraction", 0, 0, 1);
    server.inletMinC = fields.numberOr("inlet_min_c", 10, -60, 100); // ASHRAE class A2
    server.inletMaxC = fields.numberOr("inlet_max_c", 35, -60, 100);
    server.storage = fields.quantityIfKnown("storage_tb", terabytes);
    server.storageRead = fields.quantityIfKnown("read_gb_s", gigabytesPerSecond);
    server.storageWrite = fields.quantityIfKnown("write_gb_s", gigabytesPerSecond);
    server.price = fields.band("price_usd_low", "price_usd_high", dollars);
}

void readPart(Fields& fields, CloudInstance& instance) {
    instance.origin = fields.textOr("origin", "market");
    if (instance.origin != "market" && instance.origin != "seed")
        fields.wrong("origin", "market or seed", "Unknown origin of a price.");
    instance.provider = fields.text("provider");
    instance.instance = fields.textOr("instance", {});
    instance.region = fields.textOr("region", {});
    instance.kind = fields.text("kind");
    constexpr std::string_view kinds[]{"gpu", "cpu", "cluster", "per_request"};
    if (!instance.kind.empty() && std::find(std::begin(kinds), std::end(kinds), instance.kind) == std::end(kinds))
        fields.wrong("kind", "gpu, cpu, cluster or per_request", "Unknown kind of a cloud instance.");
    instance.gpu = PartId(fields.textOr("gpu_id", {}));
    instance.gpuCount = fields.wholeOr("gpu_count", 0);
    instance.cpu = PartId(fields.textOr("cpu_id", {}));
    instance.vcpus = fields.wholeOr("vcpu_count", 0);
    if (fields.has("physical_cores_count"))
        instance.physicalCores = fields.wholeOr("physical_cores_count", 0);
    instance.ram = fields.quantityOrNan("ram_gb", gigabytes);
    instance.network = fields.quantityIfKnown("network_gbit_s", gigabitsPerSecond);
    instance.onDemand = fields.quantityIfKnown("on_demand_usd_per_hour", dollarsPerHour);
    instance.reserved1y = fields.quantityIfKnown("reserved_1y_usd_per_hour", dollarsPerHour);
    instance.reserved3y = fields.quantityIfKnown("reserved_3y_usd_per_hour", dollarsPerHour);
    instance.spot = fields.band("spot_low_usd_per_hour", "spot_high_usd_per_hour", dollarsPerHour);
    instance.onDemandBand = fields.band("on_demand_low_usd_per_hour", "on_demand_high_usd_per_hour", dollarsPerHour);
    instance.asOf = fields.textOr("as_of", {});
    if (!fields.has("name")) {
        instance.name = instance.provider + " " + instance.instance;
        for (const std::string& distinction : {instance.region, instance.asOf})
            instance.name += distinction.empty() ? "" : ", " + distinction;
    }
    if (instance.vendor.empty())
        instance.vendor = instance.provider;
}

} // namespace cw
