// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/parts_model.h"

#include "views/text/names.h"
#include "views/theme/part_look.h"

#include <QMimeData>

#include <algorithm>
#include <array>

namespace cw {

namespace {

QString idOf(const Catalog::Entry& entry) { return QString::fromStdString(info(entry.part).id.value); }

} // namespace

PartsModel::PartsModel(PartLibrary* library, QObject* parent)
    : QAbstractListModel(parent)
    , m_library(library) {
    if (library)
        connect(library, &PartLibrary::changed, this, &PartsModel::rebuild);
}

void PartsModel::setCatalog(Catalog catalog) {
    m_catalog = std::move(catalog);
    rebuild();
}

void PartsModel::setKinds(std::vector<std::string> kinds) {
    m_kinds = std::move(kinds);
    rebuild();
}

void PartsModel::setQuery(const QString& query) {
    if (m_query == query.trimmed())
        return;
    m_query = query.trimmed();
    rebuild();
}

bool PartsModel::wanted(const Part& part) const {
    if (m_kinds.empty())
        return partGroup(part).has_value();
    return std::find(m_kinds.begin(), m_kinds.end(), kindName(part)) != m_kinds.end();
}

void PartsModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    if (m_query.isEmpty())
        addGroups();
    else
        addHits();
    endResetModel();
}

void PartsModel::addGroup(PartGroup group, const std::vector<Row>& rows) {
    if (rows.empty())
        return;
    m_rows.push_back({group, nullptr, std::nullopt});
    if (!m_library || m_library->isOpen(group))
        m_rows.insert(m_rows.end(), rows.begin(), rows.end());
}

void PartsModel::addGroups() {
    std::array<std::vector<Row>, partGroupCount> groups;
    const auto listOf = [&](PartGroup group) -> std::vector<Row>& { return groups[static_cast<std::size_t>(group)]; };
    for (const Catalog::Entry* entry : m_catalog.entries()) {
        if (!wanted(entry->part))
            continue;
        const std::optional<PartGroup> group = partGroup(entry->part);
        listOf(group.value_or(PartGroup::facility)).push_back({group.value_or(PartGroup::facility), entry, std::nullopt});
        if (m_kinds.empty() && entry->layer != CatalogLayer::shipped)
            listOf(PartGroup::own).push_back({PartGroup::own, entry, std::nullopt});
    }
    if (m_library) {
        const auto pick = [&](PartGroup group, const QStringList& ids) {
            for (const QString& id : ids)
                if (const Catalog::Entry* entry = m_catalog.findEntry(PartId(id.toStdString())); entry && wanted(entry->part))
                    listOf(group).push_back({group, entry, std::nullopt});
        };
        pick(PartGroup::favourites, m_library->favourites());
        pick(PartGroup::recent, m_library->recent());
    }
    if (m_kinds.empty())
        for (const FrameKind kind : frameKinds)
            listOf(PartGroup::racks).push_back({PartGroup::racks, nullptr, kind});
    for (int group = 0; group < partGroupCount; ++group)
        addGroup(static_cast<PartGroup>(group), groups[static_cast<std::size_t>(group)]);
}

void PartsModel::addHits() {
    for (const Catalog::Entry* entry : search(m_catalog, m_query.toStdString()))
        if (wanted(entry->part))
            m_rows.push_back({partGroup(entry->part).value_or(PartGroup::facility), entry, std::nullopt});
    if (!m_kinds.empty())
        return;
    for (const FrameKind kind : frameKinds)
        if (frameKindName(kind).contains(m_query, Qt::CaseInsensitive) || tr("frame").startsWith(m_query, Qt::CaseInsensitive))
            m_rows.push_back({PartGroup::racks, nullptr, kind});
}

int PartsModel::hitCount() const {
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return !row.isHeading(); }));
}

const Part* PartsModel::partAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= static_cast<int>(m_rows.size()))
        return nullptr;
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    return row.entry ? &row.entry->part : nullptr;
}

std::optional<PartGroup> PartsModel::headingAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= static_cast<int>(m_rows.size()))
        return std::nullopt;
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    return row.isHeading() ? std::optional(row.group) : std::nullopt;
}

QModelIndex PartsModel::firstPart() const {
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [](const Row& candidate) { return !candidate.isHeading(); });
    return row == m_rows.end() ? QModelIndex() : index(static_cast<int>(row - m_rows.begin()));
}

QModelIndex PartsModel::indexOf(const PartId& part) const {
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (m_rows[row].entry && info(m_rows[row].entry->part).id == part)
            return index(static_cast<int>(row));
    return {};
}

int PartsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

QVariant PartsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= static_cast<int>(m_rows.size()))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == HeadingRole)
        return row.isHeading();
    if (row.isHeading())
        return headingData(row, role);
    return row.entry ? partData(row, role) : frameData(row, role);
}

QVariant PartsModel::headingData(const Row& row, int role) const {
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return partGroupName(row.group);
    case OpenRole:
        return !m_library || m_library->isOpen(row.group);
    default:
        return {};
    }
}

QVariant PartsModel::frameData(const Row& row, int role) const {
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return frameKindName(*row.frame);
    case PartIdRole:
        return frameItemId(*row.frame);
    case FiguresRole:
        return tr("A named box around machines");
    case Qt::ToolTipRole:
        return tr("A frame around machines. Its kind sets latency and bandwidth of links that cross its border.");
    default:
        return {};
    }
}

QVariant PartsModel::partData(const Row& row, int role) const {
    const Part& part = row.entry->part;
    switch (role) {
    case Qt::DisplayRole:
        return partShortName(info(part));
    case Qt::AccessibleTextRole:
        return partShortName(info(part)) + QStringLiteral(", ") + partFacts(part, m_catalog);
    case Qt::ToolTipRole:
        return partToolTip(part, m_catalog);
    case PartIdRole:
        return idOf(*row.entry);
    case FiguresRole:
        return partFacts(part, m_catalog);
    case PriceRole:
        return partPrice(part);
    case EstimatedRole:
        return hasEstimatedKeyFacts(part);
    case FavouriteRole:
        return m_library && m_library->isFavourite(info(part).id);
    case OwnRole:
        return row.entry->layer != CatalogLayer::shipped;
    default:
        return {};
    }
}

Qt::ItemFlags PartsModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    if (headingAt(index))
        return Qt::ItemIsEnabled;
    const Part* part = partAt(index);
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (m_kinds.empty() && (!part || isPlaceable(*part)))
        flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QMimeData* PartsModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty() || headingAt(indexes.front()))
        return nullptr;
    const QString id = indexes.front().data(PartIdRole).toString();
    auto* mime = new QMimeData;
    mime->setData(partMimeType, id.toUtf8());
    mime->setText(id);
    return mime;
}

} // namespace cw
