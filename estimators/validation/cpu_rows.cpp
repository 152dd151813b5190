// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of cpu_inference.csv: tokens a second of one answer (and of its prompt) on CPUs. A token reads the weights once, so the share of
// the memory bandwidth that the software reaches decides; how memory is placed on the sockets decides that share.
#include "estimators/serving/served_model.h"
#include "estimators/serving/serving_constants.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/serving_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr std::initializer_list<const char*> measuredKeys{"decode_rate", "prefill_rate", "pp", "tokens_rate", "decode_time"};
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double busWidth = 8; ///< bytes a transfer of a DDR channel
constexpr double clientBandwidth = 110e9; ///< two channels; more is a server (or says whose)

/// Bits a weight of the usual formats of quantised files, scales included.
double bytesOfQuant(std::string_view words) {
    constexpr std::pair<std::string_view, double> formats[] = {
        {"iq1_s", .195}, {"1.58", .195},  {"iq1_m", .219}, {"iq2_xxs", .258}, {"iq2_xs", .289}, {"iq2_s", .313}, {"iq2_m", .338}, {"iq3_xxs", .383}, {"iq3", .43},
        {"mxfp4", .531}, {"nvfp4", .563}, {"fp4", .531},   {"q2_k", .35},  {"q3_k", .46},  {"iq4", .55},   {"q4_k", .606}, {"q4_0", .563}, {"q4_1", .625}, {"q5_k", .71},   {"q5_0", .69}, {"q6_k", .82},
        {"q8_0", 1.06}, {"w8a8", 1},    {"int8", 1},    {"fp8", 1},     {"int4", .563}, {"q4", .6},     {"4bit", .6},    {"4-bit", .6}, {"q5", .7},
        {"q8", 1.06},   {"bf16", 2},    {"fp16", 2},    {"f16", 2},     {"fp32", 4},    {"f32", 4},     {"bfloat16", 2}, {"float16", 2}};
    for (const auto& [name, bytes] : formats)
        if (words.find(name) != std::string_view::npos)
            return bytes;
    return 0;
}

PartId stackOfCpu(const std::string& words) {
    if (hasWord(words, {"ktransformers"}))
        return PartId("stack_ktransformers");
    if (hasWord(words, {"ik_llama", "ik-llama"}))
        return PartId("stack_ik_llama");
    if (hasWord(words, {"2023-03", "march 2023", "mar 2023"}))
        return PartId("stack_llamacpp_2023");
    if (hasWord(words, {"distribute", "numactl", "numa fix", "numa-fix", "fixed", "interleave", "per socket", "by socket", "numa aware", "numa-aware", "local", "pinned",
                        "nps"})
        && !hasWord(words, {"default", "not fixed", "no numa"}))
        return PartId("stack_llamacpp_numa");
    return PartId("stack_llamacpp");
}

struct Host {
    double sockets = 1, bandwidth = nothing, peak = nothing;
    double cores = nothing; ///< that work, of all sockets
    std::string note, why;
};

/// "EPYC 24 cores": the number before the word.
double coresNamed(std::string_view words) {
    const std::size_t at = words.find(" core");
    std::size_t from = at == std::string_view::npos ? 0 : at;
    while (from > 0 && words[from - 1] >= '0' && words[from - 1] <= '9')
        --from;
    return at != std::string_view::npos && from < at ? std::atof(std::string(words.substr(from, at - from)).c_str()) : nothing;
}

double coresOf(const Row& row, const Cpu* cpu, double sockets, const std::string& words) {
    const double perSocket = row.number("cores", cpu && cpu->cores > 0 ? cpu->cores : coresNamed(words));
    const double all = row.number("all_cores", perSocket * sockets), threads = row.number("threads", nothing);
    return std::isfinite(all) && std::isfinite(threads) ? std::min(all, threads) : std::isfinite(all) ? all : threads;
}

bool isApple(const std::string& words) { return hasWord(words, {"apple", "macbook", "m1", "m2 ", "m3 ", "m4 "}); }

/// Share of the memory bandwidth of all sockets that weights are read at. A few cores saturate two channels; between the dies and
/// sockets of servers it is less.
double bandwidthShare(const ServingStack& stack, const ServingCpu& of, const Host& host, const std::string& words) {
    const auto own = [&](const char* key, double otherwise) { return stack.set ? stack.set->get(key, otherwise) : otherwise; };
    if (isApple(words))
        return own("bandwidth_share_apple", of.bandwidthOneSocket);
    if (host.sockets > 1)
        return of.bandwidthSockets;
    return host.bandwidth < clientBandwidth ? own("bandwidth_share_client", of.bandwidthOneSocket) : of.bandwidthOneSocket;
}

/// Bandwidth of all sockets: as given, of the populated channels, or the catalog's.
Host hostOf(const Row& row, const Cpu* cpu, const std::string& words) {
    Host host;
    host.sockets = row.number("sockets", hasWord(words, {"dual", "2x", "2 x", "two-socket", "2s"}) ? 2 : 1);
    if (const auto given = row.number("bandwidth")) {
        host.bandwidth = *given;
        const bool oneSocket = hasWord(std::string(row.measured("bandwidth") ? row.measured("bandwidth")->column : ""), {"socket"});
        host.bandwidth *= oneSocket ? host.sockets : 1;
    } else if (row.has("channels") && row.has("transfers")) {
        const double transfers = row.number("transfers", 0);
        double channels = row.number("channels", 0);
        channels *= channels <= 12 ? host.sockets : 1; // more than a socket has: of all of them
        host.bandwidth = channels * busWidth * (transfers < 1e8 ? transfers * 1e6 : transfers);
    } else if (cpu) {
        host.bandwidth = si(cpu->memoryBandwidth) * host.sockets;
        host.note = "bandwidth of the catalog, all channels populated";
    } else {
        host.why = "neither its memory bandwidth nor channels and speed are given, and the catalog has no such CPU";
    }
    host.cores = coresOf(row, cpu, host.sockets, words);
    if (cpu)
        host.peak = si(cpu->peakFor(Precision::fp32).value_or(OperationsPerSecond{})) * host.sockets;
    return host;
}

/// What the name of a model says of its size, where neither the row nor the catalog has it.
struct ModelSize {
    double total = 0, active = 0;
    bool ofName = false;
};

ModelSize sizeOf(const Row& row, const NeuralModel* model) {
    ModelSize size;
    const NamedSize named = sizeInName(row.text("model"));
    size.ofName = !model && !row.has("parameters") && named.total > 0;
    size.total = row.number("parameters", model ? model->parametersTotal : named.total);
    const double whole = model && model->experts > 0 ? model->parametersActive : !model && named.active > 0 ? named.active : size.total;
    size.active = row.number("active_parameters", whole);
    return size;
}

/// Bytes that a token reads.
double bytesPerToken(const Row& row, const NeuralModel* model, const std::string& words, std::string& note) {
    if (const auto given = row.number("bytes_per_token"))
        return *given;
    const auto [total, active, ofName] = sizeOf(row, model);
    double each = 0;
    if (const auto file = row.number("file_size"); file && total > 0)
        each = *file / total;
    else if (file)
        return *file;
    if (!(each > 0)) {
        each = bytesOfQuant(words);
        note = each > 0 ? "bytes of the format" : "";
    }
    if (ofName)
        note += std::string(note.empty() ? "" : "; ") + "parameters by the model's name";
    const bool experts = active < .9 * total;
    if (experts && model && hasWord(words, {"gpu", "hybrid", "rtx", "4090", "a6000", "3090"}) && hasWord(words, {"expert", "ktransformers", "hybrid", "moe offload"}))
        if (const auto served = servedModel(*model, Precision::bf16, Precision::bf16)) // attention and shared layers are on the GPU
            return each * served->moeLayers * served->expertsPerToken * served->expert;
    return each * active;
}

/// These programs unpack weights and compute in vectors of 32 bits, also where the CPU has matrix units.
Cpu vectorsOf(const Cpu* cpu) {
    Cpu vectors = cpu ? *cpu : Cpu();
    vectors.isa.clear();
    std::erase_if(vectors.peak, [](const auto& peak) { return peak.first != Precision::fp32 && peak.first != Precision::fp64; });
    return vectors;
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    const std::string words = wordsOf(row, {"id", "family", "device", "cpu", "platform", "system", "software", "version", "precision", "numa", "notes", "model", "mode"});
    std::string named(row.text("cpu"));
    for (const char* key : {"device", "platform", "system"})
        if (named.empty())
            named = std::string(row.text(key));
    if (named.empty())
        return allWithout(row, measuredKeys, "the row names no CPU");
    if (const std::string unusable = unusableInput(row, {"sockets", "cores", "all_cores", "threads", "channels", "transfers", "bandwidth", "parameters", "active_parameters", "bytes_per_token"}); !unusable.empty())
        return allWithout(row, measuredKeys, unusable);
    const Cpu* cpu = findCpu(shipped, named);
    std::string why;
    const NeuralModel* model = servedModelOf(row, shipped, why);
    const Host host = hostOf(row, cpu, words);
    if (!(host.bandwidth > 0))
        return allWithout(row, measuredKeys, host.why);
    std::string note;
    const double bytes = bytesPerToken(row, model, words, note);
    if (!(bytes > 0))
        return allWithout(row, measuredKeys, "neither the size of the weights nor parameters and format are given");

    const ServingStack stack = servingStack(shipped, stackOfCpu(words), true);
    const ServingCpu of = servingCpu(shipped, vectorsOf(cpu), stack);
    double read = bandwidthShare(stack, of, host, words) * host.bandwidth; // bytes/s
    const double perCore = stack.set ? stack.set->get("core_rate_4bit", 0) : 0;
    if (perCore > 0 && host.cores > 0 && bytesOfQuant(words) < .75 && !isApple(words)) { // unpacking four bits keeps cores busy
        const double cores = perCore * host.cores, slower = std::min(cores, read);
        read = slower / std::pow(1 + std::pow(slower / std::max(cores, read), 4), .25);
        note += (note.empty() ? "" : "; ") + std::to_string(std::lround(host.cores)) + " cores";
    }
    const double decode = read / bytes;
    double active = row.number("active_parameters", model ? model->parametersActive > 0 ? model->parametersActive : model->parametersTotal : sizeOf(row, model).active);
    active = active > 0 ? active : nothing;
    const double prefill = of.efficiency * host.peak / (2 * active);
    if (stack.set)
        note += (note.empty() ? "" : "; ") + stack.set->name;
    if (!host.note.empty())
        note += "; " + host.note;
    std::vector<Prediction> out;
    for (const char* key : measuredKeys)
        if (const auto measured = row.measured(key)) {
            const std::string_view name = key;
            // One column of rates and one that says of which test (llama-bench: pp512, tg128).
            const bool isPrefill = name == "prefill_rate" || name == "pp" || (name == "tokens_rate" && row.text("mode").starts_with("pp"));
            if (name == "pp" && !row.has("decode_rate"))
                continue; // elsewhere "pp" is pipeline parallel
            if (isPrefill && !std::isfinite(prefill))
                out.push_back(notPredicted(measured->column, measured->value, "the catalog has no peak arithmetic of this CPU"));
            else
                out.push_back(predictionOf(*measured, isPrefill ? prefill : name == "decode_time" ? 1 / decode : decode, note));
        }
    return out.empty() ? allWithout(row, measuredKeys, "") : out;
}

} // namespace

const FileKind cpuKind{"cpu_inference", servingFields(), "decode_rate|prefill_rate", "", &predict};

} // namespace cw
