// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/csv.h"

#include <algorithm>

namespace cw {

namespace {

/// Walks over the text record by record.
class CsvReader {
public:
    explicit CsvReader(std::string_view text)
        : m_text(text) {
        constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
        if (m_text.starts_with(byteOrderMark))
            m_text.remove_prefix(byteOrderMark.size());
        m_separator = separatorOf(m_text);
    }

    bool done() const { return m_at >= m_text.size(); }

    CsvRecord next() {
        CsvRecord record;
        record.line = m_line;
        if (peek() == '#') { // a remark: the whole line, no fields
            while (!done() && peek() != '\n')
                ++m_at;
            lineBreak();
            return record;
        }
        do
            record.fields.push_back(field(record));
        while (take(m_separator));
        lineBreak();
        if (record.fields.size() == 1 && record.fields.front().empty())
            record.fields.clear();
        return record;
    }

private:
    /// A comma, unless the header has none but semicolons or tabs.
    static char separatorOf(std::string_view text) {
        while (text.starts_with('#') || text.starts_with('\n') || text.starts_with('\r')) {
            const std::size_t end = text.find('\n');
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        const std::string_view header = text.substr(0, text.find('\n'));
        for (const char c : {',', ';', '\t'})
            if (header.find(c) != std::string_view::npos)
                return c;
        return ',';
    }
    char peek() const { return done() ? '\0' : m_text[m_at]; }
    bool take(char c) {
        if (done() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    bool atLineBreak() const { return peek() == '\n' || (peek() == '\r' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '\n'); }
    void lineBreak() {
        take('\r');
        if (take('\n'))
            ++m_line;
    }
    void fault(CsvRecord& record, std::string what) const {
        if (record.fault.empty())
            record.fault = "line " + std::to_string(m_line) + ": " + std::move(what);
    }

    std::string field(CsvRecord& record) {
        if (take('"'))
            return quoted(record);
        std::string value;
        for (; !done() && peek() != m_separator && !atLineBreak(); ++m_at) {
            if (peek() == '"')
                fault(record, "a quote inside of a field that is not quoted");
            value += peek();
        }
        return value;
    }
    std::string quoted(CsvRecord& record) {
        std::string value;
        const int begin = m_line;
        while (!done()) {
            if (take('"')) {
                if (!take('"')) {
                    while (!done() && peek() != m_separator && !atLineBreak()) {
                        fault(record, "text after the closing quote of a field");
                        ++m_at;
                    }
                    return value;
                }
                value += '"';
                continue;
            }
            if (peek() == '\n')
                ++m_line;
            value += peek();
            ++m_at;
        }
        fault(record, "a quote that opens in line " + std::to_string(begin) + " is not closed");
        return value;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    char m_separator = ',';
};

} // namespace

Expected<CsvTable> parseCsv(std::string_view text, std::string_view file) {
    CsvTable table;
    table.file = file;
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return fail({table.file, "text in UTF-8", "UTF-16", "The table is in an encoding that is not read"});
    std::string withLineFeeds;
    if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) { // lines end as on old Macs
        withLineFeeds = text;
        std::replace(withLineFeeds.begin(), withLineFeeds.end(), '\r', '\n');
        text = withLineFeeds;
    }
    CsvReader reader(text);
    while (!reader.done()) {
        CsvRecord record = reader.next();
        if (record.fields.empty())
            continue;
        if (table.header.empty()) {
            const std::string where = table.file + ": line " + std::to_string(record.line);
            if (!record.fault.empty())
                return fail({where, "a header with the names of the columns", record.fault, "The header of the table cannot be read"});
            if (record.fields.size() < 2 || text.find('\0') != std::string_view::npos)
                return fail({where, "names of columns, parted by commas", record.fields.front().substr(0, 40), "This is not a table of comma-separated values"});
            table.header = std::move(record.fields);
            continue;
        }
        if (record.fault.empty() && record.fields.size() != table.header.size())
            record.fault = "line " + std::to_string(record.line) + ": " + std::to_string(record.fields.size()) +
                " fields, the header has " + std::to_string(table.header.size());
        table.records.push_back(std::move(record));
    }
    if (table.header.empty())
        return fail({table.file, "a header with the names of the columns", "nothing", "The table is empty"});
    return table;
}

std::string csvQuoted(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace cw
