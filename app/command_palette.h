// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ctrl+Shift+P: type to find any command, any element of the design, any part of the catalog; Enter does it. GUI thread.
#pragma once

#include <QDialog>
#include <QIcon>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace cw {

struct PaletteEntry {
    QString group, text, hint; ///< hint: keys of a command, kind of an element
    QIcon icon;
    std::function<void()> run;
};

class CommandPalette : public QDialog {
    Q_OBJECT
  public:
    CommandPalette(std::vector<PaletteEntry> entries, const QString& placeholder, QWidget* parent);

    /// How well a text answers a query: 0 not at all. All words of the query must occur, in any order; starts of words count more.
    static int score(const QString& query, const QString& text);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter();
    void runCurrent();
    std::vector<PaletteEntry> m_entries;
    QLineEdit* m_query;
    QListWidget* m_list;
};

} // namespace cw
