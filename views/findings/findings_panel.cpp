// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/findings/findings_panel.h"

#include "model/document/document.h"
#include "views/findings/finding_delegate.h"
#include "views/findings/findings_model.h"
#include "views/text/finding_text.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"
#include "views/widgets/style_class.h"
#include "views/widgets/toast.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QMouseEvent>
#include <QVBoxLayout>

namespace cw {

FindingsPanel::FindingsPanel(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_model(new FindingsModel(this))
    , m_delegate(new FindingDelegate(this))
    , m_summary(new QLabel(this))
    , m_nothing(new QLabel(tr("Nothing to report"), this))
    , m_list(new QListView(this)) {
    setStyleClass(m_summary, "muted");
    m_summary->setContentsMargins(10, 4, 8, 2);
    setStyleClass(m_nothing, "muted");
    m_nothing->setAlignment(Qt::AlignCenter);
    m_list->setModel(m_model);
    m_list->setItemDelegate(m_delegate);
    m_list->setAccessibleName(tr("Findings"));
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->setResizeMode(QListView::Adjust);
    setStyleClass(m_list, "flat");
    m_list->installEventFilter(this);
    m_list->viewport()->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 2, 2, 2);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addWidget(m_nothing, 1);
    layout->addWidget(m_list, 1);
    connect(m_list, &QListView::clicked, this, &FindingsPanel::activate);
    connect(m_list, &QListView::customContextMenuRequested, this, &FindingsPanel::showMenu);
    refresh();
}

void FindingsPanel::setEstimates(std::shared_ptr<const EstimateSet> estimates) {
    m_estimates = std::move(estimates);
    refresh();
}

void FindingsPanel::setAlternative(const AlternativeId& alternative) {
    m_alternative = alternative;
    refresh();
}

void FindingsPanel::refresh() {
    const AlternativeEstimate* estimate = m_estimates ? m_estimates->find(m_alternative) : nullptr;
    const std::array<int, 3> before = counts();
    m_model->setFindings(estimate ? estimate->findings : std::vector<Finding>());
    const bool empty = m_model->rowCount() == 0;
    m_summary->setText(summary());
    m_summary->setVisible(!empty);
    m_list->setVisible(!empty);
    m_nothing->setVisible(empty);
    if (counts() != before)
        emit countsChanged();
}

std::array<int, 3> FindingsPanel::counts() const { return m_model->counts(); }

QString FindingsPanel::summary() const {
    QStringList parts;
    const std::array<int, 3> counts = m_model->counts();
    for (const Severity severity : {Severity::error, Severity::warning, Severity::advice})
        if (const int count = counts[static_cast<std::size_t>(severity)])
            parts += severityCount(severity, count);
    return parts.isEmpty() ? m_nothing->text() : parts.join(QStringLiteral(" · "));
}

QRect FindingsPanel::fixRect(int row) const {
    const QModelIndex index = m_model->index(row);
    return m_delegate->fixRect(m_list->visualRect(index), index);
}

void FindingsPanel::activate(const QModelIndex& index) {
    const Finding* finding = m_model->at(index);
    if (finding && !finding->elements.empty())
        emit elementsActivated(finding->elements);
}

void FindingsPanel::applyFix(int row) {
    const Finding* finding = m_model->at(m_model->index(row));
    if (!finding || !finding->fix)
        return;
    const QString done = fixLabel(*finding);
    const Edit edit = *finding->fix; // the finding goes away with the next estimate
    QString reason;
    if (m_document.push(edit, &reason))
        Toast::post(this, tr("Done: %1").arg(done), tr("Undo"), [document = &m_document] { document->undoStack().undo(); });
    else
        Toast::post(this, tr("The design has changed since: %1").arg(reason));
}

QModelIndex FindingsPanel::fixAt(const QPoint& at) const {
    const QModelIndex index = m_list->indexAt(at);
    return index.isValid() && m_delegate->fixRect(m_list->visualRect(index), index).contains(at) ? index : QModelIndex();
}

bool FindingsPanel::handleMouse(QEvent* event) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QModelIndex fix = fixAt(mouse->pos());
    if (event->type() == QEvent::MouseMove) {
        m_delegate->setHot(fix);
        m_list->viewport()->setCursor(fix.isValid() ? Qt::PointingHandCursor : Qt::ArrowCursor);
        m_list->viewport()->update();
        return false;
    }
    if (mouse->button() != Qt::LeftButton || !fix.isValid())
        return false;
    if (event->type() == QEvent::MouseButtonRelease)
        applyFix(fix.row());
    return true; // the button is no click on the card
}

bool FindingsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_list->viewport() &&
        (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress ||
         event->type() == QEvent::MouseButtonRelease))
        return handleMouse(event);
    if (watched == m_list->viewport() && event->type() == QEvent::Resize)
        m_delegate->setWidth(m_list->viewport()->width());
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex current = m_list->currentIndex();
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (key->modifiers() & Qt::ControlModifier)
                applyFix(current.row());
            else
                activate(current);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FindingsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_delegate->setWidth(m_list->viewport()->width());
    m_list->doItemsLayout();
}

void FindingsPanel::showMenu(const QPoint& at) {
    const QModelIndex index = m_list->indexAt(at);
    const Finding* finding = m_model->at(index);
    if (!finding)
        return;
    QMenu menu(this);
    if (!finding->elements.empty())
        menu.addAction(icon(Icon::zoomSelection), tr("Show on the canvas"), this,
                       [this, elements = finding->elements] { emit elementsActivated(elements); });
    if (finding->fix)
        menu.addAction(icon(Icon::apply), fixLabel(*finding), this, [this, row = index.row()] { applyFix(row); });
    menu.addAction(icon(Icon::copy), tr("Copy text"), this,
                   [text = findingMessage(*finding)] { QGuiApplication::clipboard()->setText(text); });
    menu.exec(m_list->viewport()->mapToGlobal(at));
}

} // namespace cw
