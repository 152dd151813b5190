// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/inspector_panel.h"

#include "model/document/document.h"
#include "views/inspector/trace_loader.h"
#include "views/inspector/workload_presets.h"
#include "views/text/names.h"
#include "views/theme/theme.h"
#include "views/widgets/elided_label.h"
#include "views/widgets/style_class.h"
#include "views/widgets/toast.h"

#include <QCursor>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace cw {

InspectorPanel::InspectorPanel(Document& document, Catalog catalog, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_catalog(std::move(catalog))
    , m_actions{document, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}
    , m_form(new FormView(*this, this))
    , m_title(new ElidedLabel(this))
    , m_subtitle(new ElidedLabel(this))
    , m_back(new QPushButton(this))
    , m_refreshSoon(new QTimer(this)) {
    m_title->setFont(textFont(TextRole::title));
    setStyleClass(m_subtitle, "muted");
    setStyleClass(m_back, "link");
    connect(m_back, &QPushButton::clicked, this, [this] {
        m_form->commitPending();
        if (const std::function<void()> go = m_goBack)
            go();
    });
    auto* header = new QVBoxLayout;
    header->setContentsMargins(10, 6, 8, 2);
    header->setSpacing(1);
    header->addWidget(m_back, 0, Qt::AlignLeft);
    header->addWidget(m_title);
    header->addWidget(m_subtitle);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(header);
    layout->addWidget(m_form, 1);

    m_actions.apply = [this](const Edit& edit) { apply(edit); };
    m_actions.preview = [this](const Edit& edit) { m_document.setPreview(edit); };
    m_actions.inspect = [this](const std::vector<ElementRef>& elements) {
        setSelection(elements);
        if (elements.size() == 1 && elements.front().kind == ElementKind::workload)
            emit workloadOpened(WorkloadId(elements.front().id));
    };
    m_actions.reveal = [this](const std::vector<ElementRef>& elements) { emit elementsActivated(elements); };
    m_actions.addWorkload = [this] { addWorkload(); };
    m_actions.presetWorkload = [this](const WorkloadId& workload) { presetWorkload(workload); };
    m_actions.loadTrace = [this](const WorkloadId& workload) { chooseTrace(workload); };
    m_actions.editPart = [this](const PartId& part) { emit editPartRequested(part); };
    m_actions.bestPlan = [this](const PlacementId& placement) { takeBestPlan(placement); };
    m_actions.tryTensor = [this](const PlacementId& placement) { toggleTrials(placement); };

    m_refreshSoon->setSingleShot(true);
    m_refreshSoon->setInterval(0);
    connect(m_refreshSoon, &QTimer::timeout, this, &InspectorPanel::refreshNow);
    connect(&document, &Document::changed, this, &InspectorPanel::refreshSoon);
    connect(&document, &Document::previewChanged, this, &InspectorPanel::refreshSoon);
    connect(&document, &Document::resetDone, this, [this] {
        m_selection.clear();
        refreshSoon();
    });
    refreshNow();
}

InspectorPanel::~InspectorPanel() { delete m_form; } // its rows refer to this host

void InspectorPanel::setCatalog(Catalog catalog) {
    m_catalog = std::move(catalog);
    refreshSoon();
}

void InspectorPanel::setEstimates(std::shared_ptr<const EstimateSet> estimates) {
    m_estimates = std::move(estimates);
    refreshSoon();
}

void InspectorPanel::setAlternative(const AlternativeId& alternative) {
    if (m_alternative == alternative)
        return;
    m_alternative = alternative;
    m_trials.reset();
    refreshSoon();
}

void InspectorPanel::setSelection(const std::vector<ElementRef>& selection) {
    if (m_selection == selection)
        return;
    m_form->commitPending(); // what is typed belongs to the old selection
    m_selection = selection;
    m_trials.reset();
    refreshSoon();
}

void InspectorPanel::showWorkload(const WorkloadId& workload) {
    setSelection(workload.empty() ? std::vector<ElementRef>()
                                  : std::vector<ElementRef>{{ElementKind::workload, {}, workload.value}});
}

QString InspectorPanel::title() const { return m_title->text(); }

void InspectorPanel::focusName() {
    refreshNow();
    for (const char* section : {"node", "link", "rack", "frame", "workload", "alternative"})
        if (m_form->focusField(section, "name"))
            return;
}

void InspectorPanel::refreshSoon() {
    if (!m_refreshSoon->isActive())
        m_refreshSoon->start();
}

const Alternative* InspectorPanel::alternative() const {
    const Project& project = m_document.effective();
    if (const Alternative* chosen = project.findAlternative(m_alternative))
        return chosen;
    return project.alternatives.empty() ? nullptr : &project.alternatives.front();
}

void InspectorPanel::refreshNow() {
    m_refreshSoon->stop();
    static const Alternative none;
    const Alternative* shown = alternative();
    const AlternativeEstimate* estimate = shown && m_estimates ? m_estimates->find(shown->id) : nullptr;
    estimateTrials();
    const InspectorContext context{m_actions, m_document.effective(), shown ? *shown : none,
                                   m_catalog, estimate,               m_trials ? &*m_trials : nullptr};
    Form form = describe(context, m_selection);
    showHeader(form);
    m_form->setForm(std::move(form));
}

void InspectorPanel::showHeader(const Form& form) {
    const QString before = m_title->text();
    m_title->setText(form.title);
    m_subtitle->setText(form.subtitle);
    m_subtitle->setVisible(!form.subtitle.isEmpty());
    m_goBack = form.back;
    m_back->setText(QStringLiteral("‹ ") + form.backText);
    m_back->setVisible(static_cast<bool>(form.back));
    if (form.title != before)
        emit titleChanged(form.title);
}

void InspectorPanel::explain(const Figure& figure) { emit explainRequested(figure, QCursor::pos()); }

void InspectorPanel::apply(const Edit& edit) {
    QString reason;
    if (!m_document.push(edit, &reason))
        Toast::post(this, reason);
}

double InspectorPanel::networkShareOf(const PlacementId& id) const {
    const Alternative* shown = alternative();
    const AlternativeEstimate* estimate = shown && m_estimates ? m_estimates->find(shown->id) : nullptr;
    const Placement* placement = shown ? shown->findPlacement(id) : nullptr;
    const WorkloadEstimate* workload = estimate && placement ? estimate->workload(placement->workload) : nullptr;
    return workload ? cw::networkShareOf(*workload) : 1;
}

void InspectorPanel::takeBestPlan(const PlacementId& id) {
    const Project& project = m_document.project();
    const Alternative* shown = alternative();
    const Alternative* design = shown ? project.findAlternative(shown->id) : nullptr;
    const Placement* placement = design ? design->findPlacement(id) : nullptr;
    const Workload* workload = placement ? project.findWorkload(placement->workload) : nullptr;
    if (!workload)
        return;
    const std::optional<PlanTrial> best = bestPlan(project, *design, m_catalog, id, networkShareOf(id));
    if (!best) {
        Toast::post(this, tr("No plan fits these machines."));
        return;
    }
    const Placement planned = withPlan(*placement, *best->estimate.plan, std::holds_alternative<LlmServing>(workload->spec));
    if (planned == *placement) {
        Toast::post(this, tr("This is the best plan already."));
        return;
    }
    const ElementRef ref{ElementKind::placement, design->id, id.value};
    const auto change = [&](Element& element) { element = planned; };
    const QString name = tr("Best plan of %1").arg(QString::fromStdString(workload->name));
    if (const Expected<Edit> edit = editElements(m_document, {ref}, change, name))
        apply(*edit);
}

void InspectorPanel::toggleTrials(const PlacementId& id) {
    if (m_trials && m_trials->placement == id)
        m_trials.reset();
    else
        m_trials = ShownTrials{id, {}};
    m_trialsRevision.reset();
    refreshSoon();
}

/// Anew after each change; not while one is being dragged, which has to stay quick.
void InspectorPanel::estimateTrials() {
    if (!m_trials || m_document.hasPreview() || m_trialsRevision == m_document.revision())
        return;
    m_trialsRevision = m_document.revision();
    const Alternative* shown = alternative();
    if (shown && shown->findPlacement(m_trials->placement))
        m_trials->trials = tensorTrials(m_document.project(), *shown, m_catalog, m_trials->placement, networkShareOf(m_trials->placement));
    else
        m_trials.reset();
}

void InspectorPanel::addWorkload() {
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    for (const WorkloadPreset& preset : workloadPresets()) {
        QAction* action = menu.addAction(preset.name);
        action->setToolTip(preset.help);
        connect(action, &QAction::triggered, this, [this, preset] {
            Workload workload = workloadFrom(preset, m_document.project());
            const WorkloadId id = workload.id;
            apply(edits::insertWorkload(m_document.project(), std::move(workload),
                                        tr("Add workload %1").arg(preset.name).toStdString()));
            showWorkload(id);
        });
    }
    menu.exec(QCursor::pos());
}

void InspectorPanel::presetWorkload(const WorkloadId& id) {
    const Workload* workload = m_document.project().findWorkload(id);
    if (!workload)
        return;
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    for (const WorkloadPreset& preset : workloadPresets()) {
        QAction* action = menu.addAction(preset.name);
        action->setToolTip(preset.help);
        action->setEnabled(preset.spec.index() == workload->spec.index());
        connect(action, &QAction::triggered, this, [this, preset, id] {
            const ElementRef ref{ElementKind::workload, {}, id.value};
            const auto change = [&](Element& element) {
                std::get<Workload>(element).spec = preset.spec;
                std::get<Workload>(element).load = preset.load;
            };
            if (const Expected<Edit> edit = editElements(m_document, {ref}, change, tr("Take preset %1").arg(preset.name)))
                apply(*edit);
        });
    }
    menu.exec(QCursor::pos());
}

void InspectorPanel::chooseTrace(const WorkloadId& id) {
    const QString path = QFileDialog::getOpenFileName(this, tr("Load from trace"), QString(), tr("Request traces (*.csv *.tsv *.txt);;All files (*)"));
    if (path.isEmpty())
        return;
    loadTrace(this, path, [this, id, name = QFileInfo(path).fileName()](const Expected<TraceSummary>& trace) { takeTrace(id, name, trace); });
}

void InspectorPanel::takeTrace(const WorkloadId& id, const QString& name, const Expected<TraceSummary>& trace) {
    if (!trace) {
        QMessageBox::warning(this, tr("Load from trace"), QString::fromStdString(trace.error().text()));
        return;
    }
    const auto change = [&](Element& element) { applyTrace(std::get<Workload>(element), *trace, name.toStdString()); };
    if (const Expected<Edit> edit = editElements(m_document, {{ElementKind::workload, {}, id.value}}, change, tr("Load from %1").arg(name))) {
        apply(*edit);
        QMessageBox::information(this, tr("Load from trace"), traceText(*trace));
    }
}

} // namespace cw
