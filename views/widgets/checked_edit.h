// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line edit that checks what is typed at once: a red border and a message beneath say what is expected, and nothing is given on until the
// text is right. Text that the user has begun is not overwritten by setText(). Enter or leaving commits, Escape restores, Up and Down
// nudge. GUI thread.
#pragma once

#include <QLineEdit>
#include <QWidget>

#include <functional>

class QLabel;

namespace cw {

class CheckedEdit : public QWidget {
    Q_OBJECT
public:
    /// The message when the text cannot be used, empty when it can.
    using Check = std::function<QString(const QString&)>;

    explicit CheckedEdit(QWidget* parent = nullptr);
    ~CheckedEdit() override;

    void setCheck(Check check);
    /// What the owner holds. Kept back while the user is typing.
    void setText(const QString& text);
    void setPlaceholderText(const QString& text);
    void setReadOnly(bool readOnly);
    QString text() const { return m_line->text(); }
    QString message() const;
    bool isPending() const { return m_pending; } ///< typed, neither committed nor abandoned
    QLineEdit* line() const { return m_line; }

    /// As Enter does: gives a valid text on, restores an invalid one.
    void commit();
    void abandon();

signals:
    void typed(const QString& text); ///< valid text, not committed yet
    void rejected();                 ///< what stands there now cannot be used
    void committed(const QString& text);
    void abandoned();
    void nudged(int steps);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void judge();
    void settle();
    QLineEdit* m_line;
    QLabel* m_message;
    Check m_check;
    QString m_held; ///< what setText() said last
    bool m_pending = false;
};

} // namespace cw
