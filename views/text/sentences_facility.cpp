// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/finding_sentences.h"

#include <QtGlobal>

namespace cw {

namespace {

#define S(text) QT_TRANSLATE_NOOP("Findings", text)

// Network, racks, power, money: estimators/facility.
constexpr FindingSentence sentences[] = {
    {"link.full", S("{link} is {utilisation} full"),
     S("{load} of {capacity} a direction. What runs over it waits.")},
    {"link.collisions", S("Flows collide on {link}"),
     S("{utilisation} full on average, but flows are hashed onto cables: the fullest is expected at {fullest}.")},
    {"network.shared", S("{workload} gets {share} of its network"),
     S("Others flow over {link} at the same time: {others}. Fair shares are in all figures.")},
    {"network.own_storage", S("Storage slows the network of {workload}"),
     S("Samples and checkpoints flow over {link} beside its collectives, which get {share} of what they would alone.")},
    {"network.oversubscribed", S("{tier} is {ratio} : 1 oversubscribed"),
     S("When all talk at once, each gets 1/{ratio} of its port there.")},
    {"network.not_connected", S("Machines of {workload} do not reach each other"),
     S("Draw links, so that all of its machines meet at a switch.")},
    {"cable.too_short", S("{link} is longer than its cable reaches"),
     S("{length} to go; {medium} reaches {reach}.")},
    {"rack.power_exceeded", S("{rack} draws more than its limit"),
     S("{power} at peak, {typical} typically, of {limit}. Racks like this: {count}.")},
    {"rack.power_tight", S("{rack} is close to its limit"),
     S("{power} at peak; such cooling usually takes {usual}, at best {limit}.")},
    {"rack.needs_liquid", S("{rack} needs liquid cooling"),
     S("Its machines have cold plates, and its cooling is by air alone.")},
    {"rack.too_heavy", S("{rack} is too heavy"),
     S("{weight} on a rack made for {limit}.")},
    {"cooling.inlet_too_warm", S("The inlet air is too warm"),
     S("{inlet}, where the most sensitive machine allows {allowed}.")},
    {"power.facility_exceeded", S("The site has too little power"),
     S("{power} expected, {peak} at peak, of {limit}.")},
    {"power.rating_below_parts", S("{node} is rated below its own GPUs"),
     S("The machine is rated at {rating}, its GPUs alone may draw {parts}. One of the two facts is wrong.")},
    {"power.unknown", S("The power of {node} is unknown"),
     S("Totals that contain it read “?”. Choose a part that the catalog knows, or add an own part.")},
    {"power.pue_high", S("Cooling wastes energy"),
     S("PUE {pue}; contained aisles reach {better} and save {saved}.")},
    {"power.cap_helps", S("{workload} would hardly notice a power cap"),
     S("It waits for memory, not for arithmetic: capping the GPUs at {cap} takes {saved} off the peak.")},
    {"node.idle", S("{node} does nothing"),
     S("No workload runs on it; it makes up {share} of the cost.")},
    {"node.barely_used", S("{node} is barely used"),
     S("{busy} busy on average.")},
    {"reliability.single_machine", S("{workload} stops with {node}"),
     S("It runs on one machine only.")},
    {"cost.price_missing", S("A price is missing"),
     S("{part} has no price in the catalog ({count} such items). Purchase and TCO read “?” until it has.")},
    {"cost.rent_missing", S("A rent is missing"),
     S("No cloud instance is known whose price stands for {node} ({count} such stacks).")},
    {"cost.rent_cheaper", S("Renting would be cheaper"),
     S("{rent} against {buy} bought, at {use} use.")},
    {"cost.buy_cheaper", S("Buying would be cheaper"),
     S("{buy} against {rent} rented.")},
};

#undef S

} // namespace

std::span<const FindingSentence> facilitySentences() { return sentences; }

} // namespace cw
