// SPDX-License-Identifier: GPL-3.0-or-later
//
// A one-line label that gives way: what does not fit ends in "…" and is told by the tool tip. GUI thread.
#pragma once

#include <QLabel>

namespace cw {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr)
        : ElidedLabel(QString(), parent) {}
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

    /// Shown after the text when everything fits is up to the caller; an own tool tip replaces the text that was cut off.
    void setHelp(const QString& help);
    void setElideMode(Qt::TextElideMode mode);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString m_help;
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

} // namespace cw
