// SPDX-License-Identifier: GPL-3.0-or-later
//
// The catalog: an immutable set of parts in layers (shipped < user folder < project file), later layers override by id.
// Copying is cheap (shared), so that estimates in worker threads keep the one they started with. Pointers returned by find()
// live as long as any copy of the Catalog that gave them.
#pragma once

#include "model/base/error.h"
#include "model/catalog/part.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cw {

enum class CatalogLayer : std::uint8_t { shipped, user, project };

class Catalog {
public:
    struct Entry {
        Part part;
        CatalogLayer layer = CatalogLayer::shipped;
    };

    Catalog();

    /// The part of this id and type, or null. Never throws.
    template <class T> const T* find(const PartId& id) const {
        const Part* part = findPart(id);
        return part ? std::get_if<T>(part) : nullptr;
    }
    const Part* findPart(const PartId& id) const;
    const Entry* findEntry(const PartId& id) const;

    /// Constants by kind and subject ("gemm", "h100_sxm"), else null.
    const Constants* constants(std::string_view kind, std::string_view subject) const;

    /// All parts, ordered by kind, then as in the files.
    std::span<const Entry* const> entries() const;

    /// A number that changes with the content: the memo key of estimates.
    std::uint64_t hash() const;

    /// A catalog with these parts laid over this one.
    Catalog with(std::vector<Part> parts, CatalogLayer layer) const;

private:
    struct Data;
    std::shared_ptr<const Data> m_data;
};

/// The shipped catalog, parsed once per process from the embedded resources; asserts when the shipped files are broken (a test's job).
const Catalog& shippedCatalog();

/// Parses one entry of a kind (see kindName). Every fault is reported, with JSON pointers below `where`.
tl::expected<Part, std::vector<Error>> parsePart(std::string_view kind, std::string_view json, std::string_view where);

/// Parses a catalog file `{"schema":1,"kind":…,"entries":[…]}`; entries with faults are left out and reported.
struct CatalogFile {
    std::vector<Part> parts;
    std::vector<Error> errors;
};
CatalogFile parseCatalogFile(std::string_view json, std::string_view where);

/// Reads every *.json of a folder (the user's own parts). A missing folder is an empty result.
CatalogFile readCatalogFolder(const std::string& folder);

/// Consistency checks on a whole catalog (physics, arithmetic, references); empty when all is well.
std::vector<Error> checkCatalog(const Catalog& catalog);

/// Search as the palette and `catalog list` do: words over id, name, vendor, kind; properties like "gpu>=80GB", "400G", "power<2kW",
/// "memory>=80GB", "cores>=96". Best first. An unreadable term matches as a plain word.
std::vector<const Catalog::Entry*> search(const Catalog& catalog, std::string_view query);

} // namespace cw
