// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/findings/findings_model.h"

#include "views/text/finding_text.h"

#include <algorithm>

namespace cw {

namespace {

bool sameRow(const Finding& a, const Finding& b) {
    return a.code == b.code && a.elements == b.elements && a.fixCode == b.fixCode;
}

} // namespace

void FindingsModel::setFindings(std::vector<Finding> findings) {
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return a.severity != b.severity ? a.severity < b.severity : a.weight > b.weight;
    });
    if (std::equal(findings.begin(), findings.end(), m_findings.begin(), m_findings.end(), sameRow)) {
        m_findings = std::move(findings); // figures in the sentences may differ
        if (!m_findings.empty())
            emit dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    m_findings = std::move(findings);
    endResetModel();
}

const Finding* FindingsModel::at(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return index.isValid() && row < m_findings.size() ? &m_findings[row] : nullptr;
}

std::array<int, 3> FindingsModel::counts() const {
    std::array<int, 3> counts{};
    for (const Finding& finding : m_findings)
        ++counts[static_cast<std::size_t>(finding.severity)];
    return counts;
}

int FindingsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_findings.size());
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const {
    const Finding* finding = at(index);
    if (!finding)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole:
        return findingTitle(*finding);
    case DetailRole:
        return findingDetail(*finding);
    case SeverityRole:
        return static_cast<int>(finding->severity);
    case FixRole:
        return fixLabel(*finding);
    case CodeRole:
        return QString::fromStdString(finding->code);
    case Qt::AccessibleTextRole:
        return severityName(finding->severity) + QStringLiteral(": ") + findingMessage(*finding);
    case Qt::ToolTipRole: {
        const QString fix = fixLabel(*finding);
        return findingMessage(*finding) + (fix.isEmpty() ? QString() : u'\n' + tr("Proposal: %1").arg(fix));
    }
    default:
        return {};
    }
}

} // namespace cw
