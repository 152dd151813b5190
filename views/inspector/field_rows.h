// SPDX-License-Identifier: GPL-3.0-or-later
//
// One widget a kind of field: label at the left, editor at the right, messages beneath. A row lives as long as the form keeps its shape and
// is shown a new FormField at every change. What is typed or scrubbed is previewed, what is finished becomes an edit. GUI thread.
#pragma once

#include "views/inspector/field.h"

#include <QWidget>

class QVBoxLayout;

namespace cw {

class Catalog;
class Document;
class ElidedLabel;
class ScrubLabel;

/// What rows need of their surroundings. Outlives them.
class FormHost {
public:
    virtual ~FormHost() = default;
    virtual Document& document() = 0;
    virtual const Catalog& catalog() const = 0;
    virtual void explain(const Figure& figure) = 0;
};

class FieldRow : public QWidget {
    Q_OBJECT
public:
    /// The row for the field's kind, already showing it.
    static FieldRow* make(const FormField& field, FormHost& host, QWidget* parent);

    /// New value, limits, placeholders; same key and kind.
    void setField(const FormField& field);
    const FormField& field() const { return m_field; }
    /// Finishes what the user has begun to type.
    virtual void commit() {}
    /// The widget that takes the focus.
    virtual QWidget* editor() const { return nullptr; }

protected:
    FieldRow(FormHost& host, QWidget* parent);
    virtual void refresh() = 0;

    /// Lays label and editor side by side (or the editor beneath), and returns the label.
    ScrubLabel* arrange(QWidget* editor, bool beneath = false);
    void preview(const FieldValue& value);
    void endPreview();
    /// Makes the edit; a refusal is told and nothing changes. Edits of the same field and elements with a merge key become one step.
    void apply(const FieldValue& value, const std::string& mergeKey = {});
    FormHost& host() const { return m_host; }
    FormField m_field;

private:
    FormHost& m_host;
    ScrubLabel* m_label = nullptr;
};

} // namespace cw
