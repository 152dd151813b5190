// SPDX-License-Identifier: GPL-3.0-or-later
//
// Callers that give up after a while and ask again. What they gave up is still worked on, so every retry is load; near saturation that
// feeds itself, which is why a service with retries has a lower largest rate. Attempts are independent. Pure functions, thread-safe.
#pragma once

namespace cw {

struct Retries {
    double timeout = 0; ///< s; 0: callers wait
    int again = 0;      ///< times that they ask again

    bool any() const { return timeout > 0; }
    /// Attempts a request makes when each is given up with probability `late`: 1 + q + … + q^again.
    double attempts(double late) const;
    /// Share of requests that never get an answer: q^(again + 1).
    double failed(double late) const;

    /// Where the p-quantile of the whole request lies: after so many attempts in vain, at this level of the next one. Level 1: it is
    /// given up.
    struct Place {
        int inVain = 0;
        double level = 1;
    };
    Place place(double p, double late) const;
};

} // namespace cw
