// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/form_view.h"

#include "views/theme/icons.h"
#include "views/widgets/elided_label.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/section_header.h"
#include "views/widgets/style_class.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace cw {

FormView::FormView(FormHost& host, QWidget* parent)
    : QScrollArea(parent)
    , m_host(host) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
}

void FormView::setForm(Form form) {
    std::vector<std::string> before = std::move(m_shape);
    m_form = std::move(form);
    m_shape = shape();
    if (m_shape == before && widget())
        return refresh();
    // What is typed belongs to the old elements; the rows still hold their edits.
    commitPending();
    rebuild();
    refresh();
}

std::vector<std::string> FormView::shape() const {
    std::vector<std::string> result;
    for (const FormSection& section : m_form.sections) {
        result.push_back("section " + section.key + (section.intro.isEmpty() ? "" : " intro"));
        for (const FormField& field : section.fields)
            result.push_back(field.spec.key + " " + std::to_string(static_cast<int>(field.spec.kind)));
        for (const FormAction& action : section.actions)
            result.push_back("action " + action.key);
    }
    return result;
}

void FormView::commitPending() {
    for (const Section& section : m_sections)
        for (FieldRow* row : section.rows)
            row->commit();
}

bool FormView::focusField(const std::string& section, const std::string& field) {
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        if (m_form.sections[i].key != section)
            continue;
        for (FieldRow* row : m_sections[i].rows) {
            if (row->field().spec.key != field || !row->editor())
                continue;
            m_sections[i].header->setOpen(true);
            ensureWidgetVisible(row);
            row->editor()->setFocus(Qt::ShortcutFocusReason);
            return true;
        }
    }
    return false;
}

void FormView::rebuild() {
    const int scrolled = verticalScrollBar()->value();
    if (QWidget* old = takeWidget()) {
        old->hide();
        old->deleteLater(); // a signal of one of its editors may be running
    }
    m_sections.clear();
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(10, 4, 8, 10);
    layout->setSpacing(4);
    for (std::size_t i = 0; i < m_form.sections.size(); ++i) {
        m_sections.push_back(addSection(m_form.sections[i], layout));
        addActions(m_form.sections[i], i, m_sections.back(), static_cast<QVBoxLayout*>(m_sections.back().body->layout()));
    }
    layout->addStretch();
    setWidget(content);
    verticalScrollBar()->setValue(scrolled);
}

FormView::Section FormView::addSection(const FormSection& section, QVBoxLayout* layout) {
    Section widgets;
    QWidget* content = layout->parentWidget(); // without a parent, what is shown would be a window for a moment
    widgets.header = new SectionHeader(section.title, content);
    widgets.header->setVisible(!section.title.isEmpty());
    widgets.body = new QWidget(content);
    widgets.body->setObjectName(QString::fromStdString(section.key));
    auto* rows = new QVBoxLayout(widgets.body);
    rows->setContentsMargins(0, 0, 0, 6);
    rows->setSpacing(5);
    if (!section.intro.isEmpty()) {
        auto* intro = new QLabel(widgets.body);
        intro->setObjectName(QStringLiteral("intro"));
        intro->setWordWrap(true);
        intro->setTextFormat(Qt::PlainText);
        setStyleClass(intro, "muted");
        rows->addWidget(intro);
    }
    for (const FormField& field : section.fields) {
        widgets.rows.push_back(FieldRow::make(field, m_host, widgets.body));
        rows->addWidget(widgets.rows.back());
    }
    layout->addWidget(widgets.header);
    layout->addWidget(widgets.body);
    const auto chosen = m_open.find(section.key);
    const bool open = section.title.isEmpty() || (chosen == m_open.end() ? section.open : chosen->second);
    widgets.header->setOpen(open);
    widgets.body->setVisible(open);
    connect(widgets.header, &SectionHeader::toggled, this, [this, body = widgets.body, key = section.key](bool on) {
        m_open[key] = on;
        body->setVisible(on);
    });
    return widgets;
}

void FormView::addActions(const FormSection& section, std::size_t index, Section& widgets, QVBoxLayout* layout) {
    if (section.actions.empty())
        return;
    auto* area = new QWidget(widgets.body);
    auto* flow = new FlowLayout(area, 6);
    for (std::size_t i = 0; i < section.actions.size(); ++i) {
        auto* button = new QPushButton(area);
        button->setObjectName(QString::fromStdString(section.actions[i].key));
        setStyleClass(button, "chip");
        connect(button, &QPushButton::clicked, this, [this, index, i] {
            commitPending();
            const std::function<void()> run = m_form.sections[index].actions[i].run; // the form may change under it
            run();
        });
        flow->addWidget(button);
        widgets.actions.push_back(button);
    }
    layout->addWidget(area);
}

void FormView::refresh() {
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        const FormSection& section = m_form.sections[i];
        const Section& widgets = m_sections[i];
        widgets.header->setText(section.title);
        widgets.header->setNote(section.note);
        if (auto* intro = widgets.body->findChild<QLabel*>(QStringLiteral("intro"), Qt::FindDirectChildrenOnly))
            intro->setText(section.intro);
        for (std::size_t row = 0; row < widgets.rows.size(); ++row)
            widgets.rows[row]->setField(section.fields[row]);
        for (std::size_t action = 0; action < widgets.actions.size(); ++action) {
            auto* button = static_cast<QPushButton*>(widgets.actions[action]);
            button->setText(section.actions[action].text);
            button->setToolTip(section.actions[action].help);
        }
    }
}

} // namespace cw
