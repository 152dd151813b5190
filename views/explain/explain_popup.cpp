// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/explain/explain_popup.h"

#include "views/explain/explain_delegate.h"
#include "views/explain/explain_model.h"
#include "views/explain/explain_text.h"
#include "views/text/quantity_text.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"
#include "views/widgets/style_class.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QTreeView>
#include <QVBoxLayout>

namespace cw {

namespace {

constexpr int valueWidth = 150;
/// A derivation is a graph; opened as a tree it may repeat itself without end in sight.
constexpr int expandedRows = 600;

} // namespace

ExplainPopup::ExplainPopup(QWidget* parent)
    : QDialog(parent, Qt::Tool)
    , m_model(new ExplainModel(this))
    , m_name(new QLabel(this))
    , m_value(new QLabel(this))
    , m_where(new QLabel(this))
    , m_tree(new QTreeView(this)) {
    setObjectName(QStringLiteral("explain"));
    setWindowTitle(tr("How this figure comes about"));
    resize(540, 440);
    m_name->setFont(textFont(TextRole::title));
    m_value->setFont(textFont(TextRole::figure));
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QLabel* label : {m_name, m_value, m_where})
        label->setTextFormat(Qt::PlainText);
    setStyleClass(m_where, "muted");
    m_where->setWordWrap(true);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new ExplainDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(ExplainModel::NameColumn, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(ExplainModel::ValueColumn, QHeaderView::Fixed);
    m_tree->header()->resizeSection(ExplainModel::ValueColumn, valueWidth);
    m_tree->setIndentation(16);
    m_tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setAccessibleName(windowTitle());

    auto* copyButton = new QPushButton(icon(Icon::copy), tr("Copy as text"), this);
    auto* expandButton = new QPushButton(tr("Open to the facts"), this);
    auto* closeButton = new QPushButton(tr("Close"), this);
    for (QPushButton* button : {copyButton, expandButton, closeButton})
        button->setAutoDefault(false);
    connect(copyButton, &QPushButton::clicked, this, &ExplainPopup::copy);
    connect(expandButton, &QPushButton::clicked, this, &ExplainPopup::expandToFacts);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    auto* copyAction = new QAction(this); // an action, because the tree would take the key for the text of one cell
    copyAction->setShortcut(QKeySequence::Copy);
    connect(copyAction, &QAction::triggered, this, &ExplainPopup::copy);
    addAction(copyAction);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(copyButton);
    buttons->addWidget(expandButton);
    buttons->addStretch();
    buttons->addWidget(closeButton);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(4);
    layout->addWidget(m_name);
    layout->addWidget(m_value);
    layout->addWidget(m_where);
    layout->addWidget(m_tree, 1);
    layout->addLayout(buttons);
}

void ExplainPopup::setEstimates(std::shared_ptr<const EstimateSet> estimates) {
    m_estimates = std::move(estimates);
    if (isVisible())
        refresh();
}

void ExplainPopup::explain(const Figure& figure, const QPoint& near) {
    m_figure = figure;
    m_model->show(nullptr, noTerm);
    refresh();
    m_tree->expandToDepth(0);
    if (!near.isNull()) {
        const QScreen* on = QGuiApplication::screenAt(near);
        const QRect room = (on ? on : screen())->availableGeometry();
        move(std::clamp(near.x(), room.left(), std::max(room.left(), room.right() - width())),
             std::clamp(near.y(), room.top(), std::max(room.top(), room.bottom() - height())));
    }
    show();
    raise();
    activateWindow();
    m_tree->setFocus();
    m_tree->setCurrentIndex(m_model->index(0, 0));
}

void ExplainPopup::refresh() {
    std::shared_ptr<const AlternativeEstimate> estimate;
    if (m_estimates)
        for (const auto& candidate : m_estimates->alternatives)
            if (candidate && candidate->id == m_figure.alternative)
                estimate = candidate;
    const std::optional<Quantity> quantity = estimate && m_figure.find ? m_figure.find(*estimate) : std::nullopt;
    m_name->setText(m_figure.name);
    m_where->setText(estimate ? QString::fromStdString(estimate->name) : QString());
    m_value->setText(quantity ? quantityText(*quantity) : tr("does not apply here"));
    if (quantity) {
        if (const QString range = rangeText(*quantity); !range.isEmpty())
            m_where->setText(m_where->text() + QStringLiteral(" · ") + tr("range %1").arg(range));
        if (quantity->term == noTerm)
            m_where->setText(m_where->text() + QStringLiteral(" · ") + tr("no derivation was recorded"));
    }
    m_model->show(estimate, quantity ? quantity->term : noTerm);
    if (!m_tree->currentIndex().isValid())
        m_tree->expandToDepth(0);
}

QString ExplainPopup::text() const {
    const AlternativeEstimate* estimate = m_model->estimate();
    return estimate ? explainText(estimate->derivation, m_model->root()) : QString();
}

void ExplainPopup::copy() const { QGuiApplication::clipboard()->setText(text()); }

void ExplainPopup::expandToFacts() {
    std::vector<QModelIndex> open{m_model->index(0, 0)};
    for (std::size_t i = 0; i < open.size() && open.size() < expandedRows; ++i) {
        m_tree->expand(open[i]);
        for (int row = 0; row < m_model->rowCount(open[i]); ++row)
            open.push_back(m_model->index(row, 0, open[i]));
    }
}

} // namespace cw
