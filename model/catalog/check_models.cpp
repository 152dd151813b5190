// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parameter counts of neural networks, recomputed from their dimensions: a wrong dimension shows as a wrong count.
#include "model/catalog/check_report.h"

namespace cw {
namespace {

struct ParameterCount {
    double total = 0;
    double active = 0; ///< for one token
};

double attentionParameters(const NeuralModel& m) {
    const double h = m.hidden, heads = m.heads;
    if (m.mla) {
        const double q = m.qLoraRank, kv = m.kvLoraRank, rope = m.qkRopeHeadDim, nope = m.qkNopeHeadDim, v = m.vHeadDim;
        return h * q + q * heads * (nope + rope) + h * (kv + rope) + kv * heads * (nope + v) + heads * v * h;
    }
    const double queries = h * heads * m.headDim;
    return (m.gatedAttention ? 3 : 2) * queries + 2 * h * m.kvHeads * m.headDim;
}

double embeddingParameters(const NeuralModel& m) {
    const double h = m.hidden;
    double parameters = m.vocabulary * h * (m.tiedEmbeddings ? 1 : 2);
    if (!m.gatedMlp && m.kind == "transformer")
        parameters += m.context * h; // learned positions
    return parameters;
}

ParameterCount countParameters(const NeuralModel& m) {
    const double h = m.hidden;
    const double matrices = m.gatedMlp ? 3 : 2;
    const double states = m.stateLayers * (h * m.stateProjection + h * m.stateInner);
    const double same =
        m.attentionLayers * attentionParameters(m) + m.denseLayers * matrices * h * m.ffn + states + embeddingParameters(m);
    if (m.experts == 0)
        return {same, same};
    const double width = m.moeLatent > 0 ? m.moeLatent : h;
    const double expert = matrices * width * m.moeFfn;
    const double shared = m.sharedExperts * matrices * h * m.sharedFfn;
    const double router = h * m.experts;
    const double latent = 2. * h * m.moeLatent; // into and out of it
    const auto layer = [&](double experts) { return experts * expert + shared + router + latent; };
    return {same + m.moeLayers * layer(m.experts), same + m.moeLayers * layer(m.expertsPerToken)};
}

} // namespace

void checkModels(const CheckedCatalog& catalog, CheckReport& report) {
    for (const Facts& facts : catalog.of<NeuralModel>()) {
        const auto& model = facts.part<NeuralModel>();
        report.expectAtMost(facts, "params_active_b", model.parametersActive, model.parametersTotal * 1.0001,
                            "no more parameters are active than there are");
        if (model.kind == "cnn")
            continue;
        report.expect(model.kvHeads > 0 && model.heads % model.kvHeads == 0, facts, "kv_heads_count",
                      "heads share KV heads evenly");
        report.expectAtMost(facts, "experts_per_token_count", model.expertsPerToken, model.experts,
                            "a token uses no more experts than there are");
        report.expectAtMost(facts, "attention_layers_count", model.attentionLayers, model.layers,
                            "no more layers attend than there are");
        report.expectAtMost(facts, "full_attention_layers_count", model.fullAttentionLayers, model.attentionLayers,
                            "no more layers see everything than attend");
        if (model.experts == 0 && model.stateLayers == 0)
            report.expect(model.denseLayers == model.layers, facts, "dense_layers_count", "without experts every layer is dense");
        const ParameterCount count = countParameters(model);
        report.expectNear(facts, "params_total_b", model.parametersTotal, count.total, .035,
                          "the dimensions give another number of parameters");
        if (model.experts == 0)
            continue;
        // Owners differ on whether the input embedding counts as active.
        const double withoutEmbedding = count.active - double(model.vocabulary) * model.hidden;
        if (!near(model.parametersActive, withoutEmbedding, .03))
            report.expectNear(facts, "params_active_b", model.parametersActive, count.active, .06,
                              "the dimensions give another number of active parameters");
    }
}

} // namespace cw
