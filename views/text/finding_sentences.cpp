// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/finding_sentences.h"

#include <QtGlobal>

namespace cw {

namespace {

#define S(text) QT_TRANSLATE_NOOP("Findings", text)

constexpr FindingSentence sentences[] = {
    {"ports.exceeded", S("{node} has too few ports"), S("Links take {used} ports of {available}.")},
    {"link.full", S("{link} is {utilisation} full"), S("{load} of {capacity} a direction. What runs over it waits.")},
    {"link.collisions", S("Flows collide on {link}"),
     S("{utilisation} full on average, but flows are hashed onto cables: the fullest is expected at {fullest}.")},
    {"network.oversubscribed", S("{tier} is {ratio} : 1 oversubscribed"),
     S("When everybody talks at once, each gets 1/{ratio} of its port there.")},
    {"cable.too_short", S("{link} is longer than its cable reaches"), S("{length} to go; {medium} reaches {reach}.")},
    {"rack.power_exceeded", S("{rack} draws more than its limit"),
     S("{power} at peak, {typical} typically, of {limit}. Racks like this: {count}.")},
    {"rack.power_tight", S("{rack} is close to its limit"),
     S("{power} at peak; such cooling usually takes {usual}, at best {limit}.")},
    {"rack.needs_liquid", S("{rack} needs liquid cooling"), S("Its machines have cold plates, and its cooling is by air alone.")},
    {"rack.too_heavy", S("{rack} is too heavy"), S("{weight} on a rack made for {limit}.")},
    {"cooling.inlet_too_warm", S("The inlet air is too warm"), S("{inlet}, where the most sensitive machine allows {allowed}.")},
    {"power.facility_exceeded", S("The site has too little power"), S("{power} expected, {peak} at peak, of {limit}.")},
    {"power.rating_below_parts", S("{node} is rated below its own GPUs"),
     S("The machine is rated at {rating}, its GPUs alone may draw {parts}. One of the two facts is wrong.")},
    {"power.unknown", S("The power of {node} is unknown"),
     S("Totals leave it out and read “?”. Choose a part that the catalog knows, or add an own part.")},
    {"power.pue_high", S("Cooling wastes energy"), S("PUE {pue}; contained aisles reach {better} and save {saved}.")},
    {"power.cap_helps", S("{workload} would hardly notice a power cap"),
     S("It waits for memory, not for arithmetic: capping the GPUs at {cap} takes {saved} off the peak.")},
    {"target.missed", S("{workload} misses its target: {target}"), S("{got} instead of {wanted}. What binds: {binding}.")},
    {"workload.not_placed", S("{workload} runs nowhere"), S("No machine of this alternative has it, so it has no figures here.")},
    {"node.idle", S("{node} does nothing"), S("No workload runs on it; it makes up {share} of the cost.")},
    {"node.barely_used", S("{node} is barely used"), S("{busy} busy on average.")},
    {"reliability.single_machine", S("{workload} stops with {node}"), S("It runs on one machine only.")},
    {"cost.price_missing", S("A price is missing"),
     S("{part} has no price in the catalog ({count} such items). Purchase and TCO leave it out and read “?”.")},
    {"cost.rent_missing", S("A rent is missing"),
     S("No cloud instance is known whose price stands for {node} ({count} such stacks).")},
    {"cost.rent_cheaper", S("Renting would be cheaper"), S("{rent} against {buy} bought, at {use} use.")},
    {"cost.buy_cheaper", S("Buying would be cheaper"), S("{buy} against {rent} rented.")},
    {"hpc.latency_bound", S("{workload} waits for messages"), S("Message starts and global reductions take {share} of a step.")},
    {"hpc.no_machines", S("Nothing can compute {workload}"), S("None of the placed machines has processors in the catalog.")},
    {"hpc.poor_scaling", S("{workload} scales poorly"), S("Parallel efficiency {efficiency} on {devices} devices.")},
    {"hpc.unknown_rate", S("The rate of the machines is not known"),
     S("{workload} needs a peak rate at its precision, a memory bandwidth and work to do.")},
    {"network.not_connected", S("The machines of {workload} are not connected"),
     S("{machines} machines have no drawn path to each other; they cannot work as one.")},
    {"training.across_zones", S("{workload} spans zones"),
     S("Collectives cross a border of {latency}; {share} of a step is exposed network traffic.")},
    {"training.batch_not_divisible", S("The batch of {workload} does not divide evenly"),
     S("{batch} samples over {data} replicas of {micro_batch}: the last micro-batch is not full.")},
    {"training.better_plan", S("{workload} could run {gain} faster"), S("With {plan} on the same machines.")},
    {"training.bubble", S("Pipeline bubbles cost {share} of {workload}"),
     S("{stages} stages with {micro_batches} micro-batches; more micro-batches or chunks fill them.")},
    {"training.exposed_communication", S("Communication takes {share} of {workload}"),
     S("It is not hidden behind compute; most of it on: {where}.")},
    {"training.host_bound", S("The host holds {workload} back"),
     S("Launches and other host work show for {share} of a step; larger micro-batches hide them.")},
    {"training.idle_devices", S("{idle} of {devices} devices have nothing to do"),
     S("The parallel sizes of {workload} do not use them all.")},
    {"training.input_bound", S("Storage holds {workload} back"),
     S("Reading samples takes {share} of a step: {needed} would keep up, {available} are there.")},
    {"training.low_goodput", S("Failures cost {workload} much time"),
     S("Goodput {goodput}; writing a checkpoint takes {checkpoint}.")},
    {"training.memory", S("{workload} does not fit into memory"),
     S("A device needs {needed} of {available}; most of it is {part}.")},
    {"training.memory_tight", S("{workload} nearly fills the memory"),
     S("{used} of {available}: allocators may start to thrash.")},
    {"training.no_machines", S("Nothing can train {workload}"), S("None of the placed machines has processors in the catalog.")},
    {"training.no_plan", S("No parallel plan fits {workload}"), S("No sizes divide the model, the batch and the machines.")},
    {"training.offload_shows", S("Offloading slows {workload}"),
     S("Transfers to the host and the update there show for {share} of a step.")},
    {"training.oversubscribed", S("The {tier} tier slows {workload}"), S("It is oversubscribed {ratio} to 1.")},
    {"training.plan_not_legal", S("The plan of {workload} is not possible"),
     S("The {size} size does not divide what it splits, or needs more devices than there are.")},
    {"training.storage_unreachable", S("Storage of {workload} is not connected"),
     S("Samples are assumed to be on local drives.")},
    {"training.tensor_across_machines", S("Tensor parallelism of {workload} leaves the machine"),
     S("{tensor} ranks, but only {domain} devices share a scale-up link.")},
    {"training.unknown_model", S("The model of {workload} is not in the catalog"), S("{model}")},
    {"training.unknown_rate", S("The rate of the machines is not known"), S("{workload} needs a 16-bit peak rate.")},
    {"training.without_rdma", S("{workload} runs without RDMA"),
     S("Its network is TCP; {share} of a step is exposed network traffic.")},
};

constexpr FixSentence fixes[] = {
    {"link.double_lanes", S("Double the cables: {lanes} lanes")},
    {"link.more_spines", S("Double the spine: {spines} switches")},
    {"link.faster_medium", S("Use {medium}")},
    {"link.tuned_protocol", S("Spread flows with tuned RoCE")},
    {"cable.shorten", S("Shorten to {reach}")},
    {"rack.fewer_machines", S("{fewer} a rack, {racks} racks")},
    {"rack.better_cooling", S("Cool by {cooling}")},
    {"rack.liquid_cooling", S("Cool by {cooling}")},
    {"cooling.cooler_inlet", S("Cool the inlet to {allowed}")},
    {"power.cap_gpus", S("Cap GPUs at {cap} of their power")},
    {"power.contain_aisles", S("Contain the aisles")},
    {"work.more_machines", S("{machines} machines")},
    {"work.place", S("Run it on {node}")},
    {"node.fewer_machines", S("Keep {machines} machines")},
    {"reliability.add_twin", S("Add a second machine")},
    {"cost.rent_instead", S("Rent instead of buying")},
    {"cost.buy_instead", S("Buy instead of renting")},
    {"training.choose_plan", S("Choose the best plan")},
    {"training.interleave", S("Interleave the pipeline")},
    {"training.keep_on_device", S("Keep the optimizer on the GPUs")},
    {"training.offload", S("Offload the optimizer to the host")},
    {"training.tensor_inside_machine", S("Keep tensor parallelism inside the machine")},
};

#undef S

} // namespace

std::span<const FindingSentence> findingSentences() { return sentences; }
std::span<const FixSentence> fixSentences() { return fixes; }

} // namespace cw
