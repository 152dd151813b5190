// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/start_page.h"

#include "app/user_files.h"
#include "views/theme/theme.h"
#include "views/widgets/style_class.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace cw {

namespace {

constexpr int notesRole = Qt::UserRole + 1;

/// Two lines: title, and what it is about.
class TwoLineDelegate : public QStyledItemDelegate {
  public:
    explicit TwoLineDelegate(QObject* parent) : QStyledItemDelegate(parent) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, 54}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& t = theme();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF card = QRectF(option.rect).adjusted(3, 3, -3, -3);
        const bool hot = option.state & (QStyle::State_MouseOver | QStyle::State_Selected);
        painter->setPen(QPen(hot ? t.accent : t.border, 1));
        painter->setBrush(hot ? t.selectionSoft : t.card);
        painter->drawRoundedRect(card, 5, 5);
        const QRect text = option.rect.adjusted(16, 7, -16, -7);
        painter->setPen(t.text);
        painter->setFont(textFont(TextRole::strong));
        const QRect first(text.left(), text.top(), text.width(), text.height() / 2);
        painter->drawText(first, Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, first.width()));
        painter->setPen(t.textMuted);
        painter->setFont(textFont(TextRole::small));
        const QRect second = first.translated(0, text.height() / 2);
        painter->drawText(second, Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(index.data(notesRole).toString(), Qt::ElideRight, second.width()));
        painter->restore();
    }
};

QListWidget* cardList(const QString& name, QWidget* parent)
{
    auto* list = new QListWidget(parent);
    list->setObjectName(name);
    list->setItemDelegate(new TwoLineDelegate(list));
    list->setFrameShape(QFrame::NoFrame);
    list->setMouseTracking(true);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setStyleSheet(QStringLiteral("QListWidget { background: transparent; border: none; }"));
    return list;
}

void addCard(QListWidget* list, const QString& title, const QString& notes, const QString& value)
{
    auto* item = new QListWidgetItem(title, list);
    item->setData(Qt::UserRole, value);
    item->setData(notesRole, notes);
    item->setToolTip(notes);
}

} // namespace

StartPage::StartPage(const std::vector<Example>& examples, QWidget* parent)
    : QWidget(parent), m_recent(cardList(QStringLiteral("recentFiles"), this)), m_examples(cardList(QStringLiteral("exampleList"), this))
{
    setObjectName(QStringLiteral("startPage"));
    auto* title = new QLabel(tr("Clusterwright"));
    title->setFont(textFont(TextRole::figure));
    auto* lead = new QLabel(tr("Draw a cluster and see at once what it does, what it costs and where it chokes."));
    lead->setWordWrap(true);
    auto* fresh = new QPushButton(tr("New project"));
    fresh->setObjectName(QStringLiteral("startNew"));
    setStyleClass(fresh, "primary");
    auto* open = new QPushButton(tr("Open …"));
    open->setObjectName(QStringLiteral("startOpen"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(fresh);
    buttons->addWidget(open);
    buttons->addStretch();
    const auto caption = [](const QString& text) {
        auto* label = new QLabel(text);
        label->setFont(textFont(TextRole::title));
        return label;
    };
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(48, 36, 48, 24);
    grid->setHorizontalSpacing(32);
    grid->setVerticalSpacing(10);
    grid->addWidget(title, 0, 0, 1, 2);
    grid->addWidget(lead, 1, 0, 1, 2);
    grid->addLayout(buttons, 2, 0, 1, 2);
    grid->addWidget(caption(tr("Examples")), 3, 0);
    grid->addWidget(caption(tr("Recent files")), 3, 1);
    grid->addWidget(m_examples, 4, 0);
    grid->addWidget(m_recent, 4, 1);
    grid->setColumnStretch(0, 3);
    grid->setColumnStretch(1, 2);
    grid->setRowStretch(4, 1);

    for (const Example& example : examples)
        addCard(m_examples, example.title, example.notes.section(u'\n', 0, 0), example.name);
    connect(fresh, &QPushButton::clicked, this, &StartPage::newProject);
    connect(open, &QPushButton::clicked, this, &StartPage::openFile);
    const auto chosen = [](const QListWidgetItem* item) { return item->data(Qt::UserRole).toString(); };
    connect(m_examples, &QListWidget::itemClicked, this, [this, chosen](const QListWidgetItem* item) { emit exampleChosen(chosen(item)); });
    connect(m_examples, &QListWidget::itemActivated, this, [this, chosen](const QListWidgetItem* item) { emit exampleChosen(chosen(item)); });
    connect(m_recent, &QListWidget::itemClicked, this, [this, chosen](const QListWidgetItem* item) {
        if (!chosen(item).isEmpty())
            emit fileChosen(chosen(item));
    });
}

void StartPage::setRecentFiles(const QStringList& paths)
{
    m_recent->clear();
    for (const QString& path : paths)
        addCard(m_recent, QFileInfo(path).fileName(), QFileInfo(path).absolutePath(), path);
    if (paths.isEmpty()) {
        addCard(m_recent, tr("No files yet"), tr("What you save or open appears here"), {});
        m_recent->item(0)->setFlags(Qt::NoItemFlags);
    }
}

} // namespace cw
