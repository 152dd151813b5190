// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happens next: a heap with four children a node, ordered by time. Equal times come out in an order that depends on the sequence of
// calls only. Belongs to one replication.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cw::simulation {

struct Event {
    double time = 0;
    std::uint32_t target = 0; ///< who is called
    std::uint32_t token = 0;  ///< what about
};

class EventQueue {
public:
    bool empty() const { return m_events.empty(); }
    const Event& top() const { return m_events.front(); }
    std::size_t size() const { return m_events.size(); }

    void push(const Event& event) {
        std::size_t at = m_events.size();
        m_events.push_back(event);
        while (at > 0) {
            const std::size_t parent = (at - 1) / 4;
            if (!(event.time < m_events[parent].time))
                break;
            m_events[at] = m_events[parent];
            at = parent;
        }
        m_events[at] = event;
    }

    void pop() {
        const Event last = m_events.back();
        m_events.pop_back();
        if (!m_events.empty())
            sink(0, last);
    }

    /// Takes all events of one target out; their tokens, earliest first.
    std::vector<std::uint32_t> extract(std::uint32_t target) {
        std::vector<Event> taken;
        std::erase_if(m_events, [&](const Event& event) {
            if (event.target == target)
                taken.push_back(event);
            return event.target == target;
        });
        for (std::size_t i = m_events.size(); i-- > 0;)
            sink(i, Event(m_events[i]));
        std::stable_sort(taken.begin(), taken.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
        std::vector<std::uint32_t> tokens;
        for (const Event& event : taken)
            tokens.push_back(event.token);
        return tokens;
    }

private:
    void sink(std::size_t at, const Event& event) {
        const std::size_t count = m_events.size();
        while (true) {
            const std::size_t first = 4 * at + 1;
            if (first >= count)
                break;
            std::size_t least = first;
            for (std::size_t child = first + 1; child < std::min(first + 4, count); ++child)
                least = m_events[child].time < m_events[least].time ? child : least;
            if (!(m_events[least].time < event.time))
                break;
            m_events[at] = m_events[least];
            at = least;
        }
        m_events[at] = event;
    }

    std::vector<Event> m_events;
};

} // namespace cw::simulation
