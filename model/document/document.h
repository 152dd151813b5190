// SPDX-License-Identifier: GPL-3.0-or-later
//
// The open project: value, undo stack, preview, file, journal. GUI thread only. Views read project() or effective() and listen;
// only push() and undo/redo change it. Files are replaced in one step, with the version before kept as "name~". While there are unsaved
// changes, a copy lies in the journal folder, at most two seconds old; it goes when the changes are saved, undone or thrown away.
#pragma once

#include "model/edit/edit.h"
#include "model/io/project_file.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace cw {

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    const Project& project() const { return m_project; }
    /// The project with the running preview laid over it: what canvas and estimates show while something is dragged or scrubbed.
    const Project& effective() const { return m_preview ? *m_preview : m_project; }
    bool hasPreview() const { return m_preview.has_value(); }
    QUndoStack& undoStack() { return m_stack; }
    /// Counts up with every change of project() or effective().
    quint64 revision() const { return m_revision; }

    /// Makes the edit part of the project and of the undo stack. No-ops leave nothing behind. Ends a preview. False (and a reason) when
    /// the edit does not fit the project or the document is read-only.
    bool push(const Edit& edit, QString* reason = nullptr);
    /// Shows an edit without making it: replaced by the next preview, ended by push(), clearPreview() or any undo.
    void setPreview(const Edit& edit);
    void clearPreview();

    /// A new project in place of the open one; the undo stack is cleared.
    void reset(Project project, const QString& path = {}, bool readOnly = false);
    bool open(const QString& path, QString* report); ///< keeps the open project when it fails; report is for people
    bool save(QString* reason);
    bool saveAs(const QString& path, QString* reason);

    const QString& path() const { return m_path; }
    bool readOnly() const { return m_readOnly; }
    bool isModified() const { return !m_stack.isClean(); }
    /// The file was changed by somebody else since it was read or written.
    bool changedOnDisk() const;

    /// Why the journal could not be written last time; empty when all is well. A change of it is a stateChanged().
    QString journalProblem() const;
    /// Journals of crashed sessions: file path of the journal, title, path of the document, time (ISO 8601, UTC). Newest first.
    struct Recovery {
        QString journal, title, path, when;
    };
    static QList<Recovery> recoveries();
    bool recover(const Recovery& recovery, QString* reason);
    static void discard(const Recovery& recovery);

signals:
    void changed(const cw::Edit& edit); ///< after push, undo, redo: the edit as applied
    void previewChanged();              ///< effective() differs from before without project() having changed
    void resetDone();                   ///< another project
    void stateChanged();                ///< path, modified, read-only

private:
    class Command;
    struct Journal;
    /// The file as it was when it was read or written.
    struct DiskState {
        qint64 size = -1;
        qint64 modified = 0; ///< ms since 1970
        QByteArray hash;
    };
    static DiskState diskState(const QString& path, bool withHash);
    void applyAgain(const Edit& edit);
    void announce(const Edit& edit, bool hadPreview);
    bool writeTo(const QString& path, QString* reason);

    Project m_project;
    std::optional<Project> m_preview;
    Edit m_previewEdit; ///< what m_preview has on top of m_project
    QUndoStack m_stack;
    QString m_path;
    DiskState m_disk;
    bool m_readOnly = false;
    quint64 m_revision = 0;
    std::unique_ptr<Journal> m_journal;
};

} // namespace cw
