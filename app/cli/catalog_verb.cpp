// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "views/text/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace cw::cli {

namespace {

std::string trust(Provenance provenance) { return provenanceName(provenance).toStdString(); }

std::string layerName(CatalogLayer layer)
{
    switch (layer) {
    case CatalogLayer::shipped: return "shipped";
    case CatalogLayer::user: return "user";
    case CatalogLayer::project: return "project";
    }
    return {};
}

int list(const Catalog& catalog, const CatalogArguments& arguments)
{
    std::vector<const Catalog::Entry*> entries;
    if (arguments.query.empty())
        entries.assign(catalog.entries().begin(), catalog.entries().end());
    else
        entries = search(catalog, arguments.query);
    if (!arguments.kind.empty())
        std::erase_if(entries, [&](const Catalog::Entry* e) { return kindName(e->part) != arguments.kind; });
    Table table({"id", "kind", "name", "vendor", "confidence", "layer"});
    for (const Catalog::Entry* entry : entries) {
        const PartInfo& part = info(entry->part);
        table.add({text(part.id.value), text(std::string(kindName(entry->part))), text(part.name), text(part.vendor),
                   text(trust(part.confidence)), text(layerName(entry->layer))});
    }
    print(table.text(arguments.format));
    if (entries.empty())
        message("nothing in the catalog matches");
    return entries.empty() ? exitNo : exitOk;
}

int show(const Catalog& catalog, const CatalogArguments& arguments)
{
    const Catalog::Entry* entry = catalog.findEntry(PartId(arguments.query));
    if (!entry) {
        std::string near;
        for (const Catalog::Entry* candidate : search(catalog, arguments.query)) {
            near += (near.empty() ? "; similar: " : ", ") + info(candidate->part).id.value;
            if (near.size() > 200)
                break;
        }
        message("there is no part \"" + arguments.query + "\"" + near);
        return exitUsage;
    }
    const PartInfo& part = info(entry->part);
    if (arguments.format == Format::json) {
        print(nlohmann::ordered_json::parse(part.json).dump(2) + "\n");
        return exitOk;
    }
    Table table({"fact", "value", "trust"});
    const auto facts = nlohmann::ordered_json::parse(part.json);
    for (const auto& [key, value] : facts.items()) {
        if (key == "sources" || key == "recalled_fields" || key == "estimated_fields" || key == "confidence" || value.is_null())
            continue;
        table.add({text(key), {value.is_string() ? value.get<std::string>() : value.dump(), value.dump()}, text(trust(part.provenance(key)))});
    }
    print(table.text(arguments.format));
    if (arguments.format == Format::table) {
        print("\nSources\n");
        for (const Source& source : part.sources)
            print("- " + source.title + ", " + source.section + (source.recalled ? " (recalled)" : "") + "\n");
    }
    return exitOk;
}

int check(const Catalog& catalog, const CatalogArguments& arguments)
{
    const auto faults = checkCatalog(catalog);
    Table table({"where", "message", "expected", "found"});
    for (const Error& fault : faults)
        table.add({text(fault.where), text(fault.message), text(fault.expected), text(fault.found)});
    if (!faults.empty() || arguments.format != Format::table)
        print(table.text(arguments.format));
    message(std::to_string(catalog.entries().size()) + " parts, " + std::to_string(faults.size()) + " faults");
    return faults.empty() ? exitOk : exitNo;
}

} // namespace

int catalogVerb(const CatalogArguments& arguments)
{
    const Catalog catalog = userCatalog();
    if (arguments.verb == "show")
        return show(catalog, arguments);
    if (arguments.verb == "check")
        return check(catalog, arguments);
    return list(catalog, arguments);
}

} // namespace cw::cli
