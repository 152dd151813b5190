// SPDX-License-Identifier: GPL-3.0-or-later
//
// A derivation as a tree: the figure at the root, its inputs beneath, opened lazily (a term may occur in many places). Keeps the estimate
// it shows alive. GUI thread.
#pragma once

#include "estimators/estimate.h"

#include <QAbstractItemModel>

#include <deque>
#include <memory>

namespace cw {

class ExplainModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { NameColumn, ValueColumn, ColumnCount };
    enum Role { EquationRole = Qt::UserRole, TrustRole, SourceRole, RangeRole, OriginRole, ProvenanceRole, TermRole };

    explicit ExplainModel(QObject* parent = nullptr);

    /// Shows this term. The estimate may be null: an empty tree. When the new tree has the shape of the old one, rows stay (and stay open).
    void show(std::shared_ptr<const AlternativeEstimate> estimate, TermId root);
    const AlternativeEstimate* estimate() const { return m_estimate.get(); }
    TermId root() const;
    TermId termAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& = {}) const override { return ColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Item {
        TermId term = noTerm;
        int row = 0;
        Item* parent = nullptr;
        bool filled = false;
        std::vector<Item*> children;
    };
    Item* itemAt(const QModelIndex& index) const;
    Item* add(TermId term, int row, Item* parent) const;
    void fill(Item& item) const;
    /// Moves opened items over to the terms of a new estimate; false when they do not match by name and number.
    bool retarget(Item& item, TermId term, const Derivation& before, const Derivation& after);
    void announce(const Item& item, const QModelIndex& index);
    QString toolTip(const Term& term) const;

    std::shared_ptr<const AlternativeEstimate> m_estimate;
    mutable std::deque<Item> m_items; ///< stable addresses; the first is the root
};

} // namespace cw
