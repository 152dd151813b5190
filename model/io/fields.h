// SPDX-License-Identifier: GPL-3.0-or-later
//
// The keys of *.cluster.json: one describe() for each structure, said once and used by the reader, the writer and the schema. A visitor
// `a` is called as a(key, member, what it is, range); `a.identity` is the id and the name that defaults to it. The order here is the order
// in the file. A member equal to that of a default-made structure is left out of the file.
#pragma once

#include "model/design/project.h"

#include <limits>

namespace cw::io {

/// Bounds of a number; `aboveLow` excludes the lower one.
struct Range {
    double low = -1e300;
    double high = 1e300;
    bool aboveLow = false;
};
constexpr Range atLeastZero{0, 1e300, false};
constexpr Range positive{0, 1e300, true};
constexpr Range share{0, 1, false};
constexpr Range number{};
constexpr Range wholeFrom0{0, 1e9, false};
constexpr Range wholeFrom1{1, 1e9, false};

/// How many names an enumeration has; name(value) gives each.
template <class Enum> constexpr int namesOf = 0;
template <> constexpr int namesOf<Precision> = static_cast<int>(Precision::int4) + 1;
template <> constexpr int namesOf<Procurement> = static_cast<int>(Procurement::spot) + 1;
template <> constexpr int namesOf<Pattern> = static_cast<int>(Pattern::plane) + 1;
template <> constexpr int namesOf<FrameKind> = static_cast<int>(FrameKind::cloud) + 1;
template <> constexpr int namesOf<Recompute> = static_cast<int>(Recompute::full) + 1;
template <> constexpr int namesOf<Scaling> = static_cast<int>(Scaling::toZero) + 1;
template <> constexpr int namesOf<Routing> = static_cast<int>(Routing::powerOfTwo) + 1;
template <> constexpr int namesOf<Hpc::Preset> = static_cast<int>(Hpc::Preset::stencil) + 1;

template <class V> void describe(V& a, const Meta*) {
    a("title", &Meta::title, "What the project is about");
    a("author", &Meta::author, "Who made it");
    a("organisation", &Meta::organisation, "For whom");
    a("notes", &Meta::notes, "Free text");
    a("created", &Meta::created, "ISO 8601 date or time");
    a("modified", &Meta::modified, "ISO 8601 date or time");
}

template <class V> void describe(V& a, const Site*) {
    a("name", &Site::name, "Name of the place");
    a("region", &Site::region, "Region part: energy price and carbon intensity unless given here");
    a("energy_price_usd_per_kwh", &Site::energyPrice, "Energy price; without it the region's", Range{0, 1e3});
    a("carbon_g_per_kwh", &Site::carbonIntensity, "Carbon intensity of the grid, CO2 equivalent; without it the region's",
      Range{0, 1e5});
    a("currency", &Site::currency, "Currency that documents print; all numbers are US dollars");
    a("cooling", &Site::cooling, "Cooling part of racks that name none");
    a("pue", &Site::pue, "Facility over IT power; overrides the band of the cooling", Range{1, 10});
    a("inlet_c", &Site::inletC, "Air at the inlet of the racks, degrees Celsius", Range{-50, 80});
    a("rack_power_limit_w", &Site::rackPowerLimit, "Power one rack may draw", positive);
    a("facility_power_limit_w", &Site::facilityPowerLimit, "Power the facility may draw", positive);
    a("horizon_years", &Site::horizonYears, "Years over which costs are summed", Range{0, 100, true});
    a("discount_rate", &Site::discountRate, "Yearly discount rate, fraction", Range{0, 1});
    a("utilisation", &Site::utilisation, "Share of the year in which the machine works", share);
    a("installation_fraction", &Site::installationFraction, "Installation, fraction of purchase price", Range{0, 10});
    a("support_fraction_per_year", &Site::supportFractionPerYear, "Support a year, fraction of purchase price", Range{0, 10});
    a("space_usd_per_kw_month", &Site::spaceDollarsPerKwMonth, "Colocation price of a kW and month; 0: own building",
      Range{0, 1e6});
    a("staff_usd_per_year", &Site::staffDollarsPerYear, "Staff cost a year", Range{0, 1e12});
    a("spare_fraction", &Site::spareFraction, "Spare parts, fraction of purchase price", Range{0, 10});
}

template <class V> void describe(V& a, const LlmTraining*) {
    using T = LlmTraining;
    a("model", &T::model, "Model part");
    a("sequence", &T::sequence, "Tokens of a sequence", wholeFrom1);
    a("global_batch", &T::globalBatch, "Sequences of a step", wholeFrom1);
    a("precision", &T::precision, "Of arithmetic and weights");
    a("total_tokens", &T::totalTokens, "Tokens of the whole run; 0: not known", atLeastZero);
    a("optimizer", &T::optimizer, "Optimizer, which sets its state's size");
    a("adapters_only", &T::adaptersOnly, "Only low-rank adapters (LoRA) are trained, the weights are frozen");
    a("dataset_bytes_per_sample", &T::datasetPerSample, "Read from storage for each sample", atLeastZero);
    a("checkpoint_interval_s", &T::checkpointInterval, "Between checkpoints; without it the best one", positive);
    a("mtbf_node_hours", &T::mtbfNodeHours, "Mean time between failures of one node; 0: the catalog's rates", atLeastZero);
}

template <class V> void describe(V& a, const LlmServing*) {
    using T = LlmServing;
    a("model", &T::model, "Model part");
    a("weights_precision", &T::weights, "Of the weights");
    a("kv_precision", &T::kv, "Of the KV cache");
    a("prompt_tokens", &T::prompt, &Lengths::mean, "Mean tokens of a prompt", Range{1, 1e9});
    a("prompt_cv", &T::prompt, &Lengths::cv, "Coefficient of variation of the prompt; 0: all alike", Range{0, 100});
    a("output_tokens", &T::output, &Lengths::mean, "Mean tokens of an answer", Range{1, 1e9});
    a("output_cv", &T::output, &Lengths::cv, "Coefficient of variation of the answer; 0: all alike", Range{0, 100});
    a("arrival_rate_per_s", &T::arrivalRate, "Requests a second in the busy period", atLeastZero);
    a("concurrency", &T::concurrency, "Users that each wait for their answer, instead of a rate", wholeFrom1);
    a("prefix_cache_hit_fraction", &T::prefixCacheHit, "Share of prompt tokens found in the prefix cache", share);
    a("speculative_accept_tokens", &T::speculativeAccept, "Mean extra tokens accepted a step; 0: no speculation", Range{0, 100});
    a("ttft_p99_s", &T::ttftP99, "Target: time to the first token, 99th percentile", positive);
    a("tpot_p99_s", &T::tpotP99, "Target: time for each further token, 99th percentile", positive);
    a("latency_p99_s", &T::latencyP99, "Target: whole request, 99th percentile", positive);
}

template <class V> void describe(V& a, const BatchInference*) {
    using T = BatchInference;
    a("model", &T::model, "Model part, or the numbers of the item below");
    a("operations_per_item", &T::operationsPerItem, "Operations for one item", atLeastZero);
    a("bytes_per_item", &T::bytesPerItem, "Bytes moved through memory for one item", atLeastZero);
    a("weight_bytes", &T::weightBytes, "Weights read once a batch", atLeastZero);
    a("sequence", &T::sequence, "Tokens of an item of a transformer", wholeFrom1);
    a("precision", &T::precision, "Of arithmetic and weights");
    a("batch_limit", &T::batchLimit, "Items of the largest batch", wholeFrom1);
    a("batch_delay_s", &T::batchDelay, "Longest wait for a batch to fill", atLeastZero);
    a("batch_overhead_s", &T::batchOverhead, "Copying to the device and back and other fixed time of a batch", atLeastZero);
    a("divergence", &T::divergence, "Factor by which branches slow the arithmetic of a GPU, whose lanes go one way; 1: none", Range{1, 1e4});
    a("arrival_rate_per_s", &T::arrivalRate, "Items a second", atLeastZero);
    a("latency_p99_s", &T::latencyP99, "Target: 99th percentile", positive);
}

template <class V> void describe(V& a, const Service*) {
    using T = Service;
    a("cpu_time_s", &T::cpuTime, "Core-seconds of a request", atLeastZero);
    a("cpu_time_cv", &T::cpuTimeCv, "Coefficient of variation of the CPU time", Range{0, 100});
    a("cores_per_request", &T::coresPerRequest, "Cores that work on one request", Range{1, 1e5});
    a("arrival_rate_per_s", &T::arrivalRate, "Requests a second", atLeastZero);
    a("fan_out", &T::fanOut, "Parallel sub-requests; the slowest counts", Range{1, 1e6});
    a("cache_hit_fraction", &T::cacheHit, "Share answered from a cache", share);
    a("timeout_s", &T::timeout, "After which the caller gives up and asks again; without it it waits", positive);
    a("retries", &T::retries, "Times that it asks again", Range{0, 100});
    a("request_bytes", &T::requestBytes, "Size of a request", atLeastZero);
    a("response_bytes", &T::responseBytes, "Size of an answer", atLeastZero);
    a("latency_p99_s", &T::latencyP99, "Target: 99th percentile", positive);
}

template <class V> void describe(V& a, const Stream*) {
    using T = Stream;
    a("event_rate_per_s", &T::eventRate, "Events a second", atLeastZero);
    a("event_bytes", &T::eventBytes, "Size of an event", atLeastZero);
    a("cpu_per_event_s", &T::cpuPerEvent, "Core-seconds of an event", atLeastZero);
    a("replication", &T::replication, "Copies kept", Range{1, 100});
    a("retention_s", &T::retention, "How long events are kept", atLeastZero);
    a("latency_p99_s", &T::latencyP99, "Target: 99th percentile", positive);
}

template <class V> void describe(V& a, const BatchJob*) {
    using T = BatchJob;
    a("cpu_time_s", &T::cpuTime, "Core-seconds of the whole job", atLeastZero);
    a("read_bytes", &T::read, "Read from storage", atLeastZero);
    a("shuffled_bytes", &T::shuffled, "Exchanged between nodes", atLeastZero);
    a("written_bytes", &T::written, "Written to storage", atLeastZero);
    a("tasks", &T::tasks, "Tasks that can run side by side", Range{1, 1e12});
    a("serial_fraction", &T::serialShare, "Share of the CPU time that runs on one core", share);
    a("jobs_per_day", &T::jobsPerDay, "Jobs wanted a day", atLeastZero);
    a("deadline_s", &T::deadline, "Target: time to finish", positive);
}

template <class V> void describe(V& a, const Hpc*) {
    using T = Hpc;
    a("preset", &T::preset, "A known benchmark, or the numbers below");
    a("operations_per_step", &T::operationsPerStep, "Operations of a step", atLeastZero);
    a("memory_bytes_per_step", &T::memoryBytesPerStep, "Bytes moved through memory a step", atLeastZero);
    a("halo_bytes_per_step", &T::haloBytesPerStep, "Bytes one device sends to its neighbours a step", atLeastZero);
    a("reductions_per_step", &T::reductionsPerStep, "Global reductions a step", wholeFrom0);
    a("steps", &T::steps, "Steps of the run", Range{1, 1e15});
    a("weak_scaling", &T::weakScaling, "Numbers are per device instead of the whole problem");
    a("precision", &T::precision, "Of arithmetic");
}

template <class V> void describe(V& a, const Pipeline::Stage*) {
    using T = Pipeline::Stage;
    a.identity(&T::id, &T::name);
    a("workload", &T::workload, "Workload that this stage is");
    a("service_time_s", &T::serviceTime, "Time of a stage that is no workload", atLeastZero);
    a("service_cv", &T::serviceCv, "Its coefficient of variation", Range{0, 100});
}

template <class V> void describe(V& a, const Pipeline::Edge*) {
    using T = Pipeline::Edge;
    a.required("from", &T::from, "Stage");
    a.required("to", &T::to, "Stage");
    a("share", &T::share, "Requests sent for each request that leaves `from`", Range{0, 1e6});
    a("bytes", &T::bytes, "Bytes of a request", atLeastZero);
}

template <class V> void describe(V& a, const Pipeline*) {
    using T = Pipeline;
    a("stages", &T::stages, "Stages of the graph");
    a("edges", &T::edges, "Which stage follows which");
    a("arrival_rate_per_s", &T::arrivalRate, "Requests a second", atLeastZero);
    a("latency_p99_s", &T::latencyP99, "Target: 99th percentile from end to end", positive);
}

template <class V> void describe(V& a, const Targets*) {
    using T = Targets;
    a("throughput", &T::throughput, "In the unit of the workload's throughput", positive);
    a("step_time_s", &T::stepTime, "Time of a step", positive);
    a("days", &T::days, "Duration of the run", positive);
    a("usd_per_hour", &T::dollarsPerHour, "Cost of an hour", positive);
    a("usd_per_unit", &T::dollarsPerUnit, "Cost of a million tokens, a million requests, a job or a run", positive);
    a("facility_power_w", &T::facilityPower, "Power of the facility", positive);
}

template <class V> void describe(V& a, const LoadProfile*) {
    a.allOrNone("hourly", &LoadProfile::hourly, 24, "Share of the peak in each of 24 hours; without it constant", share);
    a("duty", &LoadProfile::duty, "Share of the time in which the work is there", share);
}

template <class V> void describe(V& a, const RecordedRequests*) {
    using T = RecordedRequests;
    a("at_s", &T::at, "When each request came, rising", atLeastZero);
    a("prompt_tokens", &T::prompts, "Length of each prompt; without it drawn at random", Range{1, 1e9});
    a("output_tokens", &T::outputs, "Length of each answer; without it drawn at random", Range{1, 1e9});
}

template <class V> void describe(V& a, const RequestFlow*) {
    using T = RequestFlow;
    a("routing", &T::routing, "How a balancer picks one of equal replicas or machines");
    a("arrival_cv", &T::arrivalCv, "Coefficient of variation of the time between arrivals; 1: at random", Range{0, 100});
    a("failures_every_s", &T::failuresEvery, "Mean time between failures of one replica; without it that of its machines", positive);
    a("repair_s", &T::repair, "Mean time until a failed replica is back", positive);
    a("recorded", &T::recorded, "A stretch of a recorded trace, which the simulation replays at the workload's rate");
}

template <class V> void describe(V& a, const Reported*) {
    a("quantity", &Reported::quantity, "What was reported, e.g. throughput, step, p99");
    a("value", &Reported::value, "The number", number);
    a("unit", &Reported::unit, "Its unit");
    a("note", &Reported::note, "Who says so, and under which circumstances");
    a("alternative", &Reported::alternative, "Alternative that it is about; empty: all of them");
}

template <class V> void describe(V& a, const Workload*) {
    a.identity(&Workload::id, &Workload::name);
    a.kinds(&Workload::spec);
    a("targets", &Workload::targets, "What the cluster has to reach");
    a("load", &Workload::load, "Load over the day");
    a("requests", &Workload::flow, "How requests come and who takes them");
    a("reported", &Workload::reported, "What a published report says");
    a("notes", &Workload::notes, "Free text");
}

template <class V> void describe(V& a, const OwnPart*) {
    a.required("id", &OwnPart::id, "Id; that of a shipped part replaces it");
    a.required("kind", &OwnPart::kind, "Kind of part as in the catalog: gpu, cpu, server, switch, …");
    a.json("part", &OwnPart::json, "The entry, as in the catalog files");
}

template <class V> void describe(V& a, const Node*) {
    a.identity(&Node::id, &Node::name);
    a("part", &Node::part, "Server, switch, cloud instance, or a bare GPU or CPU");
    a("count", &Node::count, "Machines in the stack", Range{1, static_cast<double>(maxStackCount)});
    a("role", &Node::role, "Label on the canvas");
    a("frame", &Node::frame, "Frame it stands in");
    a("gpu_power_cap_w", &Node::gpuPowerCap, "Power cap of each GPU", Range{1, 1e5});
    a("procurement", &Node::procurement, "How it is paid for");
    a("price_book", &Node::priceBook, "Cloud instance whose price is paid when rented");
}

template <class V> void describe(V& a, const Link*) {
    a.required("id", &Link::id, "Id, unique among the links of the alternative");
    a("name", &Link::name, "Name");
    a.required("from", &Link::from, "Stack");
    a.required("to", &Link::to, "Stack");
    a("medium", &Link::medium, "Link technology");
    a("lanes", &Link::lanes, "Cables as the pattern counts them", Range{1, static_cast<double>(maxLanes)});
    a("pattern", &Link::pattern, "How members are cabled");
    a("dimensions", &Link::dimensions, "Grid of a torus; the product is the count of the stack",
      Range{1, static_cast<double>(maxStackCount)});
    a("purpose", &Link::purpose, "Ports it takes and traffic it carries: compute, storage, management, any");
    a("protocol", &Link::protocol, "Protocol part; without it the usual one of the medium");
    a("length_m", &Link::length, "Length of one cable; without it estimated from the racks", Range{0, 1e8});
}

template <class V> void describe(V& a, const RackItem*) {
    a.required("node", &RackItem::node, "Stack");
    a("per_rack", &RackItem::perRack, "Members in each rack", Range{1, 10000});
    a("u", &RackItem::u, "Lowest rack unit, from 1; 0: placed automatically", Range{0, 1000});
}

template <class V> void describe(V& a, const Rack*) {
    a.identity(&Rack::id, &Rack::name);
    a("part", &Rack::part, "Rack type");
    a("count", &Rack::count, "Racks in the stack", Range{1, static_cast<double>(maxStackCount)});
    a("frame", &Rack::frame, "Frame it stands in");
    a("cooling", &Rack::cooling, "Cooling part; without it the site's");
    a("power_limit_w", &Rack::powerLimit, "Power it may draw; without it from cooling, PDU and site", positive);
    a("pdu", &Rack::pdu, "PDU part");
    a("pdu_count", &Rack::pduCount, "PDUs of a rack, fed from two sides", Range{0, 100});
    a("items", &Rack::items, "What stands in each rack");
}

template <class V> void describe(V& a, const Frame*) {
    a.identity(&Frame::id, &Frame::name);
    a("kind", &Frame::kind, "What the box stands for");
    a("parent", &Frame::parent, "Frame around it");
    a("latency_s", &Frame::latency, "Added one way when a link crosses its border; without it that of the kind", Range{0, 1e3});
    a("bandwidth_bytes_per_s", &Frame::bandwidth, "Of all traffic across its border, each direction; without it that of the kind",
      positive);
}

template <class V> void describe(V& a, const Placement*) {
    using T = Placement;
    constexpr Range size{0, 1e7};
    a.required("id", &T::id, "Id, unique among the placements of the alternative");
    a("workload", &T::workload, "Workload that runs");
    a("nodes", &T::nodes, "Stacks that it runs on");
    a("stage", &T::stage, "Stage of a pipeline; llm_serving: prefill or decode; empty: all of it");
    a("share", &T::share, "Share of the arrivals that this placement takes", share);
    a("tensor_parallel", &T::parallelism, &Parallelism::tensor, "Tensor parallel size; 0: automatic", size);
    a("pipeline_parallel", &T::parallelism, &Parallelism::pipeline, "Pipeline stages; 0: automatic", size);
    a("data_parallel", &T::parallelism, &Parallelism::data, "Data parallel size; 0: automatic", size);
    a("context_parallel", &T::parallelism, &Parallelism::context, "Context parallel size; 0: automatic", size);
    a("expert_parallel", &T::parallelism, &Parallelism::expert, "Expert parallel size; 0: automatic", size);
    a("zero_stage", &T::zeroStage, "ZeRO stage 0 to 3; -1: automatic", Range{-1, 3});
    a("micro_batch", &T::microBatch, "Sequences of a micro-batch; 0: automatic", size);
    a("interleave", &T::interleave, "Virtual pipeline chunks of a device; 0: automatic", size);
    a("replicas", &T::replicas, "Replicas of a served model; 0: as many as fit", size);
    a("offload", &T::offload, "Optimizer state in host memory");
    a("in_network_reduction", &T::inNetworkReduction, "Collectives may sum in the switches, where those can");
    a("recompute", &T::recompute, "Activation recomputation");
    a("precision", &T::precision, "Of arithmetic and weights; without it the workload's");
    a("stack", &T::stack, "Software stack; without it the default of the device");
    a("scaling", &T::scaling, "Machines that run over the day: while the work is there, always, as the load needs, or also none");
    a("startup_s", &T::startup, "From asking for a machine to its first answer, where machines follow the load", Range{0, 1e6});
}

template <class V> void describe(V& a, const Alternative*) {
    using T = Alternative;
    a.identity(&T::id, &T::name);
    a("notes", &T::notes, "Free text");
    a("procurement", &T::procurement, "How machines are paid for that say nothing themselves");
    a("nodes", &T::nodes, "Stacks of machines");
    a("links", &T::links, "How stacks are cabled");
    a("racks", &T::racks, "Stacks of racks and what stands in them");
    a("frames", &T::frames, "Named boxes");
    a("placements", &T::placements, "Which workload runs where");
}

template <class V> void describe(V& a, const ItemView*) {
    using T = ItemView;
    constexpr Range place{-1e9, 1e9};
    a("x", &T::x, "Left edge on the canvas", place);
    a("y", &T::y, "Upper edge on the canvas", place);
    a("width", &T::width, "Width; 0: its own", Range{0, 1e9});
    a("height", &T::height, "Height; 0: its own", Range{0, 1e9});
    a("colour", &T::colour, "Colour");
}

template <class V> void describe(V& a, const View*) {
    a("items", &View::items, "Where each element is drawn; keys are \"<alternative id>/<element id>\"");
}

template <class V> void describe(V& a, const Project*) {
    using T = Project;
    a("meta", &T::meta, "What the project is about");
    a("site", &T::site, "Where it stands, and how money and energy count there");
    a("workloads", &T::workloads, "What the cluster must do, the same for all alternatives");
    a("parts", &T::parts, "Own parts, which add to the catalog or replace parts of the same id");
    a("alternatives", &T::alternatives, "The designs to be compared");
    a("baseline", &T::baseline, "Alternative that the others are compared with; without it the first");
    a("view", &T::view, "How it is drawn; no estimate reads it");
}

} // namespace cw::io
