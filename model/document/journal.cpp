// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/document/journal.h"

#include "model/io/project_file.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QMutexLocker>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>

namespace cw {
namespace {

constexpr char journalEnding[] = ".journal";

QString lockOf(const QString& journal) { return journal.chopped(int(sizeof journalEnding) - 1) + QStringLiteral(".lock"); }

/// The first line says what the rest, a project file, is a copy of.
QByteArray headerLine(const Project& project, const QString& documentPath) {
    QJsonObject header;
    header["journal"] = 1;
    header["title"] = QString::fromStdString(project.meta.title);
    header["path"] = documentPath;
    header["when"] = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    return QJsonDocument(header).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace

QString JournalFile::folder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/clusterwright/recovery");
}

JournalFile::JournalFile(QObject* context, std::function<void(const QString&)> onProblem)
    : m_context(context)
    , m_onProblem(std::move(onProblem)) {
    m_path = folder() + '/' + QUuid::createUuid().toString(QUuid::WithoutBraces) + QLatin1String(journalEnding);
    m_pool.setMaxThreadCount(1);
}

JournalFile::~JournalFile() {
    remove();
    m_pool.waitForDone();
}

void JournalFile::write(Project project, const QString& documentPath) {
    QMutexLocker guard(&m_queue);
    m_next = std::make_unique<Waiting>(Waiting{std::move(project), documentPath, m_generation});
    if (m_scheduled)
        return;
    m_scheduled = true;
    m_pool.start([this] { writeNow(); });
}

void JournalFile::writeNow() {
    std::unique_ptr<Waiting> waiting;
    {
        QMutexLocker guard(&m_queue);
        waiting = std::move(m_next);
        m_scheduled = false;
    }
    if (!waiting)
        return;
    const QByteArray text =
        headerLine(waiting->project, waiting->documentPath) + QByteArray::fromStdString(writeProject(waiting->project));
    QMutexLocker file(&m_file);
    if (waiting->generation != m_generation)
        return;
    QString problem;
    QDir().mkpath(folder());
    if (!m_lock) {
        m_lock = std::make_unique<QLockFile>(lockOf(m_path));
        m_lock->setStaleLockTime(0); // a session may last for days
        if (!m_lock->tryLock(0))
            m_lock.reset();
    }
    QSaveFile out(m_path);
    if (!m_lock || !out.open(QIODevice::WriteOnly) || out.write(text) != text.size() || !out.commit())
        problem = out.errorString().isEmpty() ? folder() : folder() + QStringLiteral(": ") + out.errorString();
    QMetaObject::invokeMethod(m_context, [report = m_onProblem, problem] { report(problem); }, Qt::QueuedConnection);
}

bool JournalFile::flush() {
    m_pool.waitForDone();
    return QFile::exists(m_path);
}

void JournalFile::remove() {
    {
        QMutexLocker guard(&m_queue);
        m_next.reset();
    }
    QMutexLocker file(&m_file);
    ++m_generation;
    QFile::remove(m_path);
    m_lock.reset();
}

bool JournalFile::read(const QString& path, Content& content, bool headerOnly) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QJsonObject header = QJsonDocument::fromJson(file.readLine(1 << 20)).object();
    if (header["journal"].toInt() != 1)
        return false;
    content.title = header["title"].toString();
    content.path = header["path"].toString();
    content.when = header["when"].toString();
    if (!headerOnly)
        content.project = file.read(qint64(maxFileBytes) + 1);
    return true;
}

bool JournalFile::isOrphan(const QString& journal) {
    QLockFile lock(lockOf(journal));
    lock.setStaleLockTime(0);
    return lock.tryLock(0);
}

void JournalFile::erase(const QString& journal) {
    QFile::remove(journal);
    QFile::remove(lockOf(journal));
}

} // namespace cw
