// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/alternatives/alternative_tabs.h"

#include "views/plots/chart_data.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QTabBar>
#include <QToolButton>

namespace cw {

namespace {
std::string utf8(const QString& text) { return text.toStdString(); }
} // namespace

AlternativeTabs::AlternativeTabs(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_bar(new QTabBar), m_add(new QToolButton)
{
    m_bar->setObjectName(QStringLiteral("alternativeTabs"));
    m_bar->setMovable(true);
    m_bar->setExpanding(false);
    m_bar->setDrawBase(false);
    m_bar->setElideMode(Qt::ElideRight);
    m_bar->setUsesScrollButtons(true);
    m_bar->setContextMenuPolicy(Qt::CustomContextMenu);
    m_bar->setAccessibleName(tr("Alternatives"));
    m_bar->installEventFilter(this);
    m_add->setObjectName(QStringLiteral("addAlternative"));
    m_add->setText(QStringLiteral("+"));
    m_add->setAutoRaise(true);
    m_add->setToolTip(tr("New alternative: a copy of the current one, or an empty one"));
    m_add->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_add);
    menu->addAction(tr("Duplicate the current alternative"), this, &AlternativeTabs::duplicateCurrent);
    menu->addAction(tr("Empty alternative"), this, &AlternativeTabs::addAlternative);
    m_add->setMenu(menu);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_bar);
    layout->addWidget(m_add);
    layout->addStretch();

    connect(m_bar, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_refreshing && index >= 0)
            setCurrent(AlternativeId(utf8(m_bar->tabData(index).toString())));
    });
    connect(m_bar, &QTabBar::tabMoved, this, [this](int, int to) {
        if (m_refreshing)
            return;
        const AlternativeId id(utf8(m_bar->tabData(to).toString()));
        const int wanted = to;
        m_document.push(edits::moveAlternative(m_document.project(), id, wanted, utf8(tr("Reorder alternatives"))));
    });
    connect(m_bar, &QTabBar::customContextMenuRequested, this, &AlternativeTabs::showMenu);
    connect(&m_document, &Document::changed, this, [this](const Edit& edit) {
        for (const Change& change : edit.changes)
            if (change.ref.kind == ElementKind::alternative || change.ref.kind == ElementKind::baseline)
                return refresh();
    });
    connect(&m_document, &Document::resetDone, this, [this] {
        m_current = {};
        refresh();
    });
    refresh();
}

AlternativeId AlternativeTabs::current() const { return m_current; }

void AlternativeTabs::setCurrent(const AlternativeId& id)
{
    if (id == m_current || !m_document.project().findAlternative(id))
        return;
    m_current = id;
    refresh();
    emit currentChanged(m_current);
}

void AlternativeTabs::refresh()
{
    m_refreshing = true;
    const Project& project = m_document.project();
    const Alternative* baseline = project.baselineAlternative();
    while (m_bar->count() > static_cast<int>(project.alternatives.size()))
        m_bar->removeTab(m_bar->count() - 1);
    int index = 0, chosen = -1;
    for (const Alternative& alternative : project.alternatives) {
        if (index >= m_bar->count())
            m_bar->addTab(QString());
        const bool isBaseline = &alternative == baseline;
        const QString name = QString::fromStdString(alternative.name);
        QString shown = name;
        shown.replace(u'&', QStringLiteral("&&"));
        m_bar->setTabText(index, alternativeLetter(index) + QStringLiteral("  ") + shown + (isBaseline ? QStringLiteral("  ★") : QString()));
        m_bar->setTabToolTip(index, isBaseline ? tr("%1 (baseline: the others are compared with it)").arg(name) : name);
        m_bar->setTabData(index, QString::fromStdString(alternative.id.value));
        if (alternative.id == m_current)
            chosen = index;
        ++index;
    }
    const bool lost = chosen < 0;
    if (lost && index > 0) {
        chosen = std::min(std::max(0, m_bar->currentIndex()), index - 1);
        m_current = project.alternatives[static_cast<std::size_t>(chosen)].id;
    } else if (index == 0) {
        m_current = {};
    }
    m_bar->setCurrentIndex(chosen);
    m_refreshing = false;
    if (lost)
        emit currentChanged(m_current);
}

QString AlternativeTabs::freeAlternativeName(const QString& wish) const
{
    const auto taken = [&](const QString& name) {
        for (const Alternative& alternative : m_document.project().alternatives)
            if (alternative.name == utf8(name))
                return true;
        return false;
    };
    QString name = wish;
    for (int n = 2; taken(name); ++n)
        name = tr("%1 %2").arg(wish).arg(n);
    return name;
}

void AlternativeTabs::addAlternative()
{
    Alternative alternative;
    alternative.id = AlternativeId(freeId(m_document.project(), {}, "alternative"));
    alternative.name = utf8(freeAlternativeName(tr("New design")));
    const AlternativeId id = alternative.id;
    if (m_document.push(edits::insertAlternative(m_document.project(), std::move(alternative), utf8(tr("Add alternative")))))
        setCurrent(id);
}

void AlternativeTabs::duplicateCurrent()
{
    const Edit edit = edits::duplicateAlternative(m_document.project(), m_current, utf8(tr("Duplicate alternative")));
    if (!m_document.push(edit))
        return;
    for (const Change& change : edit.changes)
        if (change.ref.kind == ElementKind::alternative)
            return setCurrent(AlternativeId(change.ref.id));
}

void AlternativeTabs::renameCurrent()
{
    const Alternative* alternative = m_document.project().findAlternative(m_current);
    if (!alternative || m_editor)
        return;
    m_editor = new QLineEdit(QString::fromStdString(alternative->name), m_bar);
    m_editor->setObjectName(QStringLiteral("alternativeName"));
    const QRect tab = m_bar->tabRect(m_bar->currentIndex());
    m_editor->setGeometry(tab.adjusted(2, 2, std::max(0, 140 - tab.width()), -2));
    m_editor->selectAll();
    m_editor->installEventFilter(this);
    m_editor->show();
    m_editor->setFocus();
    connect(m_editor, &QLineEdit::editingFinished, this, [this] { finishRename(true); });
}

void AlternativeTabs::finishRename(bool keep)
{
    if (!m_editor)
        return;
    QLineEdit* editor = std::exchange(m_editor, nullptr);
    const QString name = editor->text().trimmed();
    editor->deleteLater();
    const Alternative* alternative = m_document.project().findAlternative(m_current);
    if (!keep || name.isEmpty() || !alternative)
        return;
    AlternativeHead head{utf8(name), alternative->notes, alternative->procurement};
    m_document.push(edits::set(m_document.project(), {ElementKind::alternative, {}, m_current.value}, head, utf8(tr("Rename alternative"))));
}

void AlternativeTabs::makeCurrentBaseline()
{
    m_document.push(edits::set(m_document.project(), {ElementKind::baseline, {}, {}}, m_current, utf8(tr("Set baseline"))));
}

void AlternativeTabs::removeCurrent()
{
    if (m_document.project().alternatives.size() > 1)
        m_document.push(edits::removeAlternative(m_document.project(), m_current, utf8(tr("Delete alternative"))));
}

void AlternativeTabs::showMenu(const QPoint& at)
{
    const int index = m_bar->tabAt(at);
    if (index >= 0)
        m_bar->setCurrentIndex(index);
    QMenu menu(this);
    menu.addAction(tr("Rename"), this, &AlternativeTabs::renameCurrent);
    menu.addAction(tr("Duplicate"), this, &AlternativeTabs::duplicateCurrent);
    menu.addAction(tr("Set as baseline"), this, &AlternativeTabs::makeCurrentBaseline);
    menu.addSeparator();
    QAction* remove = menu.addAction(tr("Delete"), this, &AlternativeTabs::removeCurrent);
    remove->setEnabled(m_document.project().alternatives.size() > 1);
    menu.exec(m_bar->mapToGlobal(at));
}

bool AlternativeTabs::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_bar && event->type() == QEvent::MouseButtonDblClick) {
        renameCurrent();
        return true;
    }
    if (watched == m_editor && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        finishRename(false);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace cw
