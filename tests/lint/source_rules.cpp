// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lint/source_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace cw::lint {

namespace {

constexpr std::string_view licenceLine = "// SPDX-License-Identifier: GPL-3.0-or-later";

struct Include {
    std::string_view name;
    bool quoted = false;
};

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<Include> parseInclude(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with('#'))
        return std::nullopt;
    line = trimmed(line.substr(1));
    if (!line.starts_with("include"))
        return std::nullopt;
    line = trimmed(line.substr(7));
    if (line.empty() || (line.front() != '"' && line.front() != '<'))
        return std::nullopt;
    const auto end = line.find(line.front() == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos)
        return std::nullopt;
    return Include{line.substr(1, end - 1), line.front() == '"'};
}

bool below(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string_view firstFolder(std::string_view path) { return path.substr(0, path.find('/')); }

/// Position of a layer in `model ← estimators ← views ← app`; resources stand below all, tests above.
std::optional<int> layerOf(std::string_view path) {
    constexpr std::array<std::string_view, 6> order{"resources", "model", "estimators", "views", "app", "tests"};
    const auto found = std::find(order.begin(), order.end(), firstFolder(path));
    if (found == order.end() || path.find('/') == std::string_view::npos)
        return std::nullopt;
    return static_cast<int>(found - order.begin());
}

bool mustNotUseQt(std::string_view path) {
    return below(path, "resources") || (below(path, "model") && !below(path, "model/document")) ||
        (below(path, "estimators") && !below(path, "estimators/live"));
}

bool isQt(std::string_view header) {
    if (header.starts_with("Qt") || header.starts_with("qt"))
        return true;
    const bool named = header.size() > 1 && header[0] == 'Q' && std::isupper(static_cast<unsigned char>(header[1]));
    const bool old = header.size() > 3 && header[0] == 'q' && header.ends_with(".h") && header != "queue.h";
    return named || old;
}

bool isHeavy(std::string_view header) {
    return header.ends_with("nlohmann/json.hpp") || header == "json.hpp" || header.starts_with("Eigen/") ||
        header.starts_with("boost/graph/") || header.ends_with("qcustomplot.h") || header == "QCustomPlot";
}

/// Whether the word stands in the text with no letter, digit, path or underscore touching it.
bool hasWord(std::string_view text, std::string_view word) {
    const auto touches = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '/' || c == '.'; };
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const auto end = at + word.size();
        if ((at == 0 || !touches(text[at - 1])) && (end == text.size() || !touches(text[end])))
            return true;
    }
    return false;
}

bool isCpp(std::string_view path) { return path.ends_with(".cpp"); }
bool isHeader(std::string_view path) { return path.ends_with(".h"); }

/// Calls visit(number, line) for each line, from 1.
template <class Visit> void forEachLine(std::string_view text, Visit visit) {
    int number = 1;
    while (!text.empty()) {
        const auto end = text.find('\n');
        visit(number++, text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

/// Absolute paths below a folder that exists on one machine only. Spelt in two pieces so that this file passes.
std::optional<std::string_view> machinePath(std::string_view line) {
    constexpr std::array<std::string_view, 6> roots{"/wo"
                                                    "rk/",
                                                    "/fa"
                                                    "rm/",
                                                    "/ro"
                                                    "ot/",
                                                    "/ho"
                                                    "me/",
                                                    "/var/t"
                                                    "mp/",
                                                    "/tmp/ba"
                                                    "sh_jobs"};
    for (const std::string_view root : roots) {
        for (auto at = line.find(root); at != std::string_view::npos; at = line.find(root, at + 1)) {
            // Part of a longer path, an address or a variable is not an absolute path of this machine.
            const char before = at == 0 ? ' ' : line[at - 1];
            const bool starts = !std::isalnum(static_cast<unsigned char>(before)) &&
                std::string_view("_-./:})$~*").find(before) == std::string_view::npos;
            if (starts)
                return root;
        }
    }
    return std::nullopt;
}

std::optional<std::string> wrongInclude(std::string_view path, const Include& include) {
    const std::string name(include.name);
    const auto from = layerOf(path);
    const auto to = layerOf(include.name);
    if (include.quoted && from && to && *to > *from)
        return "includes " + name + ": " + std::string(firstFolder(path)) + " must not know " + std::string(firstFolder(name));
    if (mustNotUseQt(path)) {
        if (isQt(include.name))
            return "includes " + name + ": this folder does without Qt (only model/document and estimators/live use it)";
        if (include.quoted && (below(include.name, "model/document") || below(include.name, "estimators/live")))
            return "includes " + name + ": this folder does without Qt, and that header uses it";
    }
    if ((include.name.ends_with("qcustomplot.h") || include.name == "QCustomPlot") && !below(path, "views/plots"))
        return "includes " + name + ": only views/plots does";
    if (isHeader(path) && isHeavy(include.name))
        return "includes " + name + ": too heavy for a header, include it in the .cpp file";
    return std::nullopt;
}

} // namespace

std::string Violation::text() const { return file + ':' + std::to_string(line) + ": " + message; }

std::vector<Violation> checkFile(std::string_view path, std::string_view text) {
    std::vector<Violation> found;
    const auto report = [&](int line, std::string message) { found.push_back({std::string(path), line, std::move(message)}); };
    const bool cpp = isCpp(path) || isHeader(path);
    bool once = false;
    bool licensed = false;
    forEachLine(text, [&](int number, std::string_view line) {
        if (const auto root = machinePath(line))
            report(number, "names a path of one machine (below " + std::string(*root) + ')');
        if (!cpp)
            return;
        once = once || trimmed(line) == "#pragma once";
        licensed = licensed || trimmed(line) == licenceLine;
        if (const auto include = parseInclude(line)) {
            if (auto message = wrongInclude(path, *include))
                report(number, *std::move(message));
        }
    });
    if (cpp && !licensed)
        report(1, "lacks the line " + std::string(licenceLine));
    if (isHeader(path) && !once)
        report(1, "lacks #pragma once");
    return found;
}

std::vector<Violation> checkTree(const std::map<std::string, std::string>& files) {
    std::vector<Violation> found;
    for (const auto& [path, text] : files) {
        if (!isCpp(path) && !isHeader(path))
            continue;
        forEachLine(text, [&, &path = path](int number, std::string_view line) {
            const auto include = parseInclude(line);
            if (!include || !include->quoted || include->name.ends_with(".moc") || files.contains(std::string(include->name)))
                return;
            found.push_back({path, number,
                             "includes \"" + std::string(include->name) +
                                 "\", which is no path from the source folder to a file of the project"});
        });
        if (!isCpp(path))
            continue;
        // Listed in a CMakeLists.txt of its own folder or of one above, by its path from there; of a test the subject is enough.
        bool listed = false;
        for (auto slash = path.rfind('/'); slash != std::string::npos && !listed;
             slash = slash == 0 ? std::string::npos : path.rfind('/', slash - 1)) {
            const auto list = files.find(path.substr(0, slash + 1) + "CMakeLists.txt");
            if (list == files.end())
                continue;
            const std::string name = path.substr(slash + 1);
            listed = hasWord(list->second, name) ||
                (name.ends_with("_test.cpp") && hasWord(list->second, name.substr(0, name.size() - 9)));
        }
        if (!listed)
            found.push_back({path, 1, "no CMakeLists.txt lists this source"});
    }
    return found;
}

} // namespace cw::lint
