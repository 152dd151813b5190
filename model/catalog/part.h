// SPDX-License-Identifier: GPL-3.0-or-later
//
// Catalog parts: facts of things that can be bought, rented or run, as plain values. Numbers were converted once, on loading
// (bits to bytes, GB to bytes, dense FLOP/s, one direction). What the source does not say is an empty optional, or NaN where a
// quantity is not optional, never zero. Field names in `provenance()` are the keys of the JSON file, e.g. "tdp_w".
#pragma once

#include "model/base/id.h"
#include "model/units/units.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cw {

struct Source {
    std::string title;
    std::string section;
    bool recalled = false;
    bool operator==(const Source&) const = default;
};

/// How far a fact can be trusted. `user` facts come from the user's own parts.
enum class Provenance : std::uint8_t { read, recalled, estimated, user };

/// What every part has. `json` is the entry's own canonical JSON text: it shows every fact and is what an own part is edited from.
struct PartInfo {
    PartId id;
    std::string name;
    std::string vendor;
    Provenance confidence = Provenance::read;
    std::vector<Source> sources;
    std::vector<std::string> recalledFields;
    std::vector<std::string> estimatedFields;
    std::string notes;
    std::string json;

    /// Trust in one field: estimated and recalled fields are listed, the rest has the confidence of the entry.
    Provenance provenance(std::string_view field) const;
};

enum class Precision : std::uint8_t { fp64, fp32, tf32, bf16, fp16, fp8, int8, mxfp8, nvfp4, mxfp4, int4 };
std::string_view name(Precision precision);
std::optional<Precision> precisionFrom(std::string_view name);

/// Bytes of one stored value, scales of block formats included (nvfp4, mxfp4 0.5625; int4 0.53).
double bytesPerValue(Precision precision);

struct Gpu : PartInfo {
    std::string architecture; ///< "Hopper", "CDNA3", …
    int releaseYear = 0;
    std::map<Precision, OperationsPerSecond> peak; ///< dense; fp64 holds the matrix rate where there is one
    Bytes memory{};
    BytesPerSecond memoryBandwidth{};
    std::optional<Watts> tdp;
    std::optional<Watts> idle;
    std::string scaleUpLink;                         ///< "NVLink4", "none", …
    std::optional<BytesPerSecond> scaleUpBandwidth;  ///< one direction, one GPU
    int scaleUpDomain = 1;                           ///< GPUs that reach each other over it
    BytesPerSecond pcieBandwidth{};                  ///< one direction
    std::optional<BytesPerSecond> hostLinkBandwidth; ///< chip-to-chip link to the host CPU, one direction
    std::optional<Band<Dollars>> price;

    /// Dense peak of a precision, falling back as hardware does (fp8 on parts without it runs as bf16/fp16; mxfp8 as fp8; 4-bit
    /// weights without 4-bit arithmetic as bf16). Empty only when nothing fits.
    std::optional<OperationsPerSecond> peakFor(Precision precision) const;
};

struct Cpu : PartInfo {
    std::string architecture;
    std::string isa; ///< "avx2", "avx512", "amx", "neon", …
    int cores = 0;
    int threads = 0;
    double baseGhz = 0;
    double boostGhz = 0;
    std::map<Precision, OperationsPerSecond> peak; ///< at base clock
    Bytes l3{};
    BytesPerSecond memoryBandwidth{};
    Watts tdp{};
    std::optional<Watts> idle;
    std::optional<Watts> serverIdle2s; ///< measured two-socket server, wall
    std::optional<Watts> serverFull2s;
    std::optional<Band<Dollars>> price;

    /// As Gpu::peakFor.
    std::optional<OperationsPerSecond> peakFor(Precision precision) const;
};

/// Ports of one speed and use. `purpose`: "compute" (east-west), "storage", "management", "any".
struct PortGroup {
    int count = 0;
    BytesPerSecond speed{}; ///< one direction
    std::string connector;
    std::string purpose = "any";
};

enum class ServerRole : std::uint8_t { gpuServer, rackSystem, cpuServer, headNode, loadBalancer, cacheNode, storageServer };

struct Server : PartInfo {
    ServerRole role = ServerRole::cpuServer;
    double heightU = 0;
    Kilograms weight{};
    PartId gpu; ///< empty: none
    int gpuCount = 0;
    PartId cpu;
    int cpuCount = 0;
    Bytes ram{};
    std::vector<PortGroup> ports;
    Watts powerMax{};
    Watts powerTypical{};
    Watts powerIdle{};
    int psuCount = 0;
    Watts psuRating{};
    std::string psuRedundancy; ///< "4+2"
    int psuNeeded = 0;
    std::string cooling; ///< "air", "liquid", …
    std::optional<CubicMetresPerSecond> airflow;
    double liquidHeatFraction = 0;
    double inletMinC = 0, inletMaxC = 0;
    std::optional<Bytes> storage;
    std::optional<BytesPerSecond> storageRead, storageWrite;
    std::optional<Band<Dollars>> price;
};

struct Switch : PartInfo {
    std::string technology;       ///< "InfiniBand NDR", "Ethernet 400G", …
    std::vector<PortGroup> ports; ///< at native speed
    int radix = 0;
    int maxRadixBreakout = 0;
    std::optional<Seconds> latency;
    bool inNetworkReduction = false; ///< sums what the ports send (InfiniBand SHARP)
    Watts powerTypical{}, powerMax{};
    double heightU = 1;
    Kilograms weight{};
    int psuCount = 0;
    Watts psuRating{};
    std::optional<Band<Dollars>> price;
};

struct Cable {
    std::string type; ///< "DAC", "AOC", "optic …"
    Metres maxLength{};
    Watts powerPerEnd{};
    Band<Dollars> price;
};

/// A link technology (links.json): what a drawn link is made of. kind: scale_up, chip_to_chip, host_bus, scale_out, topology, wan.
struct Medium : PartInfo {
    std::string kind;
    BytesPerSecond rawBandwidth{};        ///< one direction
    BytesPerSecond achievableBandwidth{}; ///< one direction
    double efficiency = 1;
    std::optional<Seconds> portLatency;     ///< one switch hop
    std::optional<Seconds> endToEndLatency; ///< small message between application buffers (RDMA where it exists)
    std::optional<Seconds> tcpLatency;
    std::optional<double> collectiveEfficiency;
    bool inNetworkReduction = false;            ///< its switches sum (NVLS)
    std::optional<double> transferDollarsPerGb; ///< billed traffic (zones, regions)
    std::vector<Cable> cables;
};

/// How bytes are carried: RDMA or TCP, tuned or plain ECMP (links.json, kind protocol).
struct Protocol : PartInfo {
    double efficiency = 1;
    std::optional<double> collectiveEfficiency;
    Band<Seconds> addedLatency;
    double cpuCoresPer100G = 0;
    std::optional<BytesPerSecond> singleFlow;
};

struct RackType : PartInfo {
    int heightU = 42;
    std::optional<Kilograms> staticLoad;
    Kilograms tare{};
    double widthMm = 0, depthMm = 0;
    std::optional<Watts> power; ///< rated, where the type has a limit of its own (busbar)
    std::optional<Band<Dollars>> price;
};

struct Pdu : PartInfo {
    double volts = 0, amperes = 0;
    int phases = 3;
    double derate = .8;
    Watts usable{};
    std::optional<Band<Dollars>> price;
};

/// A way to cool racks (cooling_…) or a unit that does (cdu_…).
struct Cooling : PartInfo {
    Watts rackLimitLow{}, rackLimitTypical{}, rackLimitMax{};
    double liquidHeatFraction = 0;
    double pueLow = 1, pueHigh = 1;
    std::optional<Watts> capacity; ///< of a unit (CDU)
    std::optional<Band<Dollars>> price;
};

struct CloudInstance : PartInfo {
    std::string origin; ///< "market" or "seed" (a field report's own number, never mixed with market rows)
    std::string provider, instance, region, kind; ///< kind: gpu, cpu, cluster, per_request
    PartId gpu;
    int gpuCount = 0;
    PartId cpu;
    int vcpus = 0;
    std::optional<int> physicalCores;
    Bytes ram{};
    std::optional<BytesPerSecond> network; ///< one direction, whole instance
    std::optional<DollarsPerSecond> onDemand, reserved1y, reserved3y;
    std::optional<Band<DollarsPerSecond>> spot;
    std::optional<Band<DollarsPerSecond>> onDemandBand;
    std::string asOf;
};

/// Dimensions of a neural network. Zero where a dimension does not exist (cnn).
struct NeuralModel : PartInfo {
    std::string family, kind; ///< transformer, moe_transformer, hybrid…, vision_transformer, cnn
    int layers = 0, hidden = 0, heads = 0, kvHeads = 0, headDim = 0, ffn = 0;
    bool gatedMlp = false, tiedEmbeddings = false;
    int vocabulary = 0;
    int context = 0;
    int experts = 0, expertsPerToken = 0, moeFfn = 0, sharedExperts = 0, sharedFfn = 0, denseLayers = 0;
    bool mla = false;
    int qLoraRank = 0, kvLoraRank = 0, qkNopeHeadDim = 0, qkRopeHeadDim = 0, vHeadDim = 0;
    double parametersTotal = 0, parametersActive = 0; ///< counts, not billions
    std::optional<Operations> operationsPerSample;    ///< forward, vision models (2 × multiply-adds)

    // Hybrids; a plain transformer has attentionLayers = fullAttentionLayers = layers and no state.
    int attentionLayers = 0;     ///< layers with a KV cache
    int fullAttentionLayers = 0; ///< of these, those that see all positions; the others see attentionWindow of them
    int attentionWindow = 0;     ///< positions
    bool gatedAttention = false; ///< one more projection of the size of the queries
    int moeLayers = 0;           ///< layers - denseLayers unless stated; 0 without experts
    int moeLatent = 0;           ///< width the experts work in; 0: hidden
    int predictionModules = 0;   ///< multi-token prediction: one more layer and head each, in training
    int stateLayers = 0;         ///< Mamba-2 or linear attention: a state of stateValues per sequence instead of a KV cache
    int stateInner = 0;          ///< width of the output projection of such a layer (stateInner × hidden)
    int stateProjection = 0;     ///< width of its input projections (hidden × stateProjection)
    int stateValues = 0;         ///< values per sequence and layer
};

/// A grid and market region: carbon and energy price.
struct Region : PartInfo {
    double carbonGramsPerKwh = 0;
    double dollarsPerKwh = 0;
};

/// Named numbers with a range: calibrated constants of a device or of a software stack, failure rates, efficiencies, price bands.
/// The estimator that owns a set knows its keys. `fittedOn` says on which published rows, `subject` names what it belongs to.
struct Constants : PartInfo {
    std::string kind;    ///< "gemm", "collectives", "training_stack", "serving_stack", "failure_rate", "psu_efficiency", …
    std::string subject; ///< part id or architecture this belongs to; empty for stacks
    std::string fittedOn;
    struct Value {
        double value = 0;
        std::optional<double> low, high;
    };
    std::map<std::string, Value, std::less<>> values;

    /// The value of a key; an unknown key is a bug and asserts.
    double operator[](std::string_view key) const;
    double get(std::string_view key, double otherwise) const;
    bool has(std::string_view key) const;
};

using Part = std::variant<Gpu, Cpu, Server, Switch, Medium, Protocol, RackType, Pdu, Cooling, CloudInstance, NeuralModel, Region,
                          Constants>;

/// Names of the alternatives of Part in order: "gpu", "cpu", "server", "switch", "medium", "protocol", "rack", "pdu", "cooling",
/// "cloud_instance", "model", "region", "constants".
std::string_view kindName(const Part& part);
const PartInfo& info(const Part& part);

} // namespace cw
