// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_program.h"

#include "app/cli/command_line.h"
#include "app/main_window.h"
#include "app/preferences.h"
#include "app/user_files.h"
#include "model/version.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QHashFunctions>
#include <QIcon>
#include <QTimer>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace cw {

namespace {

constexpr const char* exampleScheme = "example:";

ThemeChoice preferredTheme()
{
    const QString name = preferences::theme.get();
    return name == u"dark" ? ThemeChoice::dark : name == u"light" ? ThemeChoice::light : ThemeChoice::system;
}

/// Why the window cannot be opened with these arguments; empty when it can.
std::string objection(int argc, char** argv)
{
    const std::string usage = "; usage: clusterwright [FILE], or a verb: see clusterwright --help";
    if (argc > 2)
        return "not a verb: " + std::string(argv[1]) + usage;
    const QString name = argc == 2 ? QString::fromLocal8Bit(argv[1]) : QString();
    if (name.startsWith(u'-'))
        return "not an option: " + name.toStdString() + usage;
    // A word without folder or ending is more likely a verb mistyped than a file that is not there.
    if (!name.isEmpty() && !name.startsWith(QLatin1String(exampleScheme)) && !name.contains(u'/') && !name.contains(u'.') && !QFileInfo::exists(name))
        return "neither a verb nor a file: " + name.toStdString() + usage;
    const auto isSet = [](const char* variable) { return !qEnvironmentVariableIsEmpty(variable); };
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM"))
        return "there is no display for the window; clusterwright --help names what works without one";
    return {};
}

int runWindow(int argc, char** argv)
{
    if (const std::string why = objection(argc, argv); !why.empty()) {
        std::fprintf(stderr, "clusterwright: %s\n", why.c_str());
        return 2;
    }
    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("clusterwright"));
    const QStringList arguments = QApplication::arguments().mid(1);
    ThemeSource::instance().choose(preferredTheme());
    UserCatalog own = readUserCatalog();
    for (const Error& error : own.errors)
        std::fprintf(stderr, "clusterwright: %s\n", error.text().c_str());
    MainWindow window(own.catalog);
    window.show();
    if (arguments.size() == 1) {
        const QString& file = arguments.first();
        const bool opened = file.startsWith(QLatin1String(exampleScheme)) ? window.openExample(file.mid(static_cast<qsizetype>(std::strlen(exampleScheme))))
                                                                          : window.openFile(file);
        if (!opened)
            std::fprintf(stderr, "clusterwright: %s could not be opened\n", qUtf8Printable(file));
    }
    QTimer::singleShot(0, &window, &MainWindow::offerRecovery);
    return QApplication::exec();
}

/// Notes of the platform that say nothing of our work, and that nobody can act on.
void passMessages(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    for (const char* noise : {"QStandardPaths: XDG_RUNTIME_DIR not set", "This plugin does not support"})
        if (type != QtFatalMsg && message.startsWith(QLatin1String(noise)))
            return;
    std::fprintf(stderr, "%s\n", qUtf8Printable(qFormatLogMessage(type, context, message)));
    if (type == QtFatalMsg)
        std::abort();
}

} // namespace

int runProgram(int argc, char** argv)
{
    qInstallMessageHandler(passMessages);
    // Qt orders the fonts of a PDF by hash; without chance in it the same project gives the same bytes.
    QHashSeed::setDeterministicGlobalSeed();
    QCoreApplication::setApplicationName(QStringLiteral("clusterwright"));
    QCoreApplication::setApplicationVersion(QString::fromUtf8(programVersion().data()));
    // The settings lie in <config>/clusterwright/clusterwright.ini.
    QCoreApplication::setOrganizationName(QStringLiteral("clusterwright"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    return cli::isCommand(argc, argv) ? cli::run(argc, argv) : runWindow(argc, argv);
}

} // namespace cw
