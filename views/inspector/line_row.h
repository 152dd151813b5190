// SPDX-License-Identifier: GPL-3.0-or-later
//
// The row of texts and numbers: checks while typing, previews what is valid, one undo step when finished; the label of a number scrubs it,
// Up and Down nudge it. GUI thread.
#pragma once

#include "views/inspector/field_rows.h"

namespace cw {

class CheckedEdit;

class LineRow : public FieldRow {
    Q_OBJECT
public:
    LineRow(FormHost& host, QWidget* parent);
    void commit() override;
    QWidget* editor() const override;

protected:
    void refresh() override;

private:
    void scrub(double steps);
    void finishScrub();
    void nudge(int steps);
    bool scrubs() const;
    std::optional<double> number() const;

    CheckedEdit* m_edit;
    ScrubLabel* m_scrubLabel;
    std::optional<double> m_scrubFrom, m_scrubTo;
};

} // namespace cw
