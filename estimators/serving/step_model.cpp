// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/serving/step_model.h"

#include <algorithm>

namespace cw {

namespace {

/// Splits the soft maximum of a memory and a compute time in the proportion in which they raise it.
void addSoft(StepParts& parts, double memory, double compute)
{
    const double total = softMax(memory, compute);
    const double m2 = memory * memory, c2 = compute * compute;
    const double share = total > 0 ? m2 * m2 / (m2 * m2 + c2 * c2) : 0;
    parts.memory += total * share;
    parts.compute += total * (1 - share);
}

/// The host launches while the device works: what it adds is the soft maximum's excess over the device's own time.
double exposedHost(double device, double host, double power)
{
    if (power <= 1 || !(host > 0))
        return host;
    const double longer = std::max(device, host), shorter = std::min(device, host);
    return longer * std::pow(1 + std::pow(shorter / longer, power), 1 / power) - device;
}

void addCollective(StepParts& parts, double seconds, bool overNetwork) { (overNetwork ? parts.network : parts.scaleUp) += seconds; }

} // namespace

StepParts& StepParts::operator+=(const StepParts& other)
{
    compute += other.compute;
    memory += other.memory;
    host += other.host;
    scaleUp += other.scaleUp;
    network += other.network;
    return *this;
}

StepParts StepParts::operator*(double factor) const
{
    return {compute * factor, memory * factor, host * factor, scaleUp * factor, network * factor};
}

double StepModel::kvLayers(double context) const
{
    return fullLayers + (windowLayers > 0 ? windowLayers * std::min(1., window / std::max(context, 1.)) : 0);
}

double StepModel::expertsTouched(double tokens) const
{
    return experts > 0 ? experts * -std::expm1(tokens * std::log1p(-std::min(expertsPerToken / experts, 1 - 1e-12))) : 0;
}

StepParts StepModel::decodeParts(double sequences, double context, double tokens) const
{
    StepParts parts;
    const double batch = std::max(1., sequences / stages); // of the micro-batch, all attention ranks
    const double perRank = std::max(1., batch / attentionRanks);
    const double rows = perRank * tokens;
    addSoft(parts, mixerMemory, mixerPerRow * rows);
    if (denseMemory > 0)
        addSoft(parts, denseMemory, densePerRow * rows);
    parts.memory += headMemory;
    if (experts > 0)
        addSoft(parts, expertsTouched(batch * tokens) * expertMemory + sharedMemory, expertPerToken * batch * tokens);
    const double layers = kvLayers(context);
    addSoft(parts, perRank * context * layers * kvMemory, rows * context * layers * kvPerRow);
    parts.memory += perRank * stateMemory;
    addCollective(parts, allReduces * allReduce.seconds(rows * rowBytes), allReduceOverNetwork);
    if (allToAlls > 0)
        addCollective(parts, allToAlls * allToAll.seconds(batch * tokens * dispatchBytesPerToken), allToAllOverNetwork);
    parts.network += stageHop + stageHopPerByte * rows * rowBytes;
    const double sequences1 = hostSequencePower == 1 ? perRank : std::pow(perRank, hostSequencePower);
    parts.host = exposedHost(parts.total(), hostFixed + hostPerSequence * sequences1, hostOverlap);
    return parts;
}

double StepModel::decode(double sequences, double context, double tokens) const
{
    return decodeParts(sequences, context, tokens).total();
}

StepParts StepModel::prefillParts(double fresh, double cached, double batch, double pairFactor) const
{
    StepParts parts;
    const double pairs = fresh * cached + fresh * fresh * pairFactor / 2;
    const double windowPairs = windowLayers > 0 ? std::min(pairs, fresh * window) : 0;
    const double linear = fresh * (linearPerToken + expertPrefillPerToken);
    if (prefillAlone)
        addSoft(parts, mixerMemory + denseMemory + headMemory, linear);
    else
        parts.compute += linear;
    parts.compute += (fullLayers * pairs + windowLayers * windowPairs) * attentionPerPair;
    parts.memory += fresh * elementwisePerToken;
    addCollective(parts, allReduces * ((allReduceOverNetwork || prefillAlone ? allReduce.fixed : 0) + allReduce.perByte * fresh * rowBytes),
                  allReduceOverNetwork);
    if (experts > 0 && fresh > 0) {
        const double tokens = std::min(fresh, chunk);
        parts.memory += (expertsTouched(batch + tokens) - expertsTouched(batch)) * expertMemory * fresh / tokens;
    }
    parts.network += stageHop + stageHopPerByte * fresh * rowBytes;
    parts.host = prefillHost > 0 ? exposedHost(parts.total(), prefillHost, hostOverlap) : 0;
    return parts;
}

double StepModel::prefill(double fresh, double cached, double batch, double pairFactor) const
{
    return prefillParts(fresh, cached, batch, pairFactor).total();
}

} // namespace cw
