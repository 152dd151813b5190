// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an empty start offers: examples out of the gallery, recent files, an empty project. GUI thread.
#pragma once

#include <QWidget>

#include <vector>

class QLineEdit;
class QListWidget;

namespace cw {

struct Example;

class StartPage : public QWidget {
    Q_OBJECT
  public:
    explicit StartPage(const std::vector<Example>& examples, QWidget* parent = nullptr);

    void setRecentFiles(const QStringList& paths);

  signals:
    void newProject();
    void openFile();
    void fileChosen(const QString& path);
    void exampleChosen(const QString& name);

  private:
    QListWidget* m_recent;
    QListWidget* m_examples;
};

} // namespace cw
