// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/field_rows.h"

#include "model/document/document.h"
#include "views/inspector/editor_rows.h"
#include "views/widgets/scrub_label.h"
#include "views/widgets/style_class.h"
#include "views/widgets/toast.h"

#include <QHBoxLayout>

namespace cw {

namespace {

constexpr int labelWidth = 98;

} // namespace

FieldRow::FieldRow(FormHost& host, QWidget* parent)
    : QWidget(parent)
    , m_host(host) {}

FieldRow* FieldRow::make(const FormField& field, FormHost& host, QWidget* parent) {
    FieldRow* row = makeEditorRow(field, host, parent);
    row->setObjectName(QString::fromStdString(field.spec.key));
    row->setField(field);
    return row;
}

void FieldRow::setField(const FormField& field) {
    m_field = field;
    if (m_label) {
        m_label->setText(field.spec.label);
        m_label->setHelp(field.spec.help);
    }
    refresh();
}

ScrubLabel* FieldRow::arrange(QWidget* editor, bool beneath) {
    m_label = new ScrubLabel({}, this);
    setStyleClass(m_label, "muted");
    m_label->setBuddy(editor);
    auto* layout = new QBoxLayout(beneath ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight, this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(beneath ? 2 : 6);
    layout->addWidget(m_label, 0, beneath ? Qt::Alignment() : Qt::AlignTop);
    layout->addWidget(editor, 1);
    if (!beneath) {
        m_label->setFixedWidth(labelWidth);
        m_label->setMinimumHeight(26); // as high as a line edit, so that the words share its baseline
    }
    return m_label;
}

void FieldRow::preview(const FieldValue& value) {
    if (!m_field.edit)
        return;
    if (const Expected<Edit> edit = m_field.edit(value))
        m_host.document().setPreview(*edit);
}

void FieldRow::endPreview() { m_host.document().clearPreview(); }

void FieldRow::apply(const FieldValue& value, const std::string& mergeKey) {
    if (!m_field.edit)
        return;
    Document& document = m_host.document();
    Expected<Edit> edit = m_field.edit(value);
    if (!edit) {
        document.clearPreview();
        Toast::post(this, QString::fromStdString(edit.error().text()));
        return;
    }
    if (!mergeKey.empty()) {
        edit->mergeKey = mergeKey + '/' + m_field.spec.key;
        for (const Change& change : edit->changes)
            edit->mergeKey += '/' + change.ref.id;
    }
    QString reason;
    if (document.push(*edit, &reason))
        return;
    document.clearPreview();
    Toast::post(this, reason);
}

} // namespace cw
