// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/explain/explain_model.h"

#include "views/explain/explain_text.h"

#include <QStringList>

#include <cstring>

namespace cw {

ExplainModel::ExplainModel(QObject* parent)
    : QAbstractItemModel(parent) {}

void ExplainModel::show(std::shared_ptr<const AlternativeEstimate> estimate, TermId root) {
    if (m_estimate && estimate && !m_items.empty() && root != noTerm &&
        retarget(m_items.front(), root, m_estimate->derivation, estimate->derivation)) {
        m_estimate = std::move(estimate);
        announce(m_items.front(), index(0, 0));
        return;
    }
    beginResetModel();
    m_items.clear();
    m_estimate = std::move(estimate);
    if (m_estimate && root != noTerm && root < m_estimate->derivation.size())
        add(root, 0, nullptr);
    endResetModel();
}

TermId ExplainModel::root() const { return m_items.empty() ? noTerm : m_items.front().term; }

TermId ExplainModel::termAt(const QModelIndex& index) const { return index.isValid() ? itemAt(index)->term : noTerm; }

bool ExplainModel::retarget(Item& item, TermId term, const Derivation& before, const Derivation& after) {
    if (term >= after.size())
        return false;
    const Term& old = before.term(item.term);
    const Term& now = after.term(term);
    if (std::strcmp(old.name, now.name) != 0 || old.inputCount != now.inputCount)
        return false;
    const std::span<const TermId> inputs = after.inputs(term);
    for (Item* child : item.children)
        if (!retarget(*child, inputs[static_cast<std::size_t>(child->row)], before, after))
            return false;
    item.term = term;
    return true;
}

void ExplainModel::announce(const Item& item, const QModelIndex& at) {
    emit dataChanged(at, at.siblingAtColumn(ColumnCount - 1));
    for (const Item* child : item.children)
        announce(*child, index(child->row, 0, at));
}

ExplainModel::Item* ExplainModel::itemAt(const QModelIndex& index) const { return static_cast<Item*>(index.internalPointer()); }

ExplainModel::Item* ExplainModel::add(TermId term, int row, Item* parent) const {
    m_items.push_back({term, row, parent, false, {}});
    return &m_items.back();
}

void ExplainModel::fill(Item& item) const {
    if (item.filled)
        return;
    item.filled = true;
    int row = 0;
    for (const TermId input : m_estimate->derivation.inputs(item.term))
        item.children.push_back(add(input, row++, &item));
}

QModelIndex ExplainModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || column < 0 || column >= ColumnCount || m_items.empty())
        return {};
    if (!parent.isValid())
        return row == 0 ? createIndex(0, column, &m_items.front()) : QModelIndex();
    Item* item = itemAt(parent);
    fill(*item);
    return row < static_cast<int>(item->children.size()) ? createIndex(row, column, item->children[static_cast<std::size_t>(row)])
                                                         : QModelIndex();
}

QModelIndex ExplainModel::parent(const QModelIndex& index) const {
    Item* parent = index.isValid() ? itemAt(index)->parent : nullptr;
    return parent ? createIndex(parent->row, 0, parent) : QModelIndex();
}

int ExplainModel::rowCount(const QModelIndex& parent) const {
    if (m_items.empty() || parent.column() > 0)
        return 0;
    if (!parent.isValid())
        return 1;
    return static_cast<int>(m_estimate->derivation.term(itemAt(parent)->term).inputCount);
}

QString ExplainModel::toolTip(const Term& term) const {
    QStringList lines;
    if (isDerived(term) && *term.equation)
        lines += QString::fromUtf8(term.equation);
    if (const QString range = termRange(term); !range.isEmpty())
        lines += tr("Range: %1").arg(range);
    if (const QString trust = termTrust(term); !trust.isEmpty())
        lines += trust;
    if (const QString source = termSource(term); !source.isEmpty())
        lines += source;
    if (term.part)
        for (std::size_t i = 1; i < term.part->sources.size(); ++i)
            lines += QString::fromStdString(term.part->sources[i].title);
    return lines.join(u'\n');
}

QVariant ExplainModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Term& term = m_estimate->derivation.term(itemAt(index)->term);
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == NameColumn ? termName(term) : termValue(term);
    case Qt::ToolTipRole:
        return toolTip(term);
    case Qt::AccessibleTextRole:
        return termName(term) + QStringLiteral(" = ") + termValue(term);
    case Qt::TextAlignmentRole:
        return index.column() == ValueColumn ? QVariant(Qt::AlignRight | Qt::AlignTop) : QVariant();
    case EquationRole:
        return isDerived(term) ? QString::fromUtf8(term.equation) : QString();
    case TrustRole:
        return termTrust(term);
    case SourceRole:
        return termSource(term);
    case RangeRole:
        return termRange(term);
    case OriginRole:
        return static_cast<int>(term.origin);
    case ProvenanceRole:
        return static_cast<int>(term.provenance);
    case TermRole:
        return itemAt(index)->term;
    default:
        return {};
    }
}

QVariant ExplainModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Figure") : tr("Value");
}

} // namespace cw
