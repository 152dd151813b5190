// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/facility/prices.h"

#include "estimators/facility/facility_constants.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cw {

namespace {

constexpr double secondsPerHour = 3600;

struct Price {
    double value = 0, low = 0, high = 0; ///< USD/h of the whole instance
    bool derived = false;                ///< from the on-demand price and a rule
};

double perHour(DollarsPerSecond rate) { return si(rate) * secondsPerHour; }

std::optional<Price> onDemandPrice(const CloudInstance& instance) {
    if (!instance.onDemand)
        return std::nullopt;
    Price price{perHour(*instance.onDemand), perHour(*instance.onDemand), perHour(*instance.onDemand)};
    if (instance.onDemandBand) {
        price.low = perHour(instance.onDemandBand->low);
        price.high = perHour(instance.onDemandBand->high);
    }
    return price;
}

/// The price of an instance; where the provider publishes only one of them, the others follow from a rule with its band.
std::optional<Price> priceOf(const CloudInstance& instance, Procurement procurement, const Constants& rule) {
    const auto scaled = [&](std::optional<Price> base, const char* key) -> std::optional<Price> {
        if (!base)
            return std::nullopt;
        const Constants::Value& factor = rule.values.find(std::string_view(key))->second;
        return Price{base->value * factor.value, base->low * factor.low.value_or(factor.value),
                     base->high * factor.high.value_or(factor.value), true};
    };
    const std::optional<Price> onDemand = onDemandPrice(instance);
    switch (procurement) {
    case Procurement::reserved:
        if (instance.reserved1y) {
            const double rate = perHour(*instance.reserved1y);
            return Price{rate, instance.reserved3y ? std::min(rate, perHour(*instance.reserved3y)) : rate, rate};
        }
        return scaled(onDemand, "reserved_fraction");
    case Procurement::spot:
        if (instance.spot)
            return Price{(perHour(instance.spot->low) + perHour(instance.spot->high)) / 2, perHour(instance.spot->low),
                         perHour(instance.spot->high)};
        return scaled(onDemand, "spot_fraction");
    default:
        if (onDemand)
            return onDemand;
        if (instance.reserved1y) { // a row that only states a contract price
            const Constants::Value& factor = rule.values.find("reserved_fraction")->second;
            const double rate = perHour(*instance.reserved1y) / factor.value;
            return Price{rate, rate * .8, rate * 1.3, true};
        }
        return std::nullopt;
    }
}

const char* fieldOf(Procurement procurement) {
    switch (procurement) {
    case Procurement::reserved:
        return "reserved_1y_usd_per_hour";
    case Procurement::spot:
        return "spot_low_usd_per_hour";
    default:
        return "on_demand_usd_per_hour";
    }
}

int yearOf(const CloudInstance& instance) {
    int year = 0; // the last year that the date names: "2025-2026" is 2026
    const std::string& text = instance.asOf;
    for (std::size_t i = 0; i + 4 <= text.size(); ++i) {
        int found = 0;
        const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 4, found);
        if (error == std::errc() && end == text.data() + i + 4 && found > 1990)
            year = std::max(year, found);
    }
    return year;
}

/// As resolve() counts them: Arm instances sell whole cores, the others hardware threads.
double coresOf(const CloudInstance& instance, const Catalog& catalog) {
    if (instance.physicalCores)
        return *instance.physicalCores;
    const Cpu* cpu = catalog.find<Cpu>(instance.cpu);
    return cpu && cpu->threads > 0 && cpu->threads == cpu->cores ? instance.vcpus : instance.vcpus / 2.0;
}

Quantity unknownRent(Derivation& d) {
    return d.unknown("rent", Unit::dollarsPerHour, "no instance with these devices is in the price list");
}

/// One named row, scaled to the machine's devices.
Quantity rowPrice(EstimateContext& context, const CloudInstance& row, Procurement procurement, double scale) {
    Derivation& d = context.derivation;
    const Constants& rule = constantsOf(context.catalog, "price_rule", "rent");
    const std::optional<Price> price = priceOf(row, procurement, rule);
    if (!price)
        return unknownRent(d);
    const Quantity listed = price->derived
        ? d.computed("price of the instance", "listed price · reserved or spot share", price->value, price->low, price->high,
                     Unit::dollarsPerHour,
                     {d.fact("on-demand price", row, "on_demand_usd_per_hour",
                             row.onDemand ? perHour(*row.onDemand) : price->value, Unit::dollarsPerHour)})
        : d.fact("price of the instance", row, fieldOf(procurement), price->value, price->low, price->high, Unit::dollarsPerHour);
    if (scale == 1)
        return listed;
    const Quantity share = d.computed("machine in instances", "devices of the machine / devices of the instance", scale, scale,
                                      scale, Unit::one, {});
    return d.product("rent", "price of the instance · machine in instances", {listed, share}, Unit::dollarsPerHour);
}

/// Rows for the same devices; `scale` is the machine in such instances.
struct Match {
    const CloudInstance* row;
    Price price;
    double scale;
    int year;
};

std::vector<Match> marketMatches(const EstimateContext& context, const Machine& machine, Procurement procurement,
                                 const Constants& rule) {
    std::vector<Match> matches;
    for (const Catalog::Entry* entry : context.catalog.entries()) {
        const auto* row = std::get_if<CloudInstance>(&entry->part);
        if (!row || row->origin != "market" || row->provider == "market")
            continue;
        double scale = 0;
        if (machine.gpus > 0) {
            if (machine.gpu && row->kind == "gpu" && row->gpuCount > 0 && row->gpu == machine.gpu->id)
                scale = static_cast<double>(machine.gpus) / row->gpuCount;
        } else if (const double cores = row->kind == "cpu" ? coresOf(*row, context.catalog) : 0; cores > 0) {
            scale = machine.cores / cores;
        }
        if (!(scale > 0))
            continue;
        if (const auto price = priceOf(*row, procurement, rule))
            matches.push_back({row, *price, scale, yearOf(*row)});
    }
    return matches;
}

/// Prefers what says its price over what a rule derives, the same processor, and rows of the last years.
void keepBest(std::vector<Match>& matches, const Machine& machine, double newestYears) {
    const auto keep = [&](auto good) {
        if (std::any_of(matches.begin(), matches.end(), good))
            std::erase_if(matches, [&](const Match& m) { return !good(m); });
    };
    if (machine.gpus == 0 && machine.cpu)
        keep([&](const Match& m) { return m.row->cpu == machine.cpu->id; });
    int newest = 0;
    for (const Match& m : matches)
        newest = std::max(newest, m.year);
    keep([&](const Match& m) { return m.year >= newest - newestYears; });
    keep([](const Match& m) { return !m.price.derived; });
}

} // namespace

Procurement procurementOf(const Alternative& alternative, const Machine& machine) {
    Procurement p = machine.node->procurement == Procurement::inherit ? alternative.procurement : machine.node->procurement;
    if (p == Procurement::inherit)
        p = Procurement::buy;
    return p == Procurement::buy && machine.cloud ? Procurement::onDemand : p;
}

bool isRent(Procurement procurement) {
    return procurement == Procurement::onDemand || procurement == Procurement::reserved || procurement == Procurement::spot;
}

Quantity priceFact(Derivation& d, const char* name, const PartInfo& part, const std::optional<Band<Dollars>>& price) {
    if (!price || std::isnan(si(price->low)) || std::isnan(si(price->high)))
        return d.unknown(name, Unit::dollars, "no price is known");
    const double low = si(price->low), high = si(price->high);
    return d.fact(name, part, "price_usd_low", (low + high) / 2, low, high, Unit::dollars);
}

Quantity purchasePrice(EstimateContext& context, const Machine& machine) {
    Derivation& d = context.derivation;
    if (machine.server)
        return priceFact(d, "price of the server", *machine.server, machine.server->price);
    if (machine.switchBox)
        return priceFact(d, "price of the switch", *machine.switchBox, machine.switchBox->price);
    if (machine.cloud)
        return d.unknown("price of the machine", Unit::dollars, "a cloud instance cannot be bought");
    if (machine.gpu)
        return priceFact(d, "price of the GPU", *machine.gpu, machine.gpu->price);
    if (machine.cpu)
        return priceFact(d, "price of the processor", *machine.cpu, machine.cpu->price);
    return d.unknown("price of the machine", Unit::dollars, "the part is not in the catalog");
}

Quantity rentPerHour(EstimateContext& context, const Machine& machine, Procurement procurement) {
    Derivation& d = context.derivation;
    if (machine.kind == MachineKind::unknown)
        return unknownRent(d);
    if (machine.node->priceBook) {
        const auto* book = context.catalog.find<CloudInstance>(machine.node->priceBook);
        if (!book)
            return d.unknown("rent", Unit::dollarsPerHour, "the price book is not in the catalog");
        // A row for other numbers of the same devices is scaled; one that names no devices is the price of one machine.
        double scale = 1;
        if (machine.gpus > 0 && book->gpuCount > 0)
            scale = static_cast<double>(machine.gpus) / book->gpuCount;
        else if (const double cores = coresOf(*book, context.catalog); machine.gpus == 0 && machine.cores > 0 && cores > 0)
            scale = machine.cores / cores;
        return rowPrice(context, *book, procurement, scale);
    }
    if (machine.cloud)
        return rowPrice(context, *machine.cloud, procurement, 1);
    const Constants& rule = constantsOf(context.catalog, "price_rule", "rent");
    std::vector<Match> matches = marketMatches(context, machine, procurement, rule);
    keepBest(matches, machine, rule["newest_years"]);
    if (matches.empty())
        return unknownRent(d);
    std::stable_sort(matches.begin(), matches.end(),
                     [](const Match& a, const Match& b) { return a.price.value * a.scale < b.price.value * b.scale; });
    double low = matches.front().price.low * matches.front().scale, high = low;
    std::vector<Quantity> rows;
    for (const Match& m : matches) {
        low = std::min(low, m.price.low * m.scale);
        high = std::max(high, m.price.high * m.scale);
        rows.push_back(d.fact("price of an instance with these devices", *m.row, fieldOf(procurement), m.price.value, m.price.low,
                              m.price.high, Unit::dollarsPerHour));
    }
    const auto value = [&](std::size_t i) { return matches[i].price.value * matches[i].scale; };
    const std::size_t n = matches.size();
    const double median = n % 2 == 1 ? value(n / 2) : (value(n / 2 - 1) + value(n / 2)) / 2;
    return d.computed("rent", "median over the price list, for the machine's number of devices", median, low, high,
                      Unit::dollarsPerHour, rows);
}

} // namespace cw
