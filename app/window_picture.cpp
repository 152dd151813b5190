// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_picture.h"

#include "app/main_window.h"
#include "app/user_files.h"
#include "views/canvas/canvas_view.h"
#include "views/documents/export.h"

#include <QApplication>
#include <QBuffer>
#include <QFileInfo>
#include <QPixmap>

namespace cw {

Expected<void> saveWindowPicture(const Project& project, const AlternativeId& alternative, ThemeKind theme, const QString& path, QSize size)
{
    if (QFileInfo(path).suffix().toLower() != u"png")
        return fail({path.toStdString(), ".png", QFileInfo(path).suffix().toStdString(), "A picture of the window is written as PNG"});
    ThemeSource::instance().choose(theme == ThemeKind::dark ? ThemeChoice::dark : ThemeChoice::light);
    MainWindow window(readUserCatalog().catalog);
    window.setSimulating(false); // the same picture whenever it is taken
    window.resetLayout();
    window.resize(size);
    window.show();
    window.openProject(project);
    if (!alternative.empty())
        window.showAlternative(alternative);
    constexpr int patience = 60'000;
    if (!window.waitForEstimate(patience))
        return fail({path.toStdString(), "", "", "The estimate did not end in time"});
    window.canvas().zoomToFit();
    for (int i = 0; i < 5; ++i)
        QApplication::processEvents();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    window.grab().save(&buffer, "PNG");
    return writeFile(path, bytes);
}

} // namespace cw
