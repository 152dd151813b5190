// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shows a Form. As long as the form keeps its shape (sections, fields, actions), widgets stay and only values move, so that typing and
// scrubbing are never disturbed; else it is built anew, and what was being typed is finished first. Which sections are open is
// remembered by their key. GUI thread.
#pragma once

#include "views/inspector/field_rows.h"

#include <QScrollArea>

#include <map>

class QVBoxLayout;

namespace cw {

class SectionHeader;

class FormView : public QScrollArea {
    Q_OBJECT
public:
    explicit FormView(FormHost& host, QWidget* parent = nullptr);

    void setForm(Form form);
    /// Finishes what is being typed anywhere in the form.
    void commitPending();
    /// Moves the focus to a field, e.g. the name on F2. False when there is no such field.
    bool focusField(const std::string& section, const std::string& field);

private:
    struct Section {
        SectionHeader* header = nullptr;
        QWidget* body = nullptr;
        std::vector<FieldRow*> rows;
        std::vector<QWidget*> actions;
    };
    void rebuild();
    void refresh();
    Section addSection(const FormSection& section, QVBoxLayout* layout);
    void addActions(const FormSection& section, std::size_t index, Section& widgets, QVBoxLayout* layout);
    std::vector<std::string> shape() const;

    FormHost& m_host;
    Form m_form;
    std::vector<std::string> m_shape;
    std::vector<Section> m_sections;
    std::map<std::string, bool> m_open; ///< by section key, what the user chose
};

} // namespace cw
