// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/served_model.h"

#include <cmath>

namespace cw {

namespace {

double attentionParameters(const NeuralModel& m)
{
    const double h = m.hidden, heads = m.heads, d = m.headDim;
    if (!m.mla)
        return 2 * h * heads * d + 2 * h * m.kvHeads * d + (m.gatedAttention ? h * heads * d : 0);
    const double nope = m.qkNopeHeadDim, rope = m.qkRopeHeadDim, v = m.vHeadDim, c = m.kvLoraRank, q = m.qLoraRank;
    const double query = q > 0 ? h * q + q * heads * (nope + rope) : h * heads * (nope + rope);
    return query + h * (c + rope) + c * heads * (nope + v) + heads * v * h;
}

/// What checkpoints of a precision store at which width. In mixture-of-experts checkpoints of four bits only the experts are narrow:
/// attention stays at 8 bits (nvfp4) or 16 (mxfp4, int4), and dense layers are no narrower than the experts.
void takePrecision(ServedModel& model, Precision weights, Precision kv)
{
    const double bytes = bytesPerValue(weights);
    model.bytesMixer = model.bytesDense = model.bytesExpert = bytes;
    if (model.experts > 0) {
        if (weights == Precision::nvfp4)
            model.bytesMixer = 1;
        else if (weights == Precision::mxfp4 || weights == Precision::int4)
            model.bytesMixer = 2;
        model.bytesDense = std::max(model.bytesMixer, model.bytesExpert);
    }
    model.bytesKv = bytesPerValue(kv);
}

void takeAttention(ServedModel& served, const NeuralModel& m)
{
    served.mla = m.mla;
    served.heads = m.heads;
    served.kvHeads = std::max(1, m.kvHeads);
    if (m.mla) {
        served.kvValues = m.kvLoraRank + m.qkRopeHeadDim;
        served.widthPrefill = m.heads * (m.qkNopeHeadDim + m.qkRopeHeadDim + m.vHeadDim) / 2.;
        served.widthDecode = m.heads * (2. * m.kvLoraRank + m.qkRopeHeadDim) / 2.;
    } else {
        served.kvValues = 2. * served.kvHeads * m.headDim;
        served.widthPrefill = served.widthDecode = static_cast<double>(m.heads) * m.headDim;
    }
    const bool windowed = m.attentionWindow > 0;
    served.fullLayers = windowed ? m.fullAttentionLayers : m.attentionLayers;
    served.windowLayers = windowed ? std::max(0, m.attentionLayers - m.fullAttentionLayers) : 0;
    served.window = m.attentionWindow;
    served.stateValues = static_cast<double>(m.stateLayers) * m.stateValues;
}

} // namespace

double ServedModel::kvLayers(double context) const
{
    return fullLayers + (windowLayers > 0 ? windowLayers * std::min(1., window / std::max(context, 1.)) : 0);
}

double ServedModel::weightBytes() const
{
    return mixer * bytesMixer + dense * bytesDense + moeLayers * (experts * expert + shared) * bytesExpert
         + embeddingParameters() * bytesHead;
}

double ServedModel::expertsTouched(double tokens) const
{
    return experts > 0 ? experts * -std::expm1(tokens * std::log1p(-std::min(expertsPerToken / experts, 1 - 1e-12))) : 0;
}

std::optional<ServedModel> servedModel(const NeuralModel& m, Precision weights, Precision kv)
{
    if (m.layers <= 0 || m.hidden <= 0 || m.heads <= 0 || m.vocabulary <= 0 || m.kind == "cnn" || m.kind == "vision_transformer")
        return {};
    ServedModel served;
    served.source = &m;
    served.weights = weights;
    served.kv = kv;
    served.layers = m.layers;
    served.hidden = m.hidden;
    served.vocabulary = m.vocabulary;
    served.experts = m.experts;
    served.expertsPerToken = m.expertsPerToken;
    served.moeLayers = m.experts > 0 ? m.moeLayers : 0;

    const double h = m.hidden, matrices = m.gatedMlp ? 3 : 2;
    served.mixer = m.attentionLayers * attentionParameters(m)
                 + m.stateLayers * (h * m.stateProjection + static_cast<double>(m.stateInner) * h);
    served.dense = m.denseLayers * matrices * h * m.ffn;
    const double width = m.moeLatent > 0 ? m.moeLatent : h;
    served.expert = matrices * width * m.moeFfn;
    served.shared = m.sharedExperts > 0 ? m.sharedExperts * matrices * h * m.sharedFfn : 0;
    if (m.moeLatent > 0)
        served.shared += 2 * h * m.moeLatent; // down to the latent width and back
    takeAttention(served, m);
    takePrecision(served, weights, kv);
    return served;
}

} // namespace cw
