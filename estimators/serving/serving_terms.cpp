// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/serving_terms.h"

#include "estimators/services/workload_report.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr const char* study = "docs/equations-serving.md, Serving";

const char* peakField(Precision weights, const char* efficiencyKey) {
    const std::string_view key = efficiencyKey;
    if (key == "efficiency_4bit")
        return "fp4_tflops";
    if (key == "efficiency_8bit")
        return weights == Precision::int8 ? "int8_tops" : "fp8_tflops";
    return "bf16_tflops";
}

/// Leaves and intermediate terms that several figures share.
struct Terms {
    explicit Terms(ServingView& of) : view(of), d(of.context.derivation) {}

    ServingView& view;
    Derivation& d;
    Quantity load, prompt, output, batch, bandwidth, bandwidthShare, peak, efficiency, layers, step, prefill, share, kvTokens, replicas;

    const ServingPool& decode() const { return view.decodePool(); }

    /// A constant as it was used: the stack's own where it states one, else the device's.
    Quantity constant(const char* name, const char* key, Unit unit) const {
        const Replica& replica = decode().replica();
        for (const Constants* set : {replica.stack.set, replica.deviceSet})
            if (set && set->has(key))
                return d.calibrated(name, *set, key, unit);
        return d.unknown(name, unit, "not in the catalog");
    }

    void leaves() {
        const ServingPool& pool = decode();
        const Replica& replica = pool.replica();
        const Machine& machine = pool.machine();
        load = view.closedLoop ? d.input("users at a time", *view.spec.concurrency, Unit::count, "workload")
                               : d.input("arrival rate", view.rate, Unit::requestsPerSecond, "workload");
        prompt = d.input("prompt length", pool.load.shape().prompt, Unit::tokens, "workload");
        output = d.input("output length", pool.load.shape().output, Unit::tokens, "workload");
        layers = d.fact("layers", *pool.model.source, "layers_count", pool.model.layers, Unit::count);
        const PartInfo& part = replica.onCpu ? static_cast<const PartInfo&>(*machine.cpu) : *machine.gpu;
        const Quantity one = d.fact(replica.onCpu ? "memory bandwidth of a socket" : "memory bandwidth", part, "memory_bandwidth_gb_s",
                                    replica.onCpu ? replica.bandwidth / std::max(machine.sockets, 1e-9) : replica.bandwidth,
                                    Unit::bytesPerSecond);
        bandwidth = replica.onCpu ? d.product("memory bandwidth of a machine", "sockets · bandwidth of one", {one}, Unit::bytesPerSecond, machine.sockets)
                                  : one;
        bandwidthShare = replica.onCpu
                           ? constant("share of it that weights reach",
                                      machine.sockets > 1 ? "bandwidth_share_sockets" : "bandwidth_share_one_socket", Unit::fraction)
                           : constant("share of it that weights reach", "weight_bandwidth_share", Unit::fraction);
        const Quantity data = d.fact("peak arithmetic", part,
                                     replica.onCpu ? "peak_bf16_gflops" : peakField(pool.model.weights, replica.efficiencyKey),
                                     replica.peak / replica.peakRatio, Unit::operationsPerSecond);
        peak = replica.peakRatio == 1
                 ? data
                 : d.product(replica.onCpu ? "peak of all sockets" : "peak within the power limit",
                             replica.onCpu ? "sockets · peak" : "peak · √(power / power of the full part)", {data},
                             Unit::operationsPerSecond, replica.peakRatio);
        efficiency = constant("share of the peak that matrices reach", replica.efficiencyKey, Unit::fraction);
        replicas = d.computed("replicas", "devices / (tensor · pipeline · attention data ranks)", static_cast<double>(pool.replicas),
                              static_cast<double>(pool.replicas), static_cast<double>(pool.replicas), Unit::count, {});
    }

    void memory() {
        const Replica& replica = decode().replica();
        const ReplicaMemory& m = replica.memory;
        const Quantity weights = d.computed("weights on a device", "parameters · bytes / ranks + embedding and head", m.weights, m.weights,
                                            m.weights, Unit::bytes, {}, study);
        const Quantity usable = d.computed("memory the program takes", replica.stack.shareOfFree ? "weights + share · (memory − weights)" : "share · memory", m.usable, m.usable, m.usable, Unit::bytes,
                                           {constant("share of the memory", "memory_share", Unit::fraction)}, study);
        const Quantity token = d.computed("KV cache of a token", "attention layers · values · bytes / ranks that share the heads",
                                          m.kvPerToken, m.kvPerToken, m.kvPerToken, Unit::bytes, {layers}, study);
        kvTokens = d.computed("tokens in the KV cache", "(usable − weights − reserved) / bytes of a token", replica.kvTokens,
                              replica.kvTokens * .97, replica.kvTokens * 1.03, Unit::tokens, {usable, weights, token}, study);
    }

    Quantity part(const char* name, const char* equation, double value, std::initializer_list<Quantity> inputs) const {
        const ErrorBand band = errorBand(value, decode().replica().errorTpot);
        return d.computed(name, equation, value, band.low, band.high, Unit::seconds, inputs, study);
    }

    void steps() {
        const ServingPool& pool = decode();
        const ServingPoint& at = view.point.pools[view.mainDecode];
        const Replica& replica = pool.replica();
        const StepParts parts = pool.load.decodeParts(std::max(at.batch, 1.));
        batch = d.computed("sequences in flight on a replica",
                           view.closedLoop ? "users that hold a place and have their first token" : "b = λ · output · t(b), Little's law",
                           at.batch, at.batch / (1 + replica.errorTpot), at.batch * (1 + replica.errorTpot), Unit::count, {load, output}, study);
        std::array<Quantity, 5> list;
        std::size_t n = 0;
        list[n++] = part("reading weights and KV cache", "its part of (x⁴ + y⁴)^¼, x = bytes / (ranks · share · bandwidth)", parts.memory,
                         {bandwidth, bandwidthShare, batch, prompt, output});
        list[n++] = part("arithmetic that shows beside it", "its part of (x⁴ + y⁴)^¼, y = 2 · parameters · b / (ranks · η · P)", parts.compute, {peak, efficiency, batch});
        if (!replica.onCpu)
            list[n++] = part("host and launches", "layers · o_layer + o_step + b · o_sequence", parts.host,
                             {layers, constant("overhead a layer", "layer_overhead_s", Unit::seconds),
                              constant("overhead a step", "step_overhead_s", Unit::seconds),
                              constant("overhead a sequence", "sequence_overhead_s", Unit::seconds)});
        else
            list[n++] = part("threads and launches", "layers · o_layer + o_step", parts.host,
                             {layers, constant("overhead a layer", "layer_overhead_s", Unit::seconds)});
        if (parts.scaleUp > 0)
            list[n++] = part("all-reduces in the scale-up domain", "2 · layers · (o + 2 (n−1)/n · 2 b h / (share · bandwidth))", parts.scaleUp,
                             {layers, constant("latency of an all-reduce", "all_reduce_latency_s", Unit::seconds),
                              constant("share of the link", "scale_up_share", Unit::fraction)});
        if (parts.network > 0)
            list[n++] = part("collectives over the network", "time of the operation over the drawn links", parts.network, {layers, batch});
        const ErrorBand band = errorBand(at.step, replica.errorTpot);
        step = d.computed("decode step", "reading + arithmetic that shows + host + collectives", at.step, band.low,
                          band.high, Unit::seconds, std::span<const Quantity>(list.data(), n), study);
    }

    void prompts() {
        const ServingPoint& at = view.point.pools[view.main];
        const double error = view.pool().replica().errorTtft;
        const ErrorBand band = errorBand(at.prefill, error);
        prefill = d.computed("prefill of one prompt", "2 · parameters · s / (ranks · η · P) + attention + collectives + element-wise traffic",
                             at.prefill, band.low, band.high, Unit::seconds, {prompt, peak, efficiency, layers}, study);
        share = d.computed("share of the time for prompts", "rate · (prefill + overhead of a request)", at.prefillShare,
                           at.prefillShare / (1 + error), std::min(1., at.prefillShare * (1 + error)), Unit::fraction,
                           {prefill, load, constant("overhead of a request", "request_overhead_s", Unit::seconds)}, study);
    }
};

void addLatency(ServingView& view, const Terms& terms, const char* key, const char* name, const char* equation, double value, double error,
                std::initializer_list<Quantity> inputs) {
    Derivation& d = terms.d;
    const ErrorBand band = errorBand(value, error);
    const Quantity q = view.stable ? d.computed(name, equation, value, band.low, band.high, Unit::seconds, inputs, study)
                                   : d.unknown(name, Unit::seconds, "grows without limit: more arrives than can be served");
    view.result.estimate.latency.push_back({key, q});
}

void addLatencies(ServingView& view, const Terms& t) {
    const SystemPoint& at = view.point;
    const Replica &first = view.pool().replica(), &second = view.decodePool().replica();
    const double busy = view.closedLoop ? 0 : view.utilisation();
    const double ttft = latencyError(first.errorTtft, busy);
    const double tpot = latencyError(second.errorTpot, at.pools[view.mainDecode].prefillShare);
    const double whole = latencyError(std::max(second.errorTpot, first.errorTtft * .5), busy);
    constexpr const char* answer = "time to first token + (output − 1) · time per token";
    constexpr const char* firstToken = "latency of the program + step + prefill + wait for earlier prompts and a place in the KV cache";
    constexpr const char* pace = "decode step / (1 − share of the time for prompts)";
    addLatency(view, t, "p50", "latency, median", answer, at.latency(.5), whole, {t.step, t.share, t.prefill, t.output});
    addLatency(view, t, "p95", "latency, 95 % below", answer, at.latency(.95), whole, {t.step, t.share, t.prefill, t.output});
    addLatency(view, t, "p99", "latency, 99 % below", answer, at.latency(.99), whole, {t.step, t.share, t.prefill, t.output});
    addLatency(view, t, "ttft_p50", "time to first token, median", firstToken, at.ttft(.5), ttft, {t.step, t.prefill, t.share});
    addLatency(view, t, "ttft_p95", "time to first token, 95 % below", firstToken, at.ttft(.95), ttft, {t.step, t.prefill, t.share});
    addLatency(view, t, "ttft_p99", "time to first token, 99 % below", firstToken, at.ttft(.99), ttft, {t.step, t.prefill, t.share});
    addLatency(view, t, "tpot_p50", "time per output token, median", pace, at.tpot(.5), tpot, {t.step, t.share});
    addLatency(view, t, "tpot_p95", "time per output token, 95 % below", pace, at.tpot(.95), tpot, {t.step, t.share});
    addLatency(view, t, "tpot_p99", "time per output token, 99 % below", pace, at.tpot(.99), tpot, {t.step, t.share});
}

void addRates(ServingView& view, const Terms& t) {
    WorkloadEstimate& estimate = view.result.estimate;
    Derivation& d = t.d;
    const double tokens = view.system.outputTokens();
    const double error = std::max(view.pool().replica().errorCapacity, view.decodePool().replica().errorCapacity);
    const ErrorBand band = errorBand(view.capacity * tokens, error);
    estimate.capacity
        = d.computed("largest throughput",
                     view.system.request().targets.any() ? "replicas · largest rate that is stable and keeps p99 within the targets · output"
                                                         : "replicas · rate at 95 % of the places in the KV cache · output",
                     view.capacity * tokens, band.low, band.high, Unit::tokensPerSecond, {t.replicas, t.kvTokens, t.step, t.prefill, t.output}, study);
    const double served = (view.stable ? view.rate : view.stableRate) * tokens;
    if (view.closedLoop) {
        const ErrorBand own = errorBand(served, error);
        estimate.throughput = d.computed("throughput", "users / time of a request · output", served, own.low, own.high, Unit::tokensPerSecond,
                                         {t.load, t.step, t.share, t.output}, study);
    } else {
        const double least = std::min(served, view.stableRate * tokens / (1 + error));
        estimate.throughput = d.computed("throughput", view.stable ? "arrival rate · output" : "largest stable rate · output", served, least,
                                         view.stable ? served : served * (1 + error), Unit::tokensPerSecond, {t.load, t.output, *estimate.capacity});
    }
    view.result.unitsPerSecond = served;
    view.result.unitCost = Unit::dollarsPerMillionTokens;
}

void addMore(ServingView& view, const Terms& t) {
    auto& more = view.result.estimate.more;
    Derivation& d = t.d;
    const auto add = [&](const char* key, const char* name, const char* equation, double value, double error, Unit unit,
                         std::initializer_list<Quantity> inputs) {
        const ErrorBand band = errorBand(value, error);
        const double high = unit == Unit::fraction ? std::min(band.high, std::max(1., value)) : band.high; // no share is above the whole
        more.push_back({key, d.computed(name, equation, value, band.low, high, unit, inputs, study)});
    };
    const double served = view.stable ? view.rate : view.stableRate;
    const ServingPoint& decode = view.point.pools[view.mainDecode];
    const double error = view.decodePool().replica().errorCapacity;
    add("requests", "requests served", "throughput / output", served, 0, Unit::requestsPerSecond, {t.load});
    add("requests_capacity", "largest request rate", "largest throughput / output", view.capacity, error, Unit::requestsPerSecond,
        {*view.result.estimate.capacity});
    more.push_back({"batch", t.batch});
    add("kv_use", "KV cache in use", "sequences in flight · tokens that one holds / tokens of the cache", std::min(1., decode.kvUse), error, Unit::fraction, {t.batch, t.kvTokens});
    more.push_back({"replicas", t.replicas});
    more.push_back({"decode_step", t.step});
    if (view.capacity > 0 && view.stable && !view.closedLoop)
        add("margin", "margin to the largest rate", "1 − rate / largest rate", std::max(0., 1 - view.rate / view.capacity), 0, Unit::fraction,
            {*view.result.estimate.capacity, t.load});
    if (!view.point.paths.empty() && view.stable) {
        add("ttft_mean", "time to first token, mean", "mean over all requests", view.point.meanTtft(), view.pool().replica().errorTtft,
            Unit::seconds, {t.step, t.prefill, t.share});
        add("tpot_mean", "time per output token, mean", "mean over requests of the time after the first token / (output − 1)", view.point.meanTpot(),
            view.decodePool().replica().errorTpot, Unit::seconds, {t.step, t.share});
    }
}

void addMfu(ServingView& view, const Terms& t) {
    double peak = 0;
    for (const ServingPool& pool : view.system.pools())
        peak += pool.replica().peak * static_cast<double>(pool.replicas) * (pool.replica().onCpu ? 1 : pool.replica().layout.devices());
    const RequestShape& shape = view.pool().load.shape();
    const double served = view.stable ? view.rate : view.stableRate;
    const double value = peak > 0 ? served * 2 * view.pool().model.activeParameters() * (shape.prompt + shape.output) / peak : 0;
    view.result.estimate.mfu
        = t.d.computed("model FLOPs of the peak", "2 · active parameters · tokens / peak of all devices", value, value, value, Unit::fraction,
                       {t.load, t.prompt, t.output, t.peak});
}

} // namespace

void addServingFigures(ServingView& view) {
    view.context.derivation.reserve(view.context.derivation.size() + 80);
    Terms terms(view);
    terms.leaves();
    terms.memory();
    terms.steps();
    terms.prompts();
    addLatencies(view, terms);
    addRates(view, terms);
    addMore(view, terms);
    addMfu(view, terms);
}

void addServingMemory(ServingView& view) {
    Derivation& d = view.context.derivation;
    const ServingPool& pool = view.decodePool();
    const ReplicaMemory& m = pool.replica().memory;
    const Machine& machine = pool.machine();
    const double room = std::max(0., m.usable - m.weights - m.reserved);
    const double kv = room * std::clamp(view.point.pools[view.mainDecode].kvUse, 0., 1.);
    const auto exact = [&](const char* name, const char* equation, double value) {
        return d.computed(name, equation, value, value, value, Unit::bytes, {}, study);
    };
    WorkloadEstimate::Memory memory;
    const Quantity weights = exact("weights", "parameters · bytes / ranks", m.weights);
    const Quantity reserved = exact("reserved by the runtime", "of the serving program", m.reserved);
    const double error = pool.replica().errorCapacity;
    const Quantity cache = d.computed("KV cache in use", "share in use · room beside the weights", kv, kv / (1 + error),
                                      std::min(room, kv * (1 + error)), Unit::bytes, {}, study);
    memory.parts = {{"weights", weights}, {"kv_cache", cache}, {"reserved", reserved}};
    const Quantity parts[] = {weights, cache, reserved};
    memory.used = d.sum("memory of a device in use", parts, Unit::bytes);
    memory.capacity = pool.replica().onCpu
                        ? (machine.part ? d.fact("memory of a machine", *machine.part, "ram_gb", m.capacity, Unit::bytes)
                                        : exact("memory of a machine", "drawn machine", m.capacity))
                        : d.fact("memory of a GPU", *machine.gpu, "memory_capacity_gb", m.capacity, Unit::bytes);
    memory.fits = m.fits();
    view.result.estimate.memory = std::move(memory);
}

} // namespace cw
