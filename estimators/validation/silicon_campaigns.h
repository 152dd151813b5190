// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of the campaigns behind rows of inference_silicon.csv and not said in their columns: how lengths were drawn, prompts that
// the program was told to hold back, and rows that contradict themselves or physics. Each rule holds for a campaign as a whole and names
// what it rests on; none belongs to a row. Pure.
#pragma once

#include "estimators/serving/replica.h"
#include "estimators/validation/columns.h"
#include "model/catalog/part.h"

namespace cw {

struct Campaign {
    double prompt = 0, output = 0; ///< mean tokens
    double cv = 0;                 ///< variation of both lengths
    double waitSteps = 0;          ///< decode steps that a prompt may be held back so that prompts are read together
    bool oneWaits = false;         ///< one request more in flight than the program had places
    double extraTokens = 0;        ///< of each step, where the release predicts several
    std::string note;
};
Campaign campaignOf(const Row& row, const NeuralModel& model, const ReplicaLayout& layout, double users);

/// Seconds that the campaign adds to the first token where a request cycle of `users` takes `cycle` seconds. They are taken from the
/// time in which the others decode, so the cycle stays what it is.
double campaignDelay(const Campaign& campaign, double users, double cycle);

/// Sequences that decode at a time where `users` wait `ttft` seconds and then take `tpot` a token (Little).
double inFlight(const Campaign& campaign, double users, double ttft, double tpot);

/// Why the row cannot be what its columns say; empty: nothing against it.
std::string contradiction(const Row& row, const ReplicaLayout& layout);
std::string impossibility(const Row& row, const ServedModel& model, const Gpu& gpu, const ReplicaLayout& layout, const Campaign& campaign, double users);

} // namespace cw
