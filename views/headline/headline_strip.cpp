// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/headline/headline_strip.h"

#include "model/document/document.h"
#include "views/text/names.h"
#include "views/theme/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QTimer>

namespace cw {

namespace {

constexpr int tileCount = 6;
constexpr int dimAfterMs = 200;

} // namespace

HeadlineStrip::HeadlineStrip(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_workloads(new QComboBox(this))
    , m_card(new BottleneckCard(this))
    , m_dimSoon(new QTimer(this)) {
    setObjectName(QStringLiteral("headline"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(2);
    m_workloads->setAccessibleName(tr("Workload"));
    m_workloads->setToolTip(tr("The workload whose figures are shown"));
    m_workloads->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_workloads->setMinimumContentsLength(9);
    m_workloads->setMaximumWidth(170);
    m_workloads->hide();
    layout->addWidget(m_workloads, 0);
    for (int i = 0; i < tileCount; ++i) {
        auto* tile = new FigureTile(this);
        m_tiles.push_back(tile);
        layout->addWidget(tile, 10);
        connect(tile, &FigureTile::clicked, this, [this, tile] {
            if (tile->figure().figure)
                emit explainRequested(*tile->figure().figure, tile->mapToGlobal(QPoint(0, tile->height() + 4)));
        });
    }
    layout->addWidget(m_card, 34);
    connect(m_card, &BottleneckCard::clicked, this, [this] {
        if (!m_card->bottleneck().elements.empty())
            emit elementsActivated(m_card->bottleneck().elements);
    });
    connect(m_workloads, &QComboBox::activated, this,
            [this](int index) { setWorkload(WorkloadId(m_workloads->itemData(index).toString().toStdString())); });
    connect(&document, &Document::changed, this, [this] { m_beforeEdit = m_committed; });
    connect(&document, &Document::resetDone, this, [this] {
        m_beforeEdit.reset();
        m_committed.reset();
        m_workload = {};
    });
    m_dimSoon->setSingleShot(true);
    m_dimSoon->setInterval(dimAfterMs);
    connect(m_dimSoon, &QTimer::timeout, this, [this] {
        for (FigureTile* tile : m_tiles)
            tile->setStale(true);
        m_card->setStale(true);
    });
    connect(&ThemeSource::instance(), &ThemeSource::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

QSize HeadlineStrip::minimumSizeHint() const { return layout()->minimumSize(); }

void HeadlineStrip::setEstimates(std::shared_ptr<const EstimateSet> estimates) {
    m_estimates = std::move(estimates);
    if (m_estimates && !m_document.hasPreview() && m_estimates->revision == m_document.revision())
        m_committed = m_estimates;
    refresh();
}

void HeadlineStrip::setAlternative(const AlternativeId& alternative) {
    m_alternative = alternative;
    refresh();
}

void HeadlineStrip::setStale(bool stale) {
    if (stale) {
        if (!m_dimSoon->isActive())
            m_dimSoon->start();
        return;
    }
    m_dimSoon->stop();
    for (FigureTile* tile : m_tiles)
        tile->setStale(false);
    m_card->setStale(false);
}

void HeadlineStrip::setWorkload(const WorkloadId& workload) {
    if (m_workload == workload)
        return;
    m_workload = workload;
    refresh();
    emit workloadChanged(workload);
}

FigureTile* HeadlineStrip::tile(const std::string& key) const {
    for (FigureTile* tile : m_tiles)
        if (tile->figure().key == key)
            return tile;
    return nullptr;
}

const AlternativeEstimate* HeadlineStrip::reference(QString* name) const {
    const Alternative* baseline = m_estimates->project.baselineAlternative();
    if (baseline && baseline->id != m_alternative) {
        *name = tr("the baseline “%1”").arg(QString::fromStdString(baseline->name));
        return m_estimates->find(baseline->id);
    }
    *name = tr("the state before the last change");
    const std::shared_ptr<const EstimateSet>& before = m_document.hasPreview() ? m_committed : m_beforeEdit;
    return before ? before->find(m_alternative) : nullptr;
}

void HeadlineStrip::refresh() {
    const AlternativeEstimate* estimate = m_estimates ? m_estimates->find(m_alternative) : nullptr;
    static const AlternativeEstimate nothing;
    if (!estimate)
        estimate = &nothing;
    if (!estimate->workload(m_workload))
        m_workload = defaultWorkload(*estimate);
    refreshWorkloads(*estimate);
    refreshTiles(*estimate);
}

void HeadlineStrip::refreshWorkloads(const AlternativeEstimate& estimate) {
    m_workloads->setVisible(estimate.workloads.size() > 1);
    if (m_workloads->view()->isVisible())
        return;
    m_workloads->clear();
    for (const WorkloadEstimate& workload : estimate.workloads)
        m_workloads->addItem(QString::fromStdString(workload.name), QString::fromStdString(workload.id.value));
    m_workloads->setCurrentIndex(m_workloads->findData(QString::fromStdString(m_workload.value)));
}

void HeadlineStrip::refreshTiles(const AlternativeEstimate& estimate) {
    QString referenceName;
    const AlternativeEstimate* against = m_estimates ? reference(&referenceName) : nullptr;
    const std::vector<HeadlineFigure> figures = headlineFigures(estimate, m_workload, against, referenceName);
    for (std::size_t i = 0; i < m_tiles.size() && i < figures.size(); ++i)
        m_tiles[i]->set(figures[i]);
    m_card->set(headlineBottleneck(estimate, m_workload));
}

} // namespace cw
