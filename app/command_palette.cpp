// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_palette.h"

#include "views/theme/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace cw {

namespace {

constexpr int hintRole = Qt::UserRole + 1;

/// What an entry belongs to and its keys stand at the right.
class EntryDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index).expandedTo({0, option.fontMetrics.height() + 10});
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QString hint = index.data(hintRole).toString();
        QStyleOptionViewItem left = option;
        initStyleOption(&left, index);
        const int room = option.fontMetrics.horizontalAdvance(hint) + 24;
        left.text = option.fontMetrics.elidedText(left.text, Qt::ElideRight, option.rect.width() - room - (left.icon.isNull() ? 12 : 34));
        const QStyle* style = option.widget->style();
        style->drawControl(QStyle::CE_ItemViewItem, &left, painter, option.widget);
        painter->setFont(textFont(TextRole::small));
        painter->setPen(theme().textMuted);
        painter->drawText(option.rect.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter, hint);
    }
};

} // namespace

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, const QString& placeholder, QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), m_entries(std::move(entries)), m_query(new QLineEdit), m_list(new QListWidget)
{
    setObjectName(QStringLiteral("commandPalette"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    layout->addWidget(m_query);
    layout->addWidget(m_list);
    m_query->setPlaceholderText(placeholder);
    m_query->setClearButtonEnabled(true);
    m_query->installEventFilter(this);
    m_list->setUniformItemSizes(true);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Matches"));
    connect(m_query, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    resize(560, 380);
    if (parent) {
        const QPoint top = parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 70));
        move(top);
    }
    filter();
    m_query->setFocus();
}

int CommandPalette::score(const QString& query, const QString& text)
{
    int total = 1;
    for (const QString& word : query.split(u' ', Qt::SkipEmptyParts)) {
        const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0)
            return 0;
        const bool wordStart = at == 0 || !text[at - 1].isLetterOrNumber();
        total += (at == 0 ? 40 : wordStart ? 20 : 5) + static_cast<int>(word.size());
    }
    return total;
}

void CommandPalette::filter()
{
    struct Match {
        int score, index;
    };
    std::vector<Match> matches;
    const QString query = m_query->text();
    for (int i = 0; i < static_cast<int>(m_entries.size()); ++i) {
        const PaletteEntry& entry = m_entries[static_cast<std::size_t>(i)];
        if (const int points = std::max(score(query, entry.text), score(query, entry.text + u' ' + entry.group) - 10); points > 0)
            matches.push_back({points, i});
    }
    std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) { return a.score > b.score; });
    constexpr std::size_t most = 200;
    m_list->clear();
    for (std::size_t i = 0; i < std::min(matches.size(), most); ++i) {
        const PaletteEntry& entry = m_entries[static_cast<std::size_t>(matches[i].index)];
        auto* item = new QListWidgetItem(entry.icon, entry.text, m_list);
        item->setData(hintRole, entry.hint.isEmpty() ? entry.group : entry.group + QStringLiteral("   ") + entry.hint);
        item->setData(Qt::UserRole, matches[i].index);
    }
    if (matches.empty()) {
        auto* item = new QListWidgetItem(tr("Nothing matches \"%1\"").arg(query), m_list);
        item->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !item->data(Qt::UserRole).isValid())
        return;
    auto run = m_entries[static_cast<std::size_t>(item->data(Qt::UserRole).toInt())].run;
    close();
    // After the popup is gone, so that what runs gets the keyboard.
    QTimer::singleShot(0, parentWidget() ? static_cast<QObject*>(parentWidget()) : qApp, std::move(run));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_query && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int row = m_list->currentRow(), last = m_list->count() - 1;
        switch (key->key()) {
        case Qt::Key_Down: m_list->setCurrentRow(std::min(row + 1, last)); return true;
        case Qt::Key_Up: m_list->setCurrentRow(std::max(row - 1, 0)); return true;
        case Qt::Key_PageDown: m_list->setCurrentRow(std::min(row + 10, last)); return true;
        case Qt::Key_PageUp: m_list->setCurrentRow(std::max(row - 10, 0)); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: runCurrent(); return true;
        default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace cw
