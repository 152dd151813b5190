// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several edits that belong together as one: each is made against the project as the ones before left it. Steps that do not fit make
// the whole invalid, with the reason.
#pragma once

#include "model/edit/edit.h"

#include <QString>

namespace cw {

class EditSteps {
public:
    explicit EditSteps(const Project& project)
        : m_project(project) {}

    /// The project after the steps so far.
    const Project& project() const { return m_project; }
    const Alternative* alternative(const AlternativeId& id) const { return m_project.findAlternative(id); }

    bool add(const Edit& edit) {
        if (!m_valid || edit.empty())
            return m_valid;
        if (const Expected<void> done = apply(m_project, edit); !done) {
            m_valid = false;
            m_reason = QString::fromStdString(done.error().message);
            return false;
        }
        m_edit = m_edit.empty() ? edit : merged(m_edit, edit);
        return true;
    }
    bool isValid() const { return m_valid; }
    const QString& reason() const { return m_reason; }

    Edit take(const QString& name, std::string mergeKey = {}) {
        m_edit.name = name.toStdString();
        m_edit.mergeKey = std::move(mergeKey);
        return m_valid ? withoutNoOps(std::move(m_edit)) : Edit{};
    }

private:
    Project m_project;
    Edit m_edit;
    bool m_valid = true;
    QString m_reason;
};

} // namespace cw
