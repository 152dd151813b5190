// SPDX-License-Identifier: GPL-3.0-or-later
//
// The heading of a section that opens and closes: chevron, title, and room for buttons at the right. GUI thread.
#pragma once

#include <QAbstractButton>

class QHBoxLayout;

namespace cw {

class SectionHeader : public QAbstractButton {
    Q_OBJECT
public:
    explicit SectionHeader(const QString& title, QWidget* parent = nullptr);

    void setCollapsible(bool collapsible);
    bool isOpen() const { return isChecked(); }
    void setOpen(bool open) { setChecked(open); }
    /// A short word at the right of the title, e.g. a count.
    void setNote(const QString& note);
    void addButton(QWidget* button);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_note;
    QHBoxLayout* m_buttons;
    bool m_collapsible = true;
};

} // namespace cw
