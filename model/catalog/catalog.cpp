// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/catalog/catalog.h"

#include "model/assert.h"
#include "resources/embedded.h"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace cw {
namespace {

/// FNV-1a, 64 bits: equal on every machine, so that a hash may be stored.
class ContentHash {
public:
    void add(std::string_view bytes) {
        for (const char c : bytes)
            add(static_cast<unsigned char>(c));
        add(0xFF); // not part of any UTF-8 text: ("ab", "c") is not ("a", "bc")
    }
    void add(unsigned byte) { m_value = (m_value ^ byte) * 0x100000001b3; }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0xcbf29ce484222325;
};

using EntryPointer = std::shared_ptr<const Catalog::Entry>;

bool sameConstants(const Constants& constants, std::string_view kind, std::string_view subject) {
    return constants.kind == kind && constants.subject == subject;
}

} // namespace

struct Catalog::Data {
    std::vector<EntryPointer> owned; ///< by kind, then in the order of the files
    std::vector<const Entry*> entries;
    std::unordered_map<std::string_view, const Entry*> byId;
    std::vector<const Constants*> constants; ///< later layers first
    std::uint64_t hash = 0;

    explicit Data(std::vector<EntryPointer> parts)
        : owned(std::move(parts)) {
        std::stable_sort(owned.begin(), owned.end(),
                         [](const auto& a, const auto& b) { return a->part.index() < b->part.index(); });
        ContentHash content;
        for (const auto& entry : owned) {
            entries.push_back(entry.get());
            byId.emplace(info(entry->part).id.value, entry.get());
            content.add(static_cast<unsigned>(entry->part.index()));
            content.add(static_cast<unsigned>(entry->layer));
            content.add(info(entry->part).json);
        }
        hash = content.value();
        for (const auto layer : {CatalogLayer::project, CatalogLayer::user, CatalogLayer::shipped}) {
            for (const auto& entry : owned) {
                if (const auto* set = std::get_if<Constants>(&entry->part); set && entry->layer == layer)
                    constants.push_back(set);
            }
        }
    }
};

Catalog::Catalog() {
    static const auto empty = std::make_shared<const Data>(std::vector<EntryPointer>{});
    m_data = empty;
}

const Catalog::Entry* Catalog::findEntry(const PartId& id) const {
    const auto found = m_data->byId.find(id.value);
    return found == m_data->byId.end() ? nullptr : found->second;
}

const Part* Catalog::findPart(const PartId& id) const {
    const Entry* entry = findEntry(id);
    return entry ? &entry->part : nullptr;
}

const Constants* Catalog::constants(std::string_view kind, std::string_view subject) const {
    const auto& all = m_data->constants;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Constants* set) { return sameConstants(*set, kind, subject); });
    return found == all.end() ? nullptr : *found;
}

std::span<const Catalog::Entry* const> Catalog::entries() const { return m_data->entries; }

std::uint64_t Catalog::hash() const { return m_data->hash; }

Catalog Catalog::with(std::vector<Part> parts, CatalogLayer layer) const {
    std::vector<EntryPointer> all = m_data->owned;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < all.size(); ++i)
        places.emplace(info(all[i]->part).id.value, i);
    for (Part& part : parts) {
        if (layer != CatalogLayer::shipped) {
            // What the user wrote, or copied from a shipped part and changed, is no longer a fact read from the named source.
            std::visit(
                [](PartInfo& own) { own.confidence = own.confidence == Provenance::read ? Provenance::user : own.confidence; },
                part);
        }
        const std::string id = info(part).id.value;
        auto entry = std::make_shared<const Entry>(Entry{std::move(part), layer});
        const auto [place, isNew] = places.try_emplace(id, all.size());
        if (isNew)
            all.push_back(std::move(entry));
        else
            all[place->second] = std::move(entry);
    }
    Catalog result;
    result.m_data = std::make_shared<const Data>(std::move(all));
    return result;
}

const Catalog& shippedCatalog() {
    static const Catalog shipped = [] {
        std::vector<Part> parts;
        bool good = true;
        for (const std::string_view path : resources::list("catalog")) {
            if (!path.ends_with(".json"))
                continue;
            CatalogFile file = parseCatalogFile(resources::file(path), path);
            for (const Error& error : file.errors) {
                std::fprintf(stderr, "%s: %s\n", error.where.c_str(), error.message.c_str());
                good = false;
            }
            std::move(file.parts.begin(), file.parts.end(), std::back_inserter(parts));
        }
        const std::size_t count = parts.size();
        Catalog catalog = Catalog().with(std::move(parts), CatalogLayer::shipped);
        CW_ASSERT(good && count > 0 && catalog.entries().size() == count); // no id twice
        return catalog;
    }();
    return shipped;
}

} // namespace cw
