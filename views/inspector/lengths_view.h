// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long prompts and answers are, as two log-normal densities over a logarithmic axis of tokens: the spread that means and variations
// stand for, with median and p99 in the tool tip. Read-only. GUI thread.
#pragma once

#include "model/design/workload.h"

#include <QWidget>

namespace cw {

class LengthsView : public QWidget {
    Q_OBJECT
public:
    explicit LengthsView(QWidget* parent = nullptr);
    void setLengths(const Lengths& prompt, const Lengths& output);

    /// Quantile of the log-normal distribution of this mean and variation; p by standard deviations of the normal beneath.
    static double quantile(const Lengths& lengths, double deviations);

    QSize sizeHint() const override { return {170, 74}; }
    QSize minimumSizeHint() const override { return {96, 74}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintOne(QPainter& painter, const QRectF& area, const Lengths& lengths, double most, const QColor& colour, bool dashed) const;
    Lengths m_prompt, m_output;
};

} // namespace cw
