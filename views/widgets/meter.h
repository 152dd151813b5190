// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bar of how full something is, in the colour and hatching of its load band, with words beneath. GUI thread.
#pragma once

#include <QWidget>

namespace cw {

class Meter : public QWidget {
    Q_OBJECT
public:
    explicit Meter(QWidget* parent = nullptr);

    /// NaN share is unknown. `bad` overrides the band: it does not fit, whatever the share.
    void set(double share, const QString& words, bool bad = false);
    QString words() const { return m_words; }
    double share() const { return m_share; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_share = 0;
    bool m_bad = false;
    QString m_words;
};

} // namespace cw
