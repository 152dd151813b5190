// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opening, saving, exporting, recovering.
#include "app/main_window.h"

#include "app/preferences.h"
#include "app/user_files.h"
#include "model/io/project_file.h"
#include "views/alternatives/alternative_tabs.h"
#include "views/canvas/canvas_view.h"
#include "views/documents/export.h"
#include "views/headline/headline_strip.h"
#include "views/widgets/toast.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>

namespace cw {

namespace {

QString projectFilter() { return MainWindow::tr("Clusterwright projects (*.cluster.json);;All files (*)"); }

QString today() { return QDateTime::currentDateTimeUtc().toString(Qt::ISODate); }

} // namespace

void MainWindow::reportFailure(const QString& title, const QString& text)
{
    QMessageBox box(QMessageBox::Warning, title, text.section(u'\n', 0, 11), QMessageBox::Ok, this);
    if (text.count(u'\n') > 11)
        box.setDetailedText(text);
    box.exec();
}

bool MainWindow::keepChanges()
{
    if (!m_document->isModified())
        return true;
    const auto answer = QMessageBox::question(this, tr("Unsaved changes"), tr("Save the changes of this project first?"),
                                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void MainWindow::openProject(Project project)
{
    m_document->reset(std::move(project));
    showOpened();
}

/// After the document has become another project.
void MainWindow::showOpened()
{
    m_started = true;
    m_estimates.reset(); // those of the project before
    showPage();
    const Alternative* baseline = m_document->project().baselineAlternative();
    showAlternative(baseline ? baseline->id : AlternativeId());
    m_canvas->zoomToFit();
    updateTitle();
    m_firstLook = true;
}

void MainWindow::newProject()
{
    if (!keepChanges())
        return;
    Project project;
    project.meta.title = tr("New cluster").toStdString();
    project.meta.created = project.meta.modified = today().toStdString();
    Alternative alternative;
    alternative.id = AlternativeId("a");
    alternative.name = tr("First design").toStdString();
    project.alternatives.push_back(std::move(alternative));
    openProject(std::move(project));
    m_canvas->setFocus();
}

bool MainWindow::openExample(const QString& name)
{
    if (!keepChanges())
        return false;
    for (const Example& example : shippedExamples())
        if (example.name == name) {
            ReadResult read = readProject(example.text, name.toStdString());
            if (!read.ok)
                return false; // a test keeps the shipped examples readable
            openProject(std::move(read.project));
            return true;
        }
    return false;
}

bool MainWindow::openFile(const QString& path)
{
    if (!keepChanges())
        return false;
    QString report;
    if (!m_document->open(path, &report)) {
        reportFailure(tr("Open"), report);
        return false;
    }
    preferences::addRecentFile(path);
    preferences::lastFolder.set(QFileInfo(path).absolutePath());
    showOpened();
    if (!report.isEmpty())
        Toast::post(m_canvas, report.section(u'\n', 0, 2));
    return true;
}

void MainWindow::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open project"), preferences::lastFolder.get(), projectFilter());
    if (!path.isEmpty())
        openFile(path);
}

bool MainWindow::save()
{
    if (m_document->path().isEmpty() || m_document->readOnly())
        return saveAs();
    if (m_document->changedOnDisk() &&
        QMessageBox::question(this, tr("Save"), tr("%1 was changed by another program since it was opened. Overwrite it? A backup of it is kept.").arg(m_document->path()),
                              QMessageBox::Save | QMessageBox::Cancel) != QMessageBox::Save)
        return false;
    QString reason;
    if (!m_document->save(&reason)) {
        reportFailure(tr("Save"), reason);
        return false;
    }
    preferences::addRecentFile(m_document->path());
    return true;
}

/// Where a project without a file would go, without ending: its title in the folder used last.
QString MainWindow::suggestedPath() const
{
    QString name = QString::fromStdString(m_document->project().meta.title).simplified();
    name.replace(QRegularExpression(QStringLiteral("[/\\\\:*?\"<>|]+")), QStringLiteral("-"));
    return preferences::lastFolder.get() + u'/' + (name.isEmpty() ? tr("cluster") : name);
}

bool MainWindow::saveAs()
{
    const QString suggestion = m_document->path().isEmpty() ? suggestedPath() + QStringLiteral(".cluster.json") : m_document->path();
    QString path = QFileDialog::getSaveFileName(this, tr("Save project as"), suggestion, projectFilter());
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".cluster.json");
    QString reason;
    if (!m_document->saveAs(path, &reason)) {
        reportFailure(tr("Save"), reason);
        return false;
    }
    preferences::addRecentFile(path);
    preferences::lastFolder.set(QFileInfo(path).absolutePath());
    return true;
}

void MainWindow::exportAs(int kind, const QString& title)
{
    if (!m_estimates || m_estimates->alternatives.empty())
        return;
    ExportRequest request;
    request.kind = static_cast<DocumentKind>(kind);
    request.alternative = m_tabs->current();
    request.workload = m_headline->workload();
    QStringList filters;
    for (const QString& ending : endingsOf(request.kind))
        filters << QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending);
    QString chosen = filters.first();
    const QString base = m_document->path().isEmpty() ? suggestedPath() : QFileInfo(m_document->path()).absolutePath() + u'/' + QFileInfo(m_document->path()).baseName();
    request.path = QFileDialog::getSaveFileName(this, title, base + u'.' + endingsOf(request.kind).first(), filters.join(QStringLiteral(";;")), &chosen);
    if (request.path.isEmpty())
        return;
    if (QFileInfo(request.path).suffix().isEmpty())
        request.path += u'.' + endingsOf(request.kind).value(filters.indexOf(chosen));
    QApplication::setOverrideCursor(Qt::WaitCursor);
    const Expected<void> written = exportDocument(*m_estimates, request);
    QApplication::restoreOverrideCursor();
    if (written)
        Toast::post(m_canvas, tr("Wrote %1").arg(QFileInfo(request.path).fileName()));
    else
        reportFailure(title, QString::fromStdString(written.error().text()));
}

void MainWindow::offerRecovery()
{
    for (const Document::Recovery& recovery : Document::recoveries()) {
        const QString what = recovery.path.isEmpty() ? recovery.title : recovery.path;
        const QDateTime when = QDateTime::fromString(recovery.when, Qt::ISODate).toLocalTime();
        const QString time = when.isValid() ? locale().toString(when, QLocale::ShortFormat) : recovery.when;
        QMessageBox box(QMessageBox::Question, tr("Unsaved work found"),
                        tr("Clusterwright ended without saving “%1” (%2). Restore it?").arg(what, time), QMessageBox::NoButton, this);
        const QPushButton* restore = box.addButton(tr("Restore"), QMessageBox::AcceptRole);
        const QPushButton* discard = box.addButton(tr("Discard"), QMessageBox::DestructiveRole);
        box.setEscapeButton(box.addButton(tr("Later"), QMessageBox::RejectRole));
        box.exec();
        if (box.clickedButton() == discard)
            Document::discard(recovery);
        if (box.clickedButton() != restore)
            continue;
        QString reason;
        if (!m_document->recover(recovery, &reason)) {
            reportFailure(tr("Unsaved work found"), reason);
            continue;
        }
        showOpened();
        return; // one document a window; the others stay for the next start
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!keepChanges()) {
        event->ignore();
        return;
    }
    preferences::geometry.set(saveGeometry());
    if (m_started) // the start page hides the docks
        preferences::layout.set(saveState());
    m_document->reset(Project()); // a clean end leaves no journal
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1 && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    openFile(event->mimeData()->urls().first().toLocalFile());
}

} // namespace cw
