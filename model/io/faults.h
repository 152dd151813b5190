// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the reader is in the file, and what it found wrong on the way. Owned by one read; the list of faults is cut where
// it stops to be of use to anybody.
#pragma once

#include "model/base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace cw::io {

class Faults {
public:
    static constexpr std::size_t most = 100;

    explicit Faults(std::string_view where)
        : m_where(where) {}

    void add(std::string expected, std::string found, std::string message);
    /// The list, with a last line that says how many were left out.
    std::vector<Error> take();
    bool empty() const { return m_count == 0; }
    std::string pointer() const;

    /// Goes down one key or index for as long as it lives.
    class Step {
    public:
        Step(Faults& faults, std::string_view key)
            : m_faults(faults) {
            m_faults.m_path.push_back({key, 0});
        }
        Step(Faults& faults, std::size_t index)
            : m_faults(faults) {
            m_faults.m_path.push_back({{}, index});
        }
        ~Step() { m_faults.m_path.pop_back(); }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

    private:
        Faults& m_faults;
    };

private:
    struct Segment {
        std::string_view key; ///< null data: the index
        std::size_t index;
    };
    std::string m_where;
    std::vector<Segment> m_path;
    std::vector<Error> m_errors;
    std::size_t m_count = 0;
};

} // namespace cw::io
