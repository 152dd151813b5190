// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/toast.h"

#include "views/theme/theme.h"
#include "views/widgets/style_class.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

namespace cw {

namespace {

constexpr int shownForMs = 7000;

} // namespace

Toast::Toast(QWidget* window)
    : QFrame(window)
    , m_timer(new QTimer(this)) {
    setObjectName(QStringLiteral("toast"));
    setStyleClass(this, "card");
    setAttribute(Qt::WA_DeleteOnClose);
    m_timer->setSingleShot(true);
    m_timer->setInterval(shownForMs);
    connect(m_timer, &QTimer::timeout, this, &Toast::dismiss);
    window->installEventFilter(this);
}

Toast* Toast::post(QWidget* where, const QString& text, const QString& actionText, std::function<void()> action) {
    QWidget* window = where->window();
    for (Toast* old : window->findChildren<Toast*>(Qt::FindDirectChildrenOnly))
        old->dismiss();
    auto* toast = new Toast(window);
    auto* layout = new QHBoxLayout(toast);
    layout->setContentsMargins(12, 8, 8, 8);
    layout->setSpacing(10);
    auto* label = new QLabel(text, toast);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setMaximumWidth(420);
    layout->addWidget(label);
    if (action) {
        auto* button = new QPushButton(actionText, toast);
        setStyleClass(button, "chip");
        connect(button, &QPushButton::clicked, toast, [toast, run = std::move(action)] {
            toast->dismiss();
            run();
        });
        layout->addWidget(button);
    }
    auto* close = new QToolButton(toast);
    close->setText(QStringLiteral("✕"));
    close->setAccessibleName(tr("Dismiss"));
    close->setToolTip(tr("Dismiss"));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, toast, &Toast::dismiss);
    layout->addWidget(close);
    toast->setAccessibleName(text);
    toast->place();
    toast->show();
    toast->raise();
    toast->m_timer->start();
    return toast;
}

void Toast::dismiss() {
    setParent(nullptr); // gone for findChildren at once; deletion follows
    hide();
    deleteLater();
}

void Toast::place() {
    adjustSize();
    const QWidget* window = parentWidget();
    move((window->width() - width()) / 2, window->height() - height() - 28);
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    return QFrame::eventFilter(watched, event);
}

void Toast::enterEvent(QEnterEvent*) { m_timer->stop(); }
void Toast::leaveEvent(QEvent*) { m_timer->start(); }

} // namespace cw
