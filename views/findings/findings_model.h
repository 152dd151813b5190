// SPDX-License-Identifier: GPL-3.0-or-later
//
// The findings of one alternative as a list, worst first: severity, then weight. GUI thread.
#pragma once

#include "model/checks/checks.h"

#include <QAbstractListModel>

#include <array>

namespace cw {

class FindingsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { SeverityRole = Qt::UserRole, TitleRole, DetailRole, FixRole, CodeRole };

    using QAbstractListModel::QAbstractListModel;

    /// Rows that say the same as before stay, so that selection and hovering survive a new estimate.
    void setFindings(std::vector<Finding> findings);
    const Finding* at(const QModelIndex& index) const;
    std::array<int, 3> counts() const; ///< by Severity

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<Finding> m_findings;
};

} // namespace cw
