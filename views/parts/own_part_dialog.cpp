// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/own_part_dialog.h"

#include "model/document/document.h"
#include "views/parts/part_summary.h"
#include "views/text/names.h"
#include "views/theme/part_look.h"
#include "views/widgets/style_class.h"
#include "views/widgets/toast.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>

namespace cw {

namespace {

constexpr const char* kinds[] = {"server",   "switch", "gpu", "cpu",     "cloud_instance", "medium",
                                 "protocol", "rack",   "pdu", "cooling", "model",          "region"};
constexpr int shownProblems = 6;

QString indented(const std::string& json) {
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(json));
    return document.isNull() ? QString::fromStdString(json) : QString::fromUtf8(document.toJson(QJsonDocument::Indented));
}

/// A copy of a part under a new id and name, without the shipped entry's claims about its sources.
QString copyOf(const Part& part, const QString& id) {
    QJsonObject facts = QJsonDocument::fromJson(QByteArray::fromStdString(info(part).json)).object();
    facts[QStringLiteral("id")] = id;
    facts[QStringLiteral("name")] =
        QCoreApplication::translate("OwnPart", "%1 (own)").arg(QString::fromStdString(info(part).name));
    return QString::fromUtf8(QJsonDocument(facts).toJson(QJsonDocument::Indented));
}

QString freePartId(const Catalog& catalog, const QString& wish) {
    QString id = wish;
    for (int number = 2; catalog.findPart(PartId(id.toStdString())); ++number)
        id = QStringLiteral("%1_%2").arg(wish).arg(number);
    return id;
}

} // namespace

OwnPartDialog* OwnPartDialog::create(Document& document, const Catalog& catalog, const PartId& base, QWidget* parent) {
    auto* dialog = new OwnPartDialog(document, catalog, std::nullopt, parent);
    if (const Part* part = catalog.findPart(base)) {
        const QString id = freePartId(catalog, QString::fromStdString(base.value) + QStringLiteral("_own"));
        dialog->start(QString::fromLatin1(kindName(*part).data(), static_cast<qsizetype>(kindName(*part).size())),
                      copyOf(*part, id));
    } else {
        const QString id = freePartId(catalog, QStringLiteral("my_part"));
        dialog->start(QStringLiteral("server"), QStringLiteral("{\n    \"id\": \"%1\",\n    \"name\": \"\"\n}\n").arg(id));
    }
    dialog->show();
    return dialog;
}

OwnPartDialog* OwnPartDialog::edit(Document& document, const Catalog& catalog, const PartId& id, QWidget* parent) {
    const OwnPart* part = document.project().findPart(id);
    if (!part)
        return nullptr;
    auto* dialog = new OwnPartDialog(document, catalog, *part, parent);
    dialog->start(QString::fromStdString(part->kind), indented(part->json));
    dialog->show();
    return dialog;
}

OwnPartDialog::OwnPartDialog(Document& document, const Catalog& catalog, std::optional<OwnPart> before, QWidget* parent)
    : QDialog(parent)
    , m_document(document)
    , m_catalog(catalog)
    , m_before(std::move(before))
    , m_kind(new QComboBox(this))
    , m_text(new QPlainTextEdit(this))
    , m_problems(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this))
    , m_checkSoon(new QTimer(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(m_before ? tr("Edit own part") : tr("New own part"));
    resize(560, 620);
    for (const char* kind : kinds)
        m_kind->addItem(partKindName(kind), QString::fromLatin1(kind));
    m_kind->setEnabled(!m_before);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setAccessibleName(tr("Facts"));
    m_problems->setWordWrap(true);
    m_problems->setTextFormat(Qt::PlainText);
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->addRow(tr("Kind"), m_kind);
    layout->addLayout(form);
    auto* hint = new QLabel(tr("Facts carry their unit in the key, as in the shipped catalog. List what you estimated in "
                               "\"estimated_fields\": it is shown as estimated wherever it is used."),
                            this);
    hint->setWordWrap(true);
    setStyleClass(hint, "muted");
    layout->addWidget(hint);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_problems);
    layout->addWidget(m_buttons);
    m_checkSoon->setSingleShot(true);
    m_checkSoon->setInterval(120);
    connect(m_checkSoon, &QTimer::timeout, this, &OwnPartDialog::check);
    connect(m_text, &QPlainTextEdit::textChanged, m_checkSoon, qOverload<>(&QTimer::start));
    connect(m_kind, &QComboBox::currentIndexChanged, this, &OwnPartDialog::check);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &OwnPartDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &OwnPartDialog::reject);
}

void OwnPartDialog::start(const QString& kind, const QString& json) {
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(kind)));
    m_text->setPlainText(json);
    check();
}

std::string OwnPartDialog::kind() const { return m_kind->currentData().toString().toStdString(); }
QString OwnPartDialog::problems() const { return m_valid ? QString() : m_problems->text(); }

void OwnPartDialog::check() {
    m_checkSoon->stop();
    m_valid.reset();
    const std::string json = m_text->toPlainText().toStdString();
    QStringList lines;
    if (const auto part = parsePart(kind(), json, "")) {
        const PartInfo& facts = info(*part);
        if (m_before && facts.id != m_before->id)
            lines += tr("The id must stay “%1”: the design refers to it.").arg(QString::fromStdString(m_before->id.value));
        else if (!m_before && m_document.project().findPart(facts.id))
            lines += tr("There is an own part “%1” already.").arg(QString::fromStdString(facts.id.value));
        else {
            m_valid = OwnPart{facts.id, kind(), facts.json};
            lines += partShortName(facts) + QStringLiteral(": ") + partFacts(*part, m_catalog);
            if (const Catalog::Entry* entry = m_catalog.findEntry(facts.id); entry && entry->layer == CatalogLayer::shipped)
                lines += tr("Stands in for the shipped part of this id.");
        }
    } else {
        for (const Error& error : part.error())
            lines += QString::fromStdString(error.text());
    }
    if (lines.size() > shownProblems)
        lines = lines.mid(0, shownProblems) << tr("… and %1 more").arg(lines.size() - shownProblems);
    m_problems->setText(lines.join(u'\n'));
    setStyleClass(m_problems, m_valid ? "good" : "bad");
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(m_valid.has_value());
}

void OwnPartDialog::accept() {
    check();
    if (!m_valid)
        return;
    const QString id = QString::fromStdString(m_valid->id.value);
    const QString name = m_before ? tr("Change part %1").arg(id) : tr("New part %1").arg(id);
    Change change{{ElementKind::part, {}, m_valid->id.value}, {}, *m_valid, -1, -1};
    if (m_before)
        change.before = *m_before;
    QString reason;
    if (m_document.push({name.toStdString(), {}, {change}}, &reason))
        QDialog::accept();
    else
        m_problems->setText(reason);
}

} // namespace cw
