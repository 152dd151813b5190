// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/document/document.h"

#include "model/assert.h"
#include "model/document/journal.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QTimer>
#include <QUndoCommand>

namespace cw {

namespace {

/// Writes begin this long after the first change that is not in the journal yet.
constexpr int journalDelayMs = 1000;

QString text(const std::vector<Error>& errors) {
    QStringList lines;
    for (const Error& error : errors)
        lines << QString::fromStdString(error.text());
    return lines.join('\n');
}

bool giveReason(QString* reason, const QString& text) {
    if (reason)
        *reason = text;
    return false;
}

} // namespace

struct Document::Journal {
    explicit Journal(Document* document)
        : file(document, [this, document](const QString& said) {
            if (problem == said)
                return;
            problem = said;
            emit document->stateChanged();
        }) {
        timer.setSingleShot(true);
        timer.setInterval(journalDelayMs);
        QObject::connect(&timer, &QTimer::timeout, document,
                         [this, document] { file.write(document->m_project, document->m_path); });
    }
    void follow(const Document& document) {
        if (document.isModified() && !document.m_readOnly) {
            if (!timer.isActive())
                timer.start();
            return;
        }
        timer.stop();
        file.remove();
    }

    QString problem;
    QTimer timer;
    JournalFile file;
};

/// One step of the undo stack. It is made after its edit was applied, so the first redo() does nothing.
class Document::Command : public QUndoCommand {
public:
    Command(Document& document, Edit edit)
        : m_document(document)
        , m_edit(std::move(edit)) {
        setText(QString::fromStdString(m_edit.name));
    }

    void undo() override { m_document.applyAgain(inverse(m_edit)); }
    void redo() override {
        if (m_made)
            m_document.applyAgain(m_edit);
        m_made = true;
    }
    int id() const override { return m_edit.mergeKey.empty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const Edit& next = static_cast<const Command*>(other)->m_edit;
        if (next.mergeKey != m_edit.mergeKey)
            return false;
        m_edit = merged(m_edit, next);
        setText(QString::fromStdString(m_edit.name));
        setObsolete(m_edit.empty());
        return true;
    }

private:
    Document& m_document;
    Edit m_edit;
    bool m_made = false;
};

Document::Document(QObject* parent)
    : QObject(parent)
    , m_journal(std::make_unique<Journal>(this)) {
    connect(&m_stack, &QUndoStack::cleanChanged, this, [this] {
        m_journal->follow(*this);
        emit stateChanged();
    });
}

Document::~Document() {
    m_stack.disconnect(this);
    m_stack.clear();
}

bool Document::push(const Edit& edit, QString* reason) {
    const bool hadPreview = m_preview.has_value();
    m_preview.reset();
    const auto keepGoing = [&](bool done) {
        if (hadPreview) {
            ++m_revision;
            emit previewChanged();
        }
        return done;
    };
    Edit wanted = withoutNoOps(edit);
    if (wanted.empty())
        return keepGoing(true);
    if (m_readOnly)
        return keepGoing(giveReason(reason, tr("The project is open for reading only.")));
    auto made = applied(m_project, std::move(wanted));
    if (!made)
        return keepGoing(giveReason(reason, QString::fromStdString(made.error().text())));
    ++m_revision;
    m_stack.push(new Command(*this, *made));
    announce(*made, hadPreview);
    return true;
}

void Document::applyAgain(const Edit& edit) {
    const bool hadPreview = m_preview.has_value();
    m_preview.reset();
    const auto result = apply(m_project, edit);
    CW_ASSERT(result.has_value()); // the stack is the only way to change the project
    ++m_revision;
    announce(edit, hadPreview);
}

void Document::announce(const Edit& edit, bool hadPreview) {
    m_journal->follow(*this);
    emit changed(edit);
    if (hadPreview)
        emit previewChanged();
}

void Document::setPreview(const Edit& edit) {
    if (!m_preview) {
        m_preview = m_project; // once a gesture; then only the difference
    } else {
        const auto back = apply(*m_preview, inverse(m_previewEdit));
        CW_ASSERT(back.has_value());
    }
    auto shown = applied(*m_preview, edit);
    if (shown)
        m_previewEdit = std::move(*shown);
    else
        m_preview.reset(); // made for another project: nothing to show
    ++m_revision;
    emit previewChanged();
}

void Document::clearPreview() {
    if (!m_preview)
        return;
    m_preview.reset();
    ++m_revision;
    emit previewChanged();
}

void Document::reset(Project project, const QString& path, bool readOnly) {
    m_preview.reset();
    m_project = std::move(project);
    m_path = path;
    m_readOnly = readOnly;
    m_disk = path.isEmpty() ? DiskState{} : diskState(path, true);
    ++m_revision;
    m_stack.clear();
    m_stack.setClean();
    m_journal->follow(*this);
    emit resetDone();
    emit stateChanged();
}

bool Document::open(const QString& path, QString* report) {
    ReadResult result = readProjectFile(path.toStdString());
    if (!result.ok)
        return giveReason(report, text(result.errors));
    if (report)
        *report = text(result.warnings);
    reset(std::move(result.project), path, result.readOnly);
    return true;
}

bool Document::save(QString* reason) {
    if (m_path.isEmpty())
        return giveReason(reason, tr("The project has no file yet."));
    if (m_readOnly)
        return giveReason(reason, tr("The project is open for reading only."));
    return writeTo(m_path, reason);
}

bool Document::saveAs(const QString& path, QString* reason) {
    if (!writeTo(path, reason))
        return false;
    m_path = path;
    emit stateChanged();
    return true;
}

bool Document::writeTo(const QString& path, QString* reason) {
    const QByteArray bytes = QByteArray::fromStdString(writeProject(m_project));
    const auto stop = [&](const QFileDevice& file) {
        return giveReason(reason, tr("%1: %2").arg(file.fileName(), file.errorString()));
    };
    if (const QFileInfo target(path); target.exists() && !target.isFile()) // a device or a pipe would be replaced
        return giveReason(reason, tr("%1: something other than a file has this name").arg(path));
    QSaveFile out(path);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.flush())
        return stop(out);
    // The new text lies safely beside the old: now keep the old one, then put the new one in its place.
    QFile old(path);
    if (old.exists()) {
        QSaveFile backup(path + '~');
        if (!old.open(QIODevice::ReadOnly))
            return stop(old);
        const QByteArray before = old.readAll();
        if (before != bytes && (!backup.open(QIODevice::WriteOnly) || backup.write(before) != before.size() || !backup.commit()))
            return stop(backup);
        old.close();
    }
    if (!out.commit())
        return stop(out);
    m_disk = diskState(path, true);
    m_stack.setClean();
    m_journal->follow(*this);
    emit stateChanged();
    return true;
}

Document::DiskState Document::diskState(const QString& path, bool withHash) {
    DiskState state;
    const QFileInfo info(path);
    if (!info.exists())
        return state;
    state.size = info.size();
    state.modified = info.lastModified().toMSecsSinceEpoch();
    QFile file(path);
    if (withHash && file.open(QIODevice::ReadOnly)) {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        hash.addData(&file);
        state.hash = hash.result();
    }
    return state;
}

bool Document::changedOnDisk() const {
    if (m_path.isEmpty() || m_disk.size < 0)
        return false;
    const DiskState now = diskState(m_path, false);
    if (now.size != m_disk.size)
        return true;
    return now.modified != m_disk.modified && diskState(m_path, true).hash != m_disk.hash;
}

QString Document::journalProblem() const { return m_journal->problem; }

QList<Document::Recovery> Document::recoveries() {
    QList<Recovery> list;
    const QDir folder(JournalFile::folder());
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.journal")}, QDir::Files, QDir::Time)) {
        JournalFile::Content content;
        if (JournalFile::isOrphan(info.filePath()) && JournalFile::read(info.filePath(), content, true))
            list.append({info.filePath(), content.title, content.path, content.when});
    }
    return list;
}

bool Document::recover(const Recovery& recovery, QString* reason) {
    JournalFile::Content content;
    if (!JournalFile::read(recovery.journal, content, false))
        return giveReason(reason, tr("%1 cannot be read.").arg(recovery.journal));
    ReadResult result = readProject(std::string_view(content.project.constData(), std::size_t(content.project.size())),
                                    recovery.journal.toStdString());
    if (!result.ok)
        return giveReason(reason, text(result.errors));
    reset(std::move(result.project), content.path);
    m_stack.resetClean(); // what was recovered is in no file yet
    m_journal->file.write(m_project, m_path);
    if (m_journal->file.flush()) // until then the old journal is all there is
        JournalFile::erase(recovery.journal);
    return true;
}

void Document::discard(const Recovery& recovery) { JournalFile::erase(recovery.journal); }

} // namespace cw
