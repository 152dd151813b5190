// SPDX-License-Identifier: GPL-3.0-or-later
//
// A notice at the foot of a window that goes away by itself, with at most one action ("Undo"). Never modal. A new notice replaces the one
// before. The pointer over it keeps it there. GUI thread.
#pragma once

#include <QFrame>

#include <functional>

class QTimer;

namespace cw {

class Toast : public QFrame {
    Q_OBJECT
public:
    /// Shows over the window of `where`. The action is called at most once, and not after the notice has gone.
    static Toast* post(QWidget* where, const QString& text, const QString& actionText = {}, std::function<void()> action = {});

    void dismiss();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    explicit Toast(QWidget* window);
    void place();
    QTimer* m_timer;
};

} // namespace cw
