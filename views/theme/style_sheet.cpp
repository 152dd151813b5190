// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/theme.h"

#include <QHash>

namespace cw {

namespace {

// Names in angle brackets are colours of the theme. Classes that any view may set as dynamic property "class":
// card, panel, heading, muted, figure, pill, chip, primary, link, good, warn, bad.
const char* const sheetTemplate = R"(
QToolTip { background: <card>; color: <text>; border: 1px solid <border>; padding: 4px 6px; }
QMainWindow, QDialog { background: <window>; }
QMainWindow::separator { background: <window>; width: 6px; height: 6px; }
QMainWindow::separator:hover { background: <accentSoft>; }
QMenuBar { background: <panel>; border: none; padding: 2px 6px; }
QMenuBar::item { background: transparent; padding: 5px 10px; border-radius: 4px; }
QMenuBar::item:selected { background: <accentSoft>; color: <text>; }
QMenu { background: <card>; border: 1px solid <border>; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 10px; border-radius: 4px; }
QMenu::item:selected { background: <accentSoft>; color: <text>; }
QMenu::item:disabled { color: <disabled>; }
QMenu::icon { padding-left: 8px; }
QMenu::right-arrow { image: url(:/theme/arrow-right-<kind>.svg); width: 10px; height: 10px; margin-right: 8px; }
QMenu::separator { height: 1px; background: <border>; margin: 4px 6px; }
QToolBar { background: <panel>; border: none; border-bottom: 1px solid <border>; spacing: 2px; padding: 3px 6px; }
QToolBar::separator { background: <border>; width: 1px; margin: 4px 5px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px; }
QToolButton:hover { background: <chip>; }
QToolButton:pressed, QToolButton:checked { background: <accentSoft>; border-color: <accent>; }
QToolButton:focus { border-color: <accent>; }
QToolButton:disabled { color: <disabled>; }
QDockWidget { font-weight: 600; titlebar-close-icon: none; }
QDockWidget::title { background: <panel>; border: 1px solid <border>; border-bottom: none; padding: 7px 10px;
    border-top-left-radius: 6px; border-top-right-radius: 6px; text-align: left; }
QDockWidget > QWidget { background: <panel>; }
QStatusBar { background: <panel>; border-top: 1px solid <border>; color: <textMuted>; }
QStatusBar::item { border: none; }
QTabWidget::pane { border: 1px solid <border>; background: <panel>; top: -1px; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: <chip>; color: <textMuted>; border: 1px solid transparent; border-top-left-radius: 6px;
    border-top-right-radius: 6px; padding: 6px 10px; margin-right: 3px; margin-top: 2px; }
QTabBar::tab:selected { background: <panel>; color: <text>; font-weight: 600; border-color: <border>; border-bottom-color: <panel>; }
QTabBar::tab:hover:!selected { color: <text>; }
QTabBar::tab:focus { border-color: <accent>; }
QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox, QDateEdit { background: <field>; color: <text>;
    border: 1px solid <border>; border-radius: 5px; padding: 4px 7px; selection-background-color: <accent>;
    selection-color: <textOnColour>; }
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover { border-color: <borderStrong>; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: <accent>;
    background: <panel>; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: <disabled>; }
QLineEdit[invalid="true"], QComboBox[invalid="true"] { border-color: <bad>; background: <badSoft>; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/theme/arrow-down-<kind>.svg); width: 10px; height: 10px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { border: none; background: transparent; width: 18px; subcontrol-position: top right; }
QSpinBox::down-button, QDoubleSpinBox::down-button { border: none; background: transparent; width: 18px; subcontrol-position: bottom right; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/theme/arrow-up-<kind>.svg); width: 10px; height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/theme/arrow-down-<kind>.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: <card>; border: 1px solid <border>; selection-background-color: <accentSoft>;
    selection-color: <text>; outline: none; }
QPushButton { background: <panel>; color: <text>; border: 1px solid <border>; border-radius: 5px; padding: 5px 14px; }
QPushButton:hover { border-color: <borderStrong>; background: <field>; }
QPushButton:pressed { background: <chip>; }
QPushButton:focus { border-color: <accent>; }
QPushButton:default, QPushButton[class~="primary"] { background: <accentButton>; color: white; border-color: <accentButton>; font-weight: 600; }
QPushButton:default:hover, QPushButton[class~="primary"]:hover { background: <accentButtonHover>; }
QPushButton:disabled { color: <disabled>; background: <field>; border-color: <border>; }
QPushButton[class~="pill"] { background: <chip>; color: <textMuted>; border: none; border-radius: 11px; padding: 4px 14px; min-height: 14px; font-weight: 600; }
QPushButton[class~="pill"]:hover { color: <text>; }
QPushButton[class~="pill"]:checked { background: <accentButton>; color: white; }
QPushButton[class~="chip"] { background: <accentSoft>; color: <accentText>; border: 1px solid transparent; border-radius: 10px; padding: 2px 10px; min-height: 15px; font-weight: 600; }
QPushButton[class~="chip"]:hover { border-color: <accent>; }
QPushButton[class~="field"] { background: <field>; padding: 5px 8px; text-align: left; }
QPushButton[class~="link"] { background: transparent; border: none; color: <accentText>; padding: 2px 0; text-align: left; }
QPushButton[class~="link"]:hover { text-decoration: underline; }
QFrame[class~="card"] { background: <card>; border: 1px solid <border>; border-radius: 6px; }
QFrame[class~="panel"] { background: <panel>; border: 1px solid <border>; border-radius: 6px; }
QLabel { background: transparent; }
QLabel[class~="heading"] { font-weight: 600; font-size: 13px; }
QLabel[class~="muted"] { color: <textMuted>; }
QLabel[class~="figure"] { font-size: 18px; font-weight: 600; }
QLabel[class~="good"] { color: <good>; }
QLabel[class~="warn"] { color: <warn>; }
QLabel[class~="bad"] { color: <bad>; }
QGroupBox { border: 1px solid <border>; border-radius: 6px; margin-top: 9px; padding-top: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 10px; padding: 0 4px; color: <textMuted>; font-weight: 600; }
QAbstractItemView { background: <panel>; border: 1px solid <border>; border-radius: 5px; outline: none;
    selection-background-color: <selectionSoft>; selection-color: <text>; alternate-background-color: <field>; }
QAbstractItemView[class~="flat"] { border: none; }
QHeaderView { background: <field>; }
QHeaderView::section { background: <field>; color: <textMuted>; border: none; border-bottom: 1px solid <border>; padding: 5px 7px; font-weight: 600; }
QScrollArea { border: none; background: transparent; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: <scroll>; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: <borderStrong>; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; border: none; width: 0; height: 0; }
QAbstractScrollArea::corner { background: transparent; }
QProgressBar { background: <loadTrack>; border: none; border-radius: 4px; text-align: center; min-height: 8px; }
QProgressBar::chunk { background: <accent>; border-radius: 4px; }
QSplitter::handle { background: <window>; }
QSplitter::handle:hover { background: <accentSoft>; }
)";

} // namespace

QString Theme::styleSheet() const {
    const QColor disabled = palette().color(QPalette::Disabled, QPalette::Text);
    const QHash<QString, QColor> colours{
        {"window", window},
        {"panel", panel},
        {"card", card},
        {"field", field},
        {"chip", chip},
        {"border", border},
        {"borderStrong", borderStrong},
        {"text", text},
        {"textMuted", textMuted},
        {"textOnColour", textOnColour},
        {"accent", accent},
        {"accentSoft", accentSoft},
        {"selectionSoft", selectionSoft},
        {"accentText", isDark() ? QColor("#9cc0ff") : QColor("#1d55d0")},
        {"accentButton", isDark() ? QColor("#2f62c9") : accent},
        {"accentButtonHover", isDark() ? QColor("#3b72e0") : QColor("#1d55d0")},
        {"good", good},
        {"warn", warn},
        {"bad", bad},
        {"badSoft", badSoft},
        {"loadTrack", loadTrack},
        {"disabled", disabled},
        {"scroll", isDark() ? QColor("#3b4859") : QColor("#c3ccd8")},
    };
    QString sheet = QString::fromLatin1(sheetTemplate);
    for (auto it = colours.begin(); it != colours.end(); ++it)
        sheet.replace(QLatin1Char('<') + it.key() + QLatin1Char('>'), it.value().name());
    sheet.replace(QLatin1String("<kind>"), isDark() ? QLatin1String("dark") : QLatin1String("light"));
    return sheet;
}

} // namespace cw
