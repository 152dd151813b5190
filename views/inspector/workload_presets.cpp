// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/workload_presets.h"

#include <QCoreApplication>

namespace cw {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(WorkloadPresets)
};

constexpr double day = 86400;

LlmServing serving(const char* model, Lengths prompt, Lengths output, double rate, double prefixHit) {
    LlmServing spec;
    spec.model = PartId(model);
    spec.prompt = prompt;
    spec.output = output;
    spec.arrivalRate = rate;
    spec.prefixCacheHit = prefixHit;
    return spec;
}

LlmServing interactive(LlmServing spec) {
    spec.ttftP99 = seconds(1);
    spec.tpotP99 = milliseconds(50);
    return spec;
}

LlmTraining training(const char* model, int sequence, int batch, double tokens) {
    LlmTraining spec;
    spec.model = PartId(model);
    spec.sequence = sequence;
    spec.globalBatch = batch;
    spec.totalTokens = tokens;
    return spec;
}

BatchInference classification() {
    BatchInference spec;
    spec.model = PartId("bert_base");
    spec.sequence = 128;
    spec.batchLimit = 32;
    spec.batchDelay = milliseconds(5);
    spec.arrivalRate = 1000;
    spec.latencyP99 = milliseconds(50);
    return spec;
}

Service webService() {
    Service spec;
    spec.cpuTime = milliseconds(5);
    spec.cpuTimeCv = 1.5;
    spec.arrivalRate = 2000;
    spec.requestBytes = bytes(2e3);
    spec.responseBytes = bytes(2e4);
    spec.latencyP99 = milliseconds(100);
    return spec;
}

Stream eventStream() {
    Stream spec;
    spec.eventRate = 2e5;
    spec.eventBytes = bytes(1e3);
    spec.cpuPerEvent = microseconds(20);
    spec.replication = 3;
    spec.retention = seconds(3 * day);
    return spec;
}

BatchJob etl() {
    BatchJob spec;
    spec.cpuTime = hours(400);
    spec.read = bytes(10e12);
    spec.shuffled = bytes(4e12);
    spec.written = bytes(2e12);
    spec.tasks = 20000;
    spec.serialShare = .002;
    spec.jobsPerDay = 4;
    spec.deadline = hours(4);
    return spec;
}

Hpc linpack() {
    Hpc spec;
    spec.preset = Hpc::Preset::hpl;
    return spec;
}

Pipeline router() {
    Pipeline spec;
    spec.stages = {{"balancer", Words::tr("Load balancer").toStdString(), {}, milliseconds(.2), 1},
                   {"cache", Words::tr("Cache").toStdString(), {}, milliseconds(1), 1},
                   {"model", Words::tr("Model").toStdString(), {}, milliseconds(120), 1}};
    spec.edges = {{"balancer", "cache", 1, bytes(4e3)}, {"cache", "model", .7, bytes(4e3)}};
    spec.arrivalRate = 200;
    spec.latencyP99 = seconds(1);
    return spec;
}

} // namespace

std::vector<double> officeHours() {
    return {.1, .1, .1, .1, .1, .1, .2, .4, .7, .9, 1, 1, .9, .95, 1, 1, .95, .8, .5, .3, .2, .15, .1, .1};
}

std::vector<double> nightValley() {
    return {.45, .35, .3, .25, .25, .3, .4, .55, .7, .8, .85, .9, .9, .9, .9, .9, .9, .95, 1, 1, 1, .95, .8, .6};
}

std::vector<WorkloadPreset> workloadPresets() {
    using W = Words;
    return {
        {"chat",
         W::tr("Chat"),
         W::tr("A conversation model: long histories, medium answers, users who wait."),
         interactive(serving("llama3_70b", {1150, 1}, {210, .8}, 20, .3)),
         {nightValley(), 1}},
        {"rag",
         W::tr("Question answering with retrieval (RAG)"),
         W::tr("Long prompts full of found documents, short answers."),
         interactive(serving("llama3_70b", {4000, .5}, {250, .6}, 10, .2)),
         {officeHours(), 1}},
        {"code",
         W::tr("Code completion"),
         W::tr("Prompt and output lengths of the Azure LLM inference trace 2023, code: 2048 and 28 tokens on average."),
         interactive(serving("qwen2_5_32b", {2048, .96}, {28, 2.15}, 40, .4)),
         {officeHours(), 1}},
        {"summarise",
         W::tr("Summarising"),
         W::tr("Whole documents in, a paragraph out."),
         serving("llama3_70b", {8000, .6}, {300, .4}, 3, 0),
         {officeHours(), 1}},
        {"offline", W::tr("Offline batch"), W::tr("Throughput only: nobody waits for an answer."),
         serving("llama3_70b", {1000, 1}, {500, .8}, 50, 0)},
        {"classification",
         W::tr("Classification"),
         W::tr("A small encoder on short texts, in batches."),
         classification(),
         {nightValley(), 1}},
        {"web", W::tr("Web service"), W::tr("A stateless service on CPU cores."), webService(), {nightValley(), 1}},
        {"stream", W::tr("Event stream"), W::tr("A replicated log with consumers that work on every event."), eventStream()},
        {"etl", W::tr("ETL job"), W::tr("Read, shuffle, write: a nightly batch job."), etl()},
        {"pretraining", W::tr("Pretraining"), W::tr("A dense model on a large corpus."),
         training("llama3_70b", 8192, 2048, 15e12)},
        {"finetuning", W::tr("Fine-tuning"), W::tr("All weights of a small model on a small corpus."),
         training("llama3_8b", 4096, 64, 1e9)},
        {"hpl", W::tr("HPL"), W::tr("High-performance Linpack over all machines it is placed on."), linpack()},
        {"pipeline",
         W::tr("Pipeline of stages"),
         W::tr("Load balancer, cache and a model behind it."),
         router(),
         {nightValley(), 1}},
    };
}

Workload workloadFrom(const WorkloadPreset& preset, const Project& project) {
    Workload workload;
    const auto taken = [&](const std::string& id, const std::string& name) {
        for (const Workload& other : project.workloads)
            if (other.id.value == id || other.name == name)
                return true;
        return false;
    };
    std::string id = preset.key;
    std::string name = preset.name.toStdString();
    for (int number = 2; taken(id, name); ++number) {
        id = preset.key + "-" + std::to_string(number);
        name = preset.name.toStdString() + " " + std::to_string(number);
    }
    workload.id = WorkloadId(id);
    workload.name = name;
    workload.spec = preset.spec;
    workload.load = preset.load;
    return workload;
}

} // namespace cw
