// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/checked_edit.h"

#include "views/widgets/style_class.h"

#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace cw {

CheckedEdit::CheckedEdit(QWidget* parent)
    : QWidget(parent)
    , m_line(new QLineEdit(this))
    , m_message(new QLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_line);
    layout->addWidget(m_message);
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    setStyleClass(m_message, "bad");
    m_message->hide();
    m_line->installEventFilter(this);
    setFocusProxy(m_line);
    connect(m_line, &QLineEdit::textEdited, this, [this] {
        m_pending = true;
        judge();
    });
    connect(m_line, &QLineEdit::editingFinished, this, &CheckedEdit::commit);
}

CheckedEdit::~CheckedEdit() {
    // Losing the focus by being destroyed is no end of editing.
    m_line->removeEventFilter(this);
    m_line->disconnect(this);
}

void CheckedEdit::setCheck(Check check) { m_check = std::move(check); }

void CheckedEdit::setText(const QString& text) {
    m_held = text;
    if (m_pending || m_line->text() == text)
        return;
    m_line->setText(text);
    m_line->setCursorPosition(0); // the beginning of a long name says more than its end
}

void CheckedEdit::setPlaceholderText(const QString& text) { m_line->setPlaceholderText(text); }
void CheckedEdit::setReadOnly(bool readOnly) { m_line->setReadOnly(readOnly); }
QString CheckedEdit::message() const { return m_message->text(); }

void CheckedEdit::judge() {
    const QString message = m_check ? m_check(m_line->text()) : QString();
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
    setStyleFlag(m_line, "invalid", !message.isEmpty());
    m_line->setAccessibleDescription(message);
    if (message.isEmpty())
        emit typed(m_line->text());
    else
        emit rejected();
}

void CheckedEdit::settle() {
    m_pending = false;
    m_message->clear();
    m_message->hide();
    setStyleFlag(m_line, "invalid", false);
    m_line->setAccessibleDescription({});
}

void CheckedEdit::commit() {
    if (!m_pending)
        return;
    if (m_check && !m_check(m_line->text()).isEmpty()) {
        if (m_line->hasFocus())
            return; // Enter on a wrong text: the message stays, so does the text
        return abandon();
    }
    settle();
    emit committed(m_line->text());
    if (!m_pending && m_line->text() != m_held)
        m_line->setText(m_held);
}

void CheckedEdit::abandon() {
    const bool pending = m_pending;
    settle();
    m_line->setText(m_held);
    if (pending)
        emit abandoned();
}

bool CheckedEdit::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_line)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && m_pending && m_check && !m_check(m_line->text()).isEmpty()) {
        // A popup (menu, tool tip, another window) takes the focus for a moment only.
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason)
            abandon();
    }
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && m_pending) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress && !m_line->isReadOnly()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && m_pending) {
            abandon();
            return true;
        }
        if ((key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) && !m_pending) {
            const int size = key->modifiers() & Qt::ControlModifier ? 10 : 1;
            emit nudged(key->key() == Qt::Key_Up ? size : -size);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace cw
