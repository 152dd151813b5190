// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/part_reader.h"

#include <algorithm>

namespace cw {
namespace {

void readAttention(Fields& fields, NeuralModel& model) {
    model.heads = fields.whole("attention_heads_count", 1);
    model.kvHeads = fields.wholeOr("kv_heads_count", model.heads, 1);
    model.headDim = fields.wholeOr("head_dim", model.heads > 0 ? model.hidden / model.heads : 0, 1);
    const std::string attention = fields.textOr("attention", {});
    model.mla = attention == "mla";
    if (!attention.empty() && !model.mla)
        fields.wrong("attention", "mla, or nothing", "Unknown kind of attention.");
    if (model.mla) {
        model.qLoraRank = fields.whole("q_lora_rank");
        model.kvLoraRank = fields.whole("kv_lora_rank", 1);
        model.qkNopeHeadDim = fields.whole("qk_nope_head_dim", 1);
        model.qkRopeHeadDim = fields.whole("qk_rope_head_dim");
        model.vHeadDim = fields.whole("v_head_dim", 1);
    }
    model.gatedAttention = fields.flagOr("attention_gate", false);
    model.attentionLayers = fields.wholeOr("attention_layers_count", model.layers);
    model.fullAttentionLayers = fields.wholeOr("full_attention_layers_count", model.attentionLayers);
    model.attentionWindow = fields.wholeOr("attention_window_tokens", 0);
}

void readExperts(Fields& fields, NeuralModel& model) {
    model.experts = fields.wholeOr("experts_count", 0);
    model.denseLayers = fields.wholeOr("dense_layers_count", model.experts > 0 ? 0 : model.layers);
    if (model.experts == 0)
        return;
    model.expertsPerToken = fields.whole("experts_per_token_count", 1);
    model.moeFfn = fields.whole("moe_ffn_size", 1);
    model.sharedExperts = fields.wholeOr("shared_experts_count", 0);
    model.sharedFfn = model.sharedExperts > 0 ? fields.whole("shared_ffn_size", 1) : 0;
    model.moeLayers = fields.wholeOr("moe_layers_count", std::max(0, model.layers - model.denseLayers));
    model.moeLatent = fields.wholeOr("moe_latent_size", 0);
    model.predictionModules = fields.wholeOr("prediction_modules_count", 0);
}

} // namespace

void readPart(Fields& fields, NeuralModel& model) {
    model.family = fields.textOr("family", {});
    model.kind = fields.text("kind");
    constexpr std::string_view kinds[]{
        "transformer", "moe_transformer", "hybrid_transformer", "hybrid_moe_transformer", "vision_transformer", "cnn"};
    if (!model.kind.empty() && std::find(std::begin(kinds), std::end(kinds), model.kind) == std::end(kinds))
        fields.wrong("kind",
                     "transformer, moe_transformer, hybrid_transformer, hybrid_moe_transformer, vision_transformer or cnn",
                     "Unknown kind of a model.");
    model.layers = fields.whole("layers_count", 1);
    if (model.kind != "cnn") {
        model.hidden = fields.whole("hidden_size", 1);
        model.ffn = fields.whole("ffn_size");
        readAttention(fields, model);
        readExperts(fields, model);
    }
    model.gatedMlp = fields.flagOr("gated_mlp", false);
    model.tiedEmbeddings = fields.flagOr("tied_embeddings", false);
    model.vocabulary = fields.wholeOr("vocab_size", 0);
    model.context = fields.wholeOr("context_tokens", 0);
    model.stateLayers = fields.wholeOr("state_layers_count", 0);
    if (model.stateLayers > 0) {
        model.stateInner = fields.whole("state_inner_size", 1);
        model.stateProjection = fields.whole("state_projection_size", 1);
        model.stateValues = fields.whole("state_values_count", 1);
    }
    model.parametersTotal = fields.number("params_total_b") * 1e9;
    model.parametersActive = fields.numberOr("params_active_b", model.parametersTotal / 1e9) * 1e9;
    if (const auto multiplyAdds = fields.numberIfKnown("gmacs_per_sample"))
        model.operationsPerSample = operations(2e9 * *multiplyAdds);
}

} // namespace cw
