// SPDX-License-Identifier: GPL-3.0-or-later
//
// The palette as a flat list: headings of groups and their parts, or the hits of a search, best first. Rows refer to the entries of its own
// copy of the catalog. GUI thread.
#pragma once

#include "model/catalog/catalog.h"
#include "views/parts/part_library.h"

#include <QAbstractListModel>

#include <vector>

namespace cw {

inline const QString partMimeType = QStringLiteral("application/x-clusterwright-part");

class PartsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { PartIdRole = Qt::UserRole, HeadingRole, FiguresRole, PriceRole, EstimatedRole, FavouriteRole, OwnRole, OpenRole };

    /// Without a library: no favourites and recents, every group open (for choosers).
    explicit PartsModel(PartLibrary* library = nullptr, QObject* parent = nullptr);

    void setCatalog(Catalog catalog);
    const Catalog& catalog() const { return m_catalog; }
    /// Only parts of these kinds (kindName()); empty: what a palette shows, frames included.
    void setKinds(std::vector<std::string> kinds);
    void setQuery(const QString& query);
    const QString& query() const { return m_query; }
    int hitCount() const; ///< rows that are parts or frames

    const Part* partAt(const QModelIndex& index) const; ///< null: heading or frame
    std::optional<PartGroup> headingAt(const QModelIndex& index) const;
    QModelIndex firstPart() const;
    QModelIndex indexOf(const PartId& part) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override { return {partMimeType, QStringLiteral("text/plain")}; }
    QMimeData* mimeData(const QModelIndexList& indexes) const override;

private:
    struct Row {
        PartGroup group = PartGroup::own;
        const Catalog::Entry* entry = nullptr;
        std::optional<FrameKind> frame;
        bool isHeading() const { return !entry && !frame; }
    };
    void rebuild();
    void addGroups();
    void addHits();
    void addGroup(PartGroup group, const std::vector<Row>& rows);
    bool wanted(const Part& part) const;
    QVariant headingData(const Row& row, int role) const;
    QVariant frameData(const Row& row, int role) const;
    QVariant partData(const Row& row, int role) const;

    PartLibrary* m_library;
    Catalog m_catalog;
    std::vector<std::string> m_kinds;
    QString m_query;
    std::vector<Row> m_rows;
};

} // namespace cw
