// SPDX-License-Identifier: GPL-3.0-or-later
//
// The project: what one *.cluster.json file says. A plain value; only Document::apply changes the open one.
#pragma once

#include "model/design/design.h"
#include "model/design/workload.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cw {

struct Meta {
    std::string title, author, organisation, notes;
    std::string created, modified; ///< ISO 8601; documents print these, never the clock
    std::string extra;
    bool operator==(const Meta&) const = default;
};

/// Where it stands and how money and energy count there.
struct Site {
    std::string name;
    PartId region;                      ///< energy price and carbon unless given below
    std::optional<double> energyPrice;  ///< USD/kWh
    std::optional<double> carbonIntensity; ///< g CO2e/kWh
    std::string currency = "USD";
    PartId cooling;                     ///< cooling_… of racks that say nothing else
    std::optional<double> pue;          ///< overrides the cooling's band
    double inletC = 22;
    std::optional<Watts> rackPowerLimit;
    std::optional<Watts> facilityPowerLimit;
    double horizonYears = 4;
    double discountRate = .08;
    double utilisation = .6; ///< of the machine over the year
    double installationFraction = .05; ///< of purchase price
    double supportFractionPerYear = .03;
    double spaceDollarsPerKwMonth = 0;  ///< colocation, 0: own building
    double staffDollarsPerYear = 0;
    double spareFraction = .02;
    std::string extra;
    bool operator==(const Site&) const = default;
};

/// The user's own part: a catalog entry of a kind as JSON text; overrides the shipped part of the same id.
struct OwnPart {
    PartId id;
    std::string kind;
    std::string json; ///< canonical text of the entry (canonicalJson() of model/io)
    std::string extra{};
    bool operator==(const OwnPart&) const = default;
};

/// Where an element is drawn. Never read by an estimator. Frames and racks have a size, nodes do not.
struct ItemView {
    double x = 0, y = 0, width = 0, height = 0;
    std::string colour;
    std::string extra{};
    bool operator==(const ItemView&) const = default;
};

/// Keys are "<alternative id>/<element id>".
struct View {
    std::map<std::string, ItemView> items;
    std::string extra;
    bool operator==(const View&) const = default;
};

struct Project {
    int schema = 1;
    Meta meta;
    Site site;
    std::vector<Workload> workloads;
    std::vector<OwnPart> parts;
    std::vector<Alternative> alternatives;
    AlternativeId baseline; ///< empty: the first
    View view;
    std::string extra;
    bool operator==(const Project&) const = default;

    const Alternative* findAlternative(const AlternativeId& id) const;
    const Workload* findWorkload(const WorkloadId& id) const;
    const OwnPart* findPart(const PartId& id) const;
    const Alternative* baselineAlternative() const;
};

std::string viewKey(const AlternativeId& alternative, std::string_view element);

} // namespace cw
