// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/editor_rows.h"

#include "model/catalog/catalog.h"
#include "views/inspector/line_row.h"
#include "views/parts/part_chooser.h"
#include "views/theme/theme.h"
#include "views/widgets/elided_label.h"
#include "views/widgets/meter.h"
#include "views/widgets/scrub_label.h"
#include "views/widgets/style_class.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QWheelEvent>

namespace cw {

namespace {

const std::string* textOf(const FieldValue& value) { return std::get_if<std::string>(&value); }

/// The wheel scrolls the form; it changes a choice only where the user went in.
class CalmComboBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus())
            QComboBox::wheelEvent(event);
        else
            event->ignore();
    }
};

class ChoiceRow : public FieldRow {
public:
    ChoiceRow(FormHost& host, QWidget* parent)
        : FieldRow(host, parent)
        , m_box(new CalmComboBox(this)) {
        m_box->setFocusPolicy(Qt::StrongFocus);
        m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_box->setMinimumContentsLength(4);
        arrange(m_box);
        connect(m_box, &QComboBox::activated, this, [this](int index) {
            const std::string key = m_box->itemData(index).toString().toStdString();
            apply(key.empty() && !m_field.spec.unset.isEmpty() ? FieldValue() : FieldValue(key));
        });
    }
    QWidget* editor() const override { return m_box; }

protected:
    void refresh() override {
        if (m_box->view()->isVisible())
            return; // not under the user's pointer
        fill();
        const std::string* key = textOf(m_field.value);
        const int index = m_field.mixed ? -1 : m_box->findData(QString::fromStdString(key ? *key : std::string()));
        if (index < 0 && !m_field.mixed && key) {
            m_box->addItem(tr("%1 (unknown)").arg(QString::fromStdString(*key)), QString::fromStdString(*key));
            m_box->setCurrentIndex(m_box->count() - 1);
        } else {
            m_box->setCurrentIndex(index);
        }
        m_box->setPlaceholderText(tr("mixed"));
        m_box->setEnabled(static_cast<bool>(m_field.edit));
        m_box->setToolTip(m_box->currentIndex() < 0 ? m_field.spec.help
                                                    : m_box->itemData(m_box->currentIndex(), Qt::ToolTipRole).toString());
        m_box->setAccessibleName(m_field.spec.label);
    }

private:
    void fill() {
        m_box->clear();
        if (!m_field.spec.unset.isEmpty())
            m_box->addItem(m_field.spec.unset, QString());
        for (const Choice& choice : m_field.spec.choices) {
            m_box->addItem(choice.text, QString::fromStdString(choice.key));
            m_box->setItemData(m_box->count() - 1, choice.help, Qt::ToolTipRole);
        }
    }
    QComboBox* m_box;
};

class FlagRow : public FieldRow {
public:
    FlagRow(FormHost& host, QWidget* parent)
        : FieldRow(host, parent)
        , m_check(new QCheckBox(this)) {
        arrange(m_check);
        connect(m_check, &QCheckBox::clicked, this, [this] { apply(m_check->checkState() == Qt::Unchecked ? 0.0 : 1.0); });
    }
    QWidget* editor() const override { return m_check; }

protected:
    void refresh() override {
        const auto* number = std::get_if<double>(&m_field.value);
        m_check->setTristate(m_field.mixed);
        m_check->setCheckState(m_field.mixed ? Qt::PartiallyChecked : number && *number != 0 ? Qt::Checked : Qt::Unchecked);
        m_check->setText(m_field.mixed ? tr("mixed") : m_check->isChecked() ? tr("yes") : tr("no"));
        m_check->setEnabled(static_cast<bool>(m_field.edit));
        m_check->setAccessibleName(m_field.spec.label);
        m_check->setToolTip(m_field.spec.help);
    }

private:
    QCheckBox* m_check;
};

class PartRow : public FieldRow {
public:
    PartRow(FormHost& host, QWidget* parent)
        : FieldRow(host, parent)
        , m_button(new QPushButton(this)) {
        setStyleClass(m_button, "field");
        m_button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        arrange(m_button);
        connect(m_button, &QPushButton::clicked, this, &PartRow::choose);
    }
    QWidget* editor() const override { return m_button; }

protected:
    void refresh() override {
        const std::string* id = textOf(m_field.value);
        const Part* part = id ? host().catalog().findPart(PartId(*id)) : nullptr;
        QString text = m_field.mixed ? tr("mixed") : m_field.spec.unset.isEmpty() ? tr("choose…") : m_field.spec.unset;
        if (!m_field.mixed && id)
            text = part ? QString::fromStdString(info(*part).name) : tr("%1 (unknown)").arg(QString::fromStdString(*id));
        m_full = text;
        m_button->setToolTip(m_field.spec.help.isEmpty() ? text : text + u'\n' + m_field.spec.help);
        m_button->setAccessibleName(m_field.spec.label + QStringLiteral(": ") + text);
        m_button->setEnabled(static_cast<bool>(m_field.edit));
        elide();
    }
    void resizeEvent(QResizeEvent* event) override {
        FieldRow::resizeEvent(event);
        elide();
    }

private:
    void elide() {
        m_button->setText(m_button->fontMetrics().elidedText(m_full, Qt::ElideRight, std::max(20, m_button->width() - 18)));
    }

    void choose() {
        const std::string* id = textOf(m_field.value);
        auto* chooser =
            new PartChooser(host().catalog(), m_field.spec.partKinds, PartId(id ? *id : std::string()), m_field.spec.unset, this);
        connect(chooser, &PartChooser::chosen, this,
                [this](const PartId& part) { apply(part.empty() ? FieldValue() : FieldValue(part.value)); });
        chooser->popUp(m_button);
    }

    QPushButton* m_button;
    QString m_full;
};

class LongTextRow : public FieldRow {
public:
    LongTextRow(FormHost& host, QWidget* parent)
        : FieldRow(host, parent)
        , m_edit(new QPlainTextEdit(this)) {
        m_edit->setTabChangesFocus(true);
        m_edit->setFixedHeight(72);
        m_edit->installEventFilter(this);
        arrange(m_edit, true);
    }
    QWidget* editor() const override { return m_edit; }
    void commit() override {
        const std::string* held = textOf(m_field.value);
        const std::string typed = m_edit->toPlainText().toStdString();
        if (m_edit->document()->isModified() && (!held || *held != typed)) {
            m_edit->document()->setModified(false);
            apply(typed);
        }
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FocusOut)
            commit();
        return FieldRow::eventFilter(watched, event);
    }
    void refresh() override {
        const std::string* text = textOf(m_field.value);
        const QString shown = QString::fromStdString(text && !m_field.mixed ? *text : std::string());
        if (!m_edit->document()->isModified() && m_edit->toPlainText() != shown) {
            m_edit->setPlainText(shown);
            m_edit->document()->setModified(false);
        }
        m_edit->setPlaceholderText(m_field.mixed ? tr("mixed") : m_field.spec.unset);
        m_edit->setReadOnly(!m_field.edit);
        m_edit->setAccessibleName(m_field.spec.label);
    }

private:
    QPlainTextEdit* m_edit;
};

/// Words, and where there is a derivation a button that opens it.
class FigureRow : public FieldRow {
public:
    FigureRow(FormHost& host, QWidget* parent)
        : FieldRow(host, parent) {
        auto* area = new QWidget(this);
        auto* layout = new QHBoxLayout(area);
        layout->setContentsMargins(0, 4, 0, 3);
        layout->setSpacing(4);
        m_words = new ElidedLabel(area);
        m_badge = new ElidedLabel(area);
        setStyleClass(m_badge, "badge");
        m_badge->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
        layout->addWidget(m_words, 1);
        layout->addWidget(m_badge);
        arrange(area);
        m_words->installEventFilter(this);
    }
    QWidget* editor() const override { return opens() ? m_words : nullptr; }

protected:
    void refresh() override {
        static constexpr const char* classes[] = {"", "good", "warn", "bad", "muted"};
        m_words->setText(m_field.words);
        setStyleClass(m_words, classes[static_cast<int>(m_field.tone)]);
        const QString hint = m_field.open ? (m_field.openHint.isEmpty() ? tr("Click to go there.") : m_field.openHint)
            : opens()                     ? tr("Click to see how this is computed.")
                                          : QString();
        m_words->setHelp(joined(m_field.spec.help, hint));
        m_words->setCursor(opens() ? Qt::PointingHandCursor : Qt::ArrowCursor);
        m_words->setFocusPolicy(opens() ? Qt::TabFocus : Qt::NoFocus);
        m_words->setAccessibleName(m_field.spec.label + QStringLiteral(": ") + m_field.words);
        QFont font = m_words->font();
        font.setUnderline(m_field.open || (opens() && m_words->hasFocus()));
        m_words->setFont(font);
        m_badge->setText(m_field.badge);
        m_badge->setVisible(!m_field.badge.isEmpty());
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (!opens())
            return FieldRow::eventFilter(watched, event);
        const bool click = event->type() == QEvent::MouseButtonRelease;
        const bool key = event->type() == QEvent::KeyPress &&
            (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return || static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space);
        if (click || key) {
            if (m_field.open)
                std::function<void()>(m_field.open)(); // a copy: the form may change under it
            else
                host().explain(*m_field.figure);
            return true;
        }
        if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
            refresh();
        return FieldRow::eventFilter(watched, event);
    }

private:
    bool opens() const { return m_field.open || m_field.figure; }
    static QString joined(const QString& a, const QString& b) { return a.isEmpty() || b.isEmpty() ? a + b : a + u'\n' + b; }
    ElidedLabel* m_words;
    ElidedLabel* m_badge;
};

class MeterRow : public FieldRow {
public:
    MeterRow(FormHost& host, QWidget* parent)
        : FieldRow(host, parent)
        , m_meter(new Meter(this)) {
        arrange(m_meter, true);
    }

protected:
    void refresh() override { m_meter->set(m_field.share, m_field.words, m_field.tone == FigureTone::bad); }

private:
    Meter* m_meter;
};

class CustomRow : public FieldRow {
public:
    CustomRow(const FormField& field, FormHost& host, QWidget* parent)
        : FieldRow(host, parent)
        , m_widget(field.make(this)) {
        arrange(m_widget, true)->setVisible(!field.spec.label.isEmpty());
    }
    QWidget* editor() const override { return m_widget; }

protected:
    void refresh() override {
        if (m_field.update)
            m_field.update(m_widget);
    }

private:
    QWidget* m_widget;
};

} // namespace

FieldRow* makeEditorRow(const FormField& field, FormHost& host, QWidget* parent) {
    switch (field.spec.kind) {
    case FieldKind::text:
    case FieldKind::number:
        return new LineRow(host, parent);
    case FieldKind::longText:
        return new LongTextRow(host, parent);
    case FieldKind::choice:
        return new ChoiceRow(host, parent);
    case FieldKind::flag:
        return new FlagRow(host, parent);
    case FieldKind::part:
        return new PartRow(host, parent);
    case FieldKind::figure:
        return new FigureRow(host, parent);
    case FieldKind::meter:
        return new MeterRow(host, parent);
    case FieldKind::custom:
        return new CustomRow(field, host, parent);
    }
    return nullptr;
}

} // namespace cw
