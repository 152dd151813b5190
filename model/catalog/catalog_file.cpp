// SPDX-License-Identifier: GPL-3.0-or-later
//
// Catalog files: text to JSON to parts. The text may be anything; what comes out is parts and a list of faults.
#include "model/catalog/catalog.h"
#include "model/catalog/part_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>

namespace cw {
namespace {

using nlohmann::json;

constexpr std::size_t largestFile = 64u << 20;
constexpr int deepestNesting = 64;
constexpr std::size_t mostErrors = 1000; // a file of nonsense need not be told about a million times

std::string place(std::string_view where, std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    const std::string_view before = text.substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return fmt::format("{}: line {}, column {}", where, line, offset - lineStart + 1);
}

/// Where the nesting gets too deep for recursive code, if it does.
std::optional<std::size_t> tooDeepAt(std::string_view text) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            if (++depth > deepestNesting)
                return i;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return {};
}

/// The sentence of a message of the JSON library, without its label and position.
std::string sentence(std::string_view message) {
    if (const auto label = message.find("] "); label != std::string_view::npos)
        message.remove_prefix(label + 2);
    if (const auto position = message.find("column "); position != std::string_view::npos) {
        if (const auto colon = message.find(": ", position); colon != std::string_view::npos)
            message.remove_prefix(colon + 2);
    }
    std::string text(message.substr(0, 300));
    // The library quotes what it last read, byte for byte; that may cut a character or be no text at all.
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7F; }, '?');
    return text;
}

Expected<json> parseJson(std::string_view text, std::string_view where) {
    if (text.size() > largestFile)
        return fail({std::string(where), fmt::format("at most {} bytes", largestFile), fmt::format("{} bytes", text.size()),
                     "The file is too large for a catalog file."});
    if (const auto offset = tooDeepAt(text))
        return fail({place(where, text, *offset), fmt::format("at most {} levels", deepestNesting), "more",
                     "Objects and arrays are nested too deeply."});
    try {
        return json::parse(text.begin(), text.end());
    } catch (const json::parse_error& error) {
        return fail({place(where, text, error.byte > 0 ? error.byte - 1 : 0),
                     "JSON",
                     {},
                     "This is not JSON: " + sentence(error.what()) + "."});
    } catch (const json::exception& error) { // a number beyond what a double holds
        return fail({std::string(where), "numbers below 1e308", {}, "This JSON cannot be read: " + sentence(error.what()) + "."});
    }
}

Provenance readConfidence(Fields& fields) {
    const std::string word = fields.textOr("confidence", "user");
    constexpr std::pair<std::string_view, Provenance> words[]{{"read", Provenance::read},
                                                              {"recalled", Provenance::recalled},
                                                              {"estimated", Provenance::estimated},
                                                              {"user", Provenance::user}};
    for (const auto& [name, provenance] : words) {
        if (word == name)
            return provenance;
    }
    fields.wrong("confidence", "read, recalled, estimated or user", "Unknown word for confidence.");
    return Provenance::user;
}

void readInfo(Fields& fields, PartInfo& info) {
    info.id = PartId(fields.text("id"));
    const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.'; };
    constexpr std::size_t longestId = 100;
    if (!std::all_of(info.id.value.begin(), info.id.value.end(), fits) || info.id.value.size() > longestId)
        fields.wrong("id", "at most 100 letters, digits, _, - and .", "The id of a part has other characters, or is too long.");
    info.name = fields.textOr("name", info.id.value);
    info.vendor = fields.textOr("vendor", {});
    info.confidence = readConfidence(fields);
    for (Fields& entry : fields.objects("sources"))
        info.sources.push_back({entry.text("title"), entry.textOr("section", {}), entry.flagOr("recalled", false)});
    info.recalledFields = fields.texts("recalled_fields");
    info.estimatedFields = fields.texts("estimated_fields");
    info.notes = fields.textOr("notes", {});
}

std::optional<Part> readEntry(std::string_view kind, const json& entry, const std::string& where, std::vector<Error>& errors) {
    if (!entry.is_object()) {
        errors.push_back({where, "an object", {}, "An entry of a catalog has to be an object."});
        return {};
    }
    const std::size_t before = errors.size();
    Fields fields(entry, where, errors);
    const std::string kindOfEntry = fields.textOr("part", std::string(kind));
    std::optional<Part> part = emptyPart(kindOfEntry);
    if (!part) {
        errors.push_back({where, allKindNames(), kindOfEntry, "Unknown kind of part."});
        return {};
    }
    std::visit(
        [&](auto& value) {
            readInfo(fields, value);
            readPart(fields, value);
            value.json = entry.dump();
        },
        *part);
    if (errors.size() > before)
        return {};
    return part;
}

/// Adds the parts whose ids are new, in order.
void append(CatalogFile& to, CatalogFile from, std::set<std::string>& seen, std::string_view where) {
    for (Part& part : from.parts) {
        const std::string id = info(part).id.value;
        if (seen.insert(id).second)
            to.parts.push_back(std::move(part));
        else
            from.errors.push_back(
                {std::string(where), "ids that occur once", id, "There is already a part with the id \"" + id + "\"."});
    }
    to.errors.insert(to.errors.end(), std::make_move_iterator(from.errors.begin()), std::make_move_iterator(from.errors.end()));
}

Expected<std::string> readFile(const std::filesystem::path& path) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(path, failure);
    if (!failure && size > largestFile)
        return fail({path.string(), fmt::format("at most {} bytes", largestFile), fmt::format("{} bytes", size),
                     "The file is too large for a catalog file."});
    std::ifstream stream(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream.is_open() || stream.bad())
        return fail({path.string(), "a file that can be read", {}, "The file cannot be read."});
    return text;
}

} // namespace

tl::expected<Part, std::vector<Error>> parsePart(std::string_view kind, std::string_view text, std::string_view where) {
    const auto entry = parseJson(text, where);
    if (!entry)
        return tl::unexpected(std::vector<Error>{entry.error()});
    std::vector<Error> errors;
    auto part = readEntry(kind, *entry, std::string(where), errors);
    if (!part)
        return tl::unexpected(std::move(errors));
    return std::move(*part);
}

CatalogFile parseCatalogFile(std::string_view text, std::string_view where) {
    CatalogFile result;
    const auto document = parseJson(text, where);
    if (!document) {
        result.errors.push_back(document.error());
        return result;
    }
    const std::string root = fmt::format("{}: ", where);
    if (!document->is_object()) {
        result.errors.push_back(
            {root + "/", "an object with schema, kind and entries", {}, "A catalog file has to be a JSON object."});
        return result;
    }
    Fields fields(*document, root, result.errors);
    if (fields.whole("schema", 0) != 1)
        fields.wrong("schema", "1", "This version of catalog files is not known.");
    const std::string kind = fields.textOr("kind", {});
    const auto entries = document->find("entries");
    if (entries == document->end() || !entries->is_array())
        fields.wrong("entries", "an array of objects", "A catalog file has to have \"entries\".");
    if (!result.errors.empty())
        return result;

    std::set<std::string> seen;
    for (std::size_t i = 0; i < entries->size() && result.errors.size() < mostErrors; ++i) {
        const std::string pointer = fmt::format("{}/entries/{}", root, i);
        CatalogFile one;
        if (auto part = readEntry(kind, (*entries)[i], pointer, one.errors))
            one.parts.push_back(std::move(*part));
        append(result, std::move(one), seen, pointer + "/id");
    }
    return result;
}

CatalogFile readCatalogFolder(const std::string& folder) {
    CatalogFile result;
    std::error_code failure;
    std::vector<std::filesystem::path> paths;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        if (entry->path().extension() == ".json" && entry->is_regular_file(failure))
            paths.push_back(entry->path());
        failure.clear();
    }
    std::sort(paths.begin(), paths.end());
    std::set<std::string> seen;
    for (const auto& path : paths) {
        const auto text = readFile(path);
        if (text)
            append(result, parseCatalogFile(*text, path.string()), seen, path.string());
        else
            result.errors.push_back(text.error());
    }
    return result;
}

} // namespace cw
