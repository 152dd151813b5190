// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/line_row.h"

#include "views/widgets/checked_edit.h"
#include "views/widgets/scrub_label.h"

namespace cw {

LineRow::LineRow(FormHost& host, QWidget* parent)
    : FieldRow(host, parent)
    , m_edit(new CheckedEdit(this)) {
    m_scrubLabel = arrange(m_edit);
    m_edit->setCheck([this](const QString& text) {
        const Expected<FieldValue> value = readValue(m_field.spec, text);
        if (value)
            return QString();
        const Error& error = value.error();
        QString message = QString::fromStdString(error.message);
        if (!error.expected.empty() && !message.contains(QString::fromStdString(error.expected)))
            message += QLatin1Char(' ') + tr("Expected: %1.").arg(QString::fromStdString(error.expected));
        return message;
    });
    connect(m_edit, &CheckedEdit::typed, this, [this](const QString& text) { preview(*readValue(m_field.spec, text)); });
    connect(m_edit, &CheckedEdit::rejected, this, &LineRow::endPreview);
    connect(m_edit, &CheckedEdit::abandoned, this, &LineRow::endPreview);
    connect(m_edit, &CheckedEdit::committed, this, [this](const QString& text) {
        apply(*readValue(m_field.spec, text)); // a no-op leaves nothing on the stack
    });
    connect(m_edit, &CheckedEdit::nudged, this, &LineRow::nudge);
    connect(m_scrubLabel, &ScrubLabel::scrubbed, this, &LineRow::scrub);
    connect(m_scrubLabel, &ScrubLabel::scrubFinished, this, &LineRow::finishScrub);
    connect(m_scrubLabel, &ScrubLabel::scrubCancelled, this, [this] {
        m_scrubFrom.reset();
        m_scrubTo.reset();
        endPreview();
    });
}

void LineRow::commit() { m_edit->commit(); }
QWidget* LineRow::editor() const { return m_edit; }

std::optional<double> LineRow::number() const {
    const auto* value = std::get_if<double>(&m_field.value);
    return value && !m_field.mixed ? std::optional(*value) : std::nullopt;
}

bool LineRow::scrubs() const {
    return m_field.spec.kind == FieldKind::number && m_field.spec.scrub && m_field.edit && (number() || m_scrubFrom);
}

void LineRow::refresh() {
    const FieldSpec& spec = m_field.spec;
    m_scrubLabel->setScrubbable(scrubs());
    m_edit->setReadOnly(!m_field.edit);
    m_edit->setPlaceholderText(m_field.mixed ? tr("mixed") : spec.unset);
    m_edit->setText(m_field.mixed ? QString() : editText(spec, m_field.value));
    m_edit->line()->setAccessibleName(spec.label);
    m_edit->line()->setToolTip(spec.help.isEmpty() ? m_edit->text() : spec.help);
}

void LineRow::scrub(double steps) {
    if (!m_scrubFrom)
        m_scrubFrom = number();
    if (!m_scrubFrom)
        return;
    const double value = nudgedNumber(m_field.spec, *m_scrubFrom, steps);
    if (m_scrubTo == value)
        return;
    m_scrubTo = value;
    preview(value);
    m_edit->setText(editText(m_field.spec, value));
}

void LineRow::finishScrub() {
    const std::optional<double> from = m_scrubFrom, to = m_scrubTo;
    m_scrubFrom.reset();
    m_scrubTo.reset();
    if (from && to && *from != *to)
        apply(*to);
    else
        endPreview();
}

void LineRow::nudge(int steps) {
    const std::optional<double> value = number();
    if (m_field.spec.kind != FieldKind::number || !value || !m_field.edit)
        return;
    apply(nudgedNumber(m_field.spec, *value, steps), "nudge");
}

} // namespace cw
