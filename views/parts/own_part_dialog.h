// SPDX-License-Identifier: GPL-3.0-or-later
//
// The editor of one own part: its facts as JSON, checked with every keystroke by the same reader that loads the catalog. Only what reads
// without fault can be saved; saving is one undoable edit of the project. GUI thread.
#pragma once

#include "model/catalog/catalog.h"
#include "model/design/project.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QPlainTextEdit;
class QTimer;

namespace cw {

class Document;

class OwnPartDialog : public QDialog {
    Q_OBJECT
public:
    /// A new part, empty or as a copy of `base`. Not modal; deletes itself.
    static OwnPartDialog* create(Document& document, const Catalog& catalog, const PartId& base, QWidget* parent);
    /// Changes a part of the project.
    static OwnPartDialog* edit(Document& document, const Catalog& catalog, const PartId& part, QWidget* parent);

    QPlainTextEdit* editor() const { return m_text; }
    QString problems() const;
    void accept() override;

private:
    OwnPartDialog(Document& document, const Catalog& catalog, std::optional<OwnPart> before, QWidget* parent);
    void start(const QString& kind, const QString& json);
    void check();
    std::string kind() const;

    Document& m_document;
    Catalog m_catalog;
    std::optional<OwnPart> m_before;
    std::optional<OwnPart> m_valid; ///< what the text says, when it says something
    QComboBox* m_kind;
    QPlainTextEdit* m_text;
    QLabel* m_problems;
    QDialogButtonBox* m_buttons;
    QTimer* m_checkSoon;
};

} // namespace cw
