// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every command of the window, in menu order.
#include "app/main_window.h"

#include "app/command_palette.h"
#include "app/command_set.h"
#include "app/preferences.h"
#include "model/version.h"
#include "views/alternatives/alternative_tabs.h"
#include "views/canvas/canvas_view.h"
#include "views/documents/export.h"
#include "views/parts/parts_panel.h"
#include "views/text/names.h"
#include "views/theme/part_look.h"

#include <QActionGroup>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QMessageBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace cw {

void MainWindow::buildCommands()
{
    buildFileCommands();
    buildEditCommands();
    buildViewCommands();
    const QString help = tr("&Help");
    m_commands->add(help, QStringLiteral("help.palette"), tr("Commands …"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), QKeySequence(Qt::CTRL | Qt::Key_K)},
                    [this] { openPalette(false); });
    m_commands->add(help, QStringLiteral("help.keys"), tr("Keys"), {QKeySequence(Qt::CTRL | Qt::Key_F1)}, [this] { showKeys(); });
    m_commands->add(help, QStringLiteral("help.about"), tr("About Clusterwright"), QList<QKeySequence>{}, [this] { showAbout(); });
}

void MainWindow::buildFileCommands()
{
    const QString file = tr("&File");
    m_commands->add(file, QStringLiteral("file.new"), tr("New"), QKeySequence::New, [this] { newProject(); });
    m_commands->add(file, QStringLiteral("file.open"), tr("Open …"), QKeySequence::Open, [this] { chooseFile(); });
    m_commands->add(file, QStringLiteral("file.start"), tr("Examples and recent files"), QList<QKeySequence>{}, [this] {
        if (!keepChanges())
            return;
        m_document->reset(Project());
        m_started = false;
        showPage();
        updateTitle();
    });
    m_commands->separator(file);
    m_commands->add(file, QStringLiteral("file.save"), tr("Save"), QKeySequence::Save, [this] { save(); });
    m_commands->add(file, QStringLiteral("file.saveAs"), tr("Save as …"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, [this] { saveAs(); });
    m_commands->separator(file);
    m_commands->add(file, QStringLiteral("file.exportReport"), tr("Export design report …"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                    [this] { exportAs(static_cast<int>(DocumentKind::report), tr("Export design report")); });
    m_commands->add(file, QStringLiteral("file.exportBill"), tr("Export bill of materials …"), QList<QKeySequence>{},
                    [this] { exportAs(static_cast<int>(DocumentKind::bill), tr("Export bill of materials")); });
    m_commands->add(file, QStringLiteral("file.exportDiagram"), tr("Export diagram …"), QList<QKeySequence>{},
                    [this] { exportAs(static_cast<int>(DocumentKind::diagram), tr("Export diagram")); });
    m_commands->add(file, QStringLiteral("file.exportRacks"), tr("Export rack elevations …"), QList<QKeySequence>{},
                    [this] { exportAs(static_cast<int>(DocumentKind::racks), tr("Export rack elevations")); });
    m_commands->add(file, QStringLiteral("file.exportCharts"), tr("Export charts …"), QList<QKeySequence>{},
                    [this] { exportAs(static_cast<int>(DocumentKind::charts), tr("Export charts")); });
    m_commands->add(file, QStringLiteral("file.exportSimgrid"), tr("Export SimGrid platform …"), QList<QKeySequence>{},
                    [this] { exportAs(static_cast<int>(DocumentKind::simgrid), tr("Export SimGrid platform")); });
    m_commands->separator(file);
    m_commands->add(file, QStringLiteral("file.quit"), tr("Quit"), QKeySequence::Quit, [this] { close(); });
}

void MainWindow::buildEditCommands()
{
    const QString edit = tr("&Edit");
    QAction* undo = m_document->undoStack().createUndoAction(this, tr("Undo"));
    undo->setShortcuts(QKeySequence::Undo);
    QAction* redo = m_document->undoStack().createRedoAction(this, tr("Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    m_commands->adopt(edit, QStringLiteral("edit.undo"), undo);
    m_commands->adopt(edit, QStringLiteral("edit.redo"), redo);
    m_commands->separator(edit);
    // Keys of the canvas (Del, F2, arrows, brackets, Ctrl+C …) are handled there, where the selection is; the actions carry them as text so
    // that text fields keep theirs.
    const auto canvas = [&](const QString& id, const QString& text, const QList<QKeySequence>& keys, void (CanvasView::*slot)()) {
        QAction* action = m_commands->add(edit, id, text, keys, [this, slot] { (m_canvas->*slot)(); });
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        removeAction(action);
        m_canvas->addAction(action);
    };
    canvas(QStringLiteral("edit.cut"), tr("Cut"), QKeySequence::keyBindings(QKeySequence::Cut), &CanvasView::cut);
    canvas(QStringLiteral("edit.copy"), tr("Copy"), QKeySequence::keyBindings(QKeySequence::Copy), &CanvasView::copy);
    canvas(QStringLiteral("edit.paste"), tr("Paste"), QKeySequence::keyBindings(QKeySequence::Paste), &CanvasView::paste);
    canvas(QStringLiteral("edit.duplicate"), tr("Duplicate"), {QKeySequence(Qt::CTRL | Qt::Key_D)}, &CanvasView::duplicateSelection);
    canvas(QStringLiteral("edit.delete"), tr("Delete"), {QKeySequence(Qt::Key_Delete), QKeySequence(Qt::Key_Backspace)}, &CanvasView::deleteSelection);
    canvas(QStringLiteral("edit.rename"), tr("Rename"), {QKeySequence(Qt::Key_F2)}, &CanvasView::renameSelection);
    m_commands->separator(edit);
    canvas(QStringLiteral("edit.selectAll"), tr("Select all"), QKeySequence::keyBindings(QKeySequence::SelectAll), &CanvasView::selectAll);
    canvas(QStringLiteral("edit.frame"), tr("Group into a frame"), {QKeySequence(Qt::Key_G)}, &CanvasView::groupIntoFrame);
    canvas(QStringLiteral("edit.explode"), tr("Explode stack into members"), {}, &CanvasView::explode);
    canvas(QStringLiteral("edit.merge"), tr("Merge equal nodes into a stack"), {}, &CanvasView::merge);
    m_commands->add(edit, QStringLiteral("edit.find"), tr("Find element …"), QKeySequence::Find, [this] { openPalette(true); });

    const QString arrange = tr("&Arrange");
    const auto align = [&](const QString& id, const QString& text, Qt::Alignment how) {
        m_commands->add(arrange, id, text, QList<QKeySequence>{}, [this, how] { m_canvas->align(how); });
    };
    m_commands->add(arrange, QStringLiteral("arrange.tidy"), tr("Tidy the whole drawing"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)}, [this] { m_canvas->tidy(); });
    m_commands->separator(arrange);
    align(QStringLiteral("arrange.left"), tr("Align left"), Qt::AlignLeft);
    align(QStringLiteral("arrange.centre"), tr("Align centres"), Qt::AlignHCenter);
    align(QStringLiteral("arrange.right"), tr("Align right"), Qt::AlignRight);
    align(QStringLiteral("arrange.top"), tr("Align top"), Qt::AlignTop);
    align(QStringLiteral("arrange.middle"), tr("Align middles"), Qt::AlignVCenter);
    align(QStringLiteral("arrange.bottom"), tr("Align bottom"), Qt::AlignBottom);
    m_commands->separator(arrange);
    m_commands->add(arrange, QStringLiteral("arrange.distributeH"), tr("Distribute across"), QList<QKeySequence>{}, [this] { m_canvas->distribute(Qt::Horizontal); });
    m_commands->add(arrange, QStringLiteral("arrange.distributeV"), tr("Distribute down"), QList<QKeySequence>{}, [this] { m_canvas->distribute(Qt::Vertical); });

    const QString alternative = tr("A&lternative");
    m_commands->add(alternative, QStringLiteral("alternative.duplicate"), tr("Duplicate"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)}, [this] { m_tabs->duplicateCurrent(); });
    m_commands->add(alternative, QStringLiteral("alternative.add"), tr("Add empty"), QList<QKeySequence>{}, [this] { m_tabs->addAlternative(); });
    m_commands->add(alternative, QStringLiteral("alternative.rename"), tr("Rename"), QList<QKeySequence>{}, [this] { m_tabs->renameCurrent(); });
    m_commands->add(alternative, QStringLiteral("alternative.baseline"), tr("Set as baseline"), QList<QKeySequence>{}, [this] { m_tabs->makeCurrentBaseline(); });
    m_commands->add(alternative, QStringLiteral("alternative.delete"), tr("Delete"), QList<QKeySequence>{}, [this] { m_tabs->removeCurrent(); });
}

void MainWindow::buildViewCommands()
{
    const QString view = tr("&View");
    for (int page = 0; page < 3; ++page) {
        QAction* action = m_pageGroup->actions().at(page);
        action->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + page)));
        m_commands->adopt(view, QStringLiteral("view.page%1").arg(page), action);
    }
    m_commands->separator(view);
    m_commands->add(view, QStringLiteral("view.fitAll"), tr("Fit all"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [this] { m_canvas->zoomToFit(); });
    m_commands->add(view, QStringLiteral("view.actual"), tr("100 %"), {QKeySequence(Qt::CTRL | Qt::Key_1)}, [this] { m_canvas->zoomToActualSize(); });
    m_commands->add(view, QStringLiteral("view.fitSelection"), tr("Fit selection"), {QKeySequence(Qt::CTRL | Qt::Key_2)}, [this] { m_canvas->zoomToSelection(); });
    m_commands->add(view, QStringLiteral("view.zoomIn"), tr("Zoom in"), {QKeySequence(QKeySequence::ZoomIn), QKeySequence(Qt::CTRL | Qt::Key_Equal)}, [this] { m_canvas->zoomBy(1.25); });
    m_commands->add(view, QStringLiteral("view.zoomOut"), tr("Zoom out"), QKeySequence::ZoomOut, [this] { m_canvas->zoomBy(.8); });
    m_commands->separator(view);
    const std::pair<Overlay, QString> overlays[] = {{Overlay::load, tr("Show load of links")}, {Overlay::temperature, tr("Show temperature")}, {Overlay::power, tr("Show power")}, {Overlay::cost, tr("Show cost")}};
    auto* overlayGroup = new QActionGroup(this);
    for (const auto& [overlay, text] : overlays) {
        QAction* action = m_commands->add(view, QStringLiteral("view.overlay%1").arg(static_cast<int>(overlay)), text, QList<QKeySequence>{}, [this, shown = overlay] { m_canvas->setOverlay(shown); });
        action->setCheckable(true);
        action->setChecked(overlay == Overlay::load);
        overlayGroup->addAction(action);
    }
    m_stagesShown = m_commands->add(view, QStringLiteral("view.stages"), tr("Show stages of a pipeline"), QList<QKeySequence>{}, [this] { feedCharts(); });
    m_stagesShown->setCheckable(true);
    m_stagesShown->setChecked(true);
    m_commands->separator(view);
    for (QDockWidget* dock : m_docks)
        m_commands->adopt(view, QStringLiteral("view.") + dock->objectName(), dock->toggleViewAction());
    m_commands->add(view, QStringLiteral("view.resetLayout"), tr("Reset layout"), QList<QKeySequence>{}, [this] { resetLayout(); });
    m_commands->add(view, QStringLiteral("view.searchParts"), tr("Search parts"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)}, [this] {
        m_docks.front()->show();
        m_parts->focusSearch();
    });
    m_commands->add(view, QStringLiteral("view.fullScreen"), tr("Full screen"), {QKeySequence(Qt::Key_F11)}, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    m_commands->separator(view);
    m_themeGroup = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> themes[] = {{ThemeChoice::system, tr("Theme of the system")}, {ThemeChoice::light, tr("Light theme")}, {ThemeChoice::dark, tr("Dark theme")}};
    for (const auto& [choice, text] : themes) {
        QAction* action = m_commands->add(view, QStringLiteral("view.theme%1").arg(static_cast<int>(choice)), text, QList<QKeySequence>{}, [this, chosen = choice] { applyTheme(chosen); });
        action->setCheckable(true);
        action->setChecked(ThemeSource::instance().choice() == choice);
        m_themeGroup->addAction(action);
    }
}

void MainWindow::openPalette(bool elementsOnly)
{
    std::vector<PaletteEntry> entries;
    if (!elementsOnly)
        for (const CommandSet::Entry& entry : m_commands->entries())
            if (entry.action && entry.action->isEnabled()) {
                QString menu = entry.menu;
                entries.push_back({menu.remove(u'&'), entry.action->text().remove(u'&'), entry.action->shortcut().toString(QKeySequence::NativeText), {},
                                   [action = entry.action] { action->trigger(); }});
            }
    const AlternativeId current = m_tabs->current();
    if (const Alternative* alternative = m_document->project().findAlternative(current)) {
        const auto add = [&](ElementKind kind, const std::string& id) {
            const ElementRef ref{kind, current, id};
            entries.push_back({elementKindName(kind), elementName(m_document->project(), ref), {}, {}, [this, ref] { selectElements({ref}); }});
        };
        for (const Node& node : alternative->nodes)
            add(ElementKind::node, node.id.value);
        for (const Link& link : alternative->links)
            add(ElementKind::link, link.id.value);
        for (const Rack& rack : alternative->racks)
            add(ElementKind::rack, rack.id.value);
        for (const Frame& frame : alternative->frames)
            add(ElementKind::frame, frame.id.value);
    }
    if (!elementsOnly && m_started)
        for (const Catalog::Entry* entry : effectiveCatalog(m_document->project(), m_baseCatalog).entries()) {
            const std::string_view kind = kindName(entry->part);
            if (kind != "server" && kind != "switch" && kind != "cloud_instance")
                continue;
            const PartInfo& part = info(entry->part);
            entries.push_back({tr("Place part"), QString::fromStdString(part.name), {}, {}, [this, id = part.id] { m_canvas->insertPart(id); }});
        }
    (new CommandPalette(std::move(entries), elementsOnly ? tr("Find a node, link, rack or frame") : tr("Type a command, an element or a part"), this))->show();
}

void MainWindow::showKeys()
{
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keys"));
    auto* table = new QTableWidget(0, 2);
    table->setHorizontalHeaderLabels({tr("Command"), tr("Keys")});
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    const auto add = [table](const QString& what, const QString& keys) {
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(what));
        table->setItem(row, 1, new QTableWidgetItem(keys));
    };
    for (const CommandSet::Entry& entry : m_commands->entries())
        if (entry.action && !entry.action->shortcuts().isEmpty())
            add(entry.action->text().remove(u'&'), QKeySequence::listToString(entry.action->shortcuts(), QKeySequence::NativeText));
    for (const auto& [what, keys] : {std::pair{tr("Count of the selected stacks down, up"), tr("[  ]")}, {tr("Nudge by the grid; by one"), tr("Arrows; Shift+arrows")},
                                     {tr("Connect: drag from a port"), tr("or L, then click and click")}, {tr("Pan"), tr("Middle drag, or Space + drag")},
                                     {tr("Zoom at the pointer"), tr("Ctrl + wheel")}, {tr("Duplicate while dragging"), tr("Ctrl or Alt + drag")},
                                     {tr("Cancel what is being done"), tr("Esc")}, {tr("Next, previous element"), tr("Tab, Shift+Tab")}})
        add(what, keys);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(table);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    layout->addWidget(buttons);
    dialog->resize(560, 620);
    dialog->show();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Clusterwright"),
                       tr("<h3>Clusterwright %1</h3><p>Draws compute clusters and says what they do, what they cost and where they choke.</p>"
                          "<p>Free software under the GNU General Public License, version 3 or later. Works without a network.</p>")
                           .arg(QString::fromUtf8(programVersion().data())));
}

} // namespace cw
