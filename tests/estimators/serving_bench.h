// SPDX-License-Identifier: GPL-3.0-or-later
//
// One serving replica without a drawing: a GPU of the catalog, a model and a stack. Owned by the test.
#pragma once

#include "estimators/serving/batching.h"

namespace cw::test {

struct Bench {
    const Catalog& catalog = shippedCatalog();
    Machine machine;
    ServedModel model;
    ServingStack stack;
    RequestShape shape;

    Bench(const char* gpu, const char* neural, const char* stackId, Precision weights, Precision kv)
        : model(*servedModel(*catalog.find<NeuralModel>(PartId(neural)), weights, kv)), stack(servingStack(catalog, PartId(stackId), false))
    {
        machine.gpu = catalog.find<Gpu>(PartId(gpu));
        machine.gpus = 8;
        machine.scaleUpDomain = 8;
    }

    Replica replica(const ReplicaLayout& layout, const Relief& relief = {}) const
    {
        ReplicaSite site;
        site.machine = &machine;
        site.catalog = &catalog;
        site.stack = stack;
        site.relief = relief;
        site.device = servingDevice(catalog, *machine.gpu, stack);
        return gpuReplica(site, model, layout, shape.context());
    }
    ReplicaLoad load(const ReplicaLayout& layout, const Relief& relief = {}) const
    {
        return ReplicaLoad(replica(layout, relief), shape, ServingRole::both);
    }
};

inline Bench chat(const char* gpu = "h100_sxm", const char* model = "llama3_70b")
{
    Bench bench(gpu, model, "stack_vllm", Precision::fp8, Precision::fp8);
    bench.shape.prompt = 1000;
    bench.shape.promptCv = .8;
    bench.shape.output = 300;
    bench.shape.outputCv = .6;
    return bench;
}

} // namespace cw::test
