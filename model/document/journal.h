// SPDX-License-Identifier: GPL-3.0-or-later
//
// A copy of the unsaved project in the user's data folder, for the case that the program dies. One journal a Document: a file and a lock
// that tells whether its process still lives. Writing happens on a thread of its own; the GUI thread only copies the project.
#pragma once

#include "model/design/project.h"

#include <QMutex>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <memory>

class QLockFile;

namespace cw {

class JournalFile {
public:
    /// `onProblem` is called on the thread of `context`, with an empty text once writing works again.
    JournalFile(QObject* context, std::function<void(const QString&)> onProblem);
    ~JournalFile();

    /// Starts writing a copy; a copy that waits to be written is replaced.
    void write(Project project, const QString& documentPath);
    /// Waits for what is being written; true when a journal lies there.
    bool flush();
    /// The changes are saved or gone: no journal any more, also none from a write under way.
    void remove();
    QString path() const { return m_path; }

    static QString folder();

    struct Content {
        QString title, path, when;
        QByteArray project;
    };
    static bool read(const QString& path, Content& content, bool headerOnly);
    /// False while the process that writes the journal lives.
    static bool isOrphan(const QString& journal);
    static void erase(const QString& journal);

private:
    void writeNow();

    QObject* m_context;
    std::function<void(const QString&)> m_onProblem;
    QString m_path;
    std::unique_ptr<QLockFile> m_lock;
    QMutex m_queue; ///< guards m_next and m_scheduled
    QMutex m_file;  ///< held while the file is written or removed
    struct Waiting {
        Project project;
        QString documentPath;
        quint64 generation;
    };
    std::unique_ptr<Waiting> m_next;
    bool m_scheduled = false;
    quint64 m_generation = 0; ///< changed on the owner's thread under m_file; a write of an older one is dropped
    QThreadPool m_pool;
};

} // namespace cw
