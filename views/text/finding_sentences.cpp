// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/finding_sentences.h"

#include <QtGlobal>

namespace cw {

namespace {

#define S(text) QT_TRANSLATE_NOOP("Findings", text)

// What a one-click change does.
constexpr FixSentence fixes[] = {
    {"link.double_lanes", S("Double the cables: {lanes} lanes")},
    {"link.more_spines", S("Double the spine: {spines} switches")},
    {"link.faster_medium", S("Use {medium}")},
    {"link.tuned_protocol", S("Spread flows with tuned RoCE")},
    {"link.remove", S("Remove the link")},
    {"link.use_each", S("Spread the cables evenly")},
    {"link.use_mesh", S("Cable everything with everything")},
    {"link.use_ring", S("Make it a ring")},
    {"link.fitting_medium", S("Use {proposed}")},
    {"link.usual_protocol", S("Use the usual protocol")},
    {"cable.shorten", S("Shorten to {reach}")},
    {"ports.more_members", S("Use {members} switches")},
    {"ports.fewer_lanes", S("Use {lanes} lanes")},
    {"rack.fewer_machines", S("{fewer} a rack, {racks} racks")},
    {"rack.better_cooling", S("Cool by {cooling}")},
    {"rack.liquid_cooling", S("Cool by {cooling}")},
    {"rack.drop_item", S("Take it out")},
    {"rack.place_automatically", S("Place it automatically")},
    {"node.as_many_as_placed", S("Make it {placed} machines")},
    {"node.fewer_machines", S("Keep {machines} machines")},
    {"name.make_unique", S("Give it another name")},
    {"frame.clear", S("Take it out of the frame")},
    {"frame.take_out", S("Take one out")},
    {"placement.remove", S("Remove the placement")},
    {"placement.drop_node", S("Leave it out")},
    {"cooling.cooler_inlet", S("Cool the inlet to {allowed}")},
    {"power.cap_gpus", S("Cap GPUs at {cap} of their power")},
    {"power.contain_aisles", S("Contain the aisles")},
    {"work.more_machines", S("{machines} machines")},
    {"work.place", S("Run it on {node}")},
    {"reliability.add_twin", S("Add a second machine")},
    {"cost.rent_instead", S("Rent instead of buying")},
    {"cost.buy_instead", S("Buy instead of renting")},
    {"training.choose_plan", S("Choose the best plan")},
    {"training.offload", S("Offload the optimizer to the host")},
    {"training.keep_on_device", S("Keep the optimizer on the GPUs")},
    {"training.tensor_inside_machine", S("Tensor parallel {domain}")},
    {"training.interleave", S("Interleave the pipeline")},
    {"serving.set_tensor", S("Other tensor parallel size")},
    {"serving.narrow_weights", S("Serve with {precision} weights")},
    {"batch.set_limit", S("Batches up to {better}")},
    {"job.more_tasks", S("{cores} tasks")},
    {"pipeline.set_rate", S("State {routed}")},
};

#undef S

} // namespace

std::span<const FixSentence> fixSentences() { return fixes; }

std::vector<FindingSentence> findingSentences() {
    std::vector<FindingSentence> all;
    for (const auto& part : {designSentences(), facilitySentences(), workSentences()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

const FindingSentence* findingSentence(std::string_view code) {
    for (const auto& part : {designSentences(), facilitySentences(), workSentences()})
        for (const FindingSentence& sentence : part)
            if (sentence.code == code)
                return &sentence;
    return nullptr;
}

} // namespace cw
