// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/chart_view.h"

#include "views/text/names.h"
#include "views/text/quantity_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPdfWriter>
#include <QPointer>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QThreadPool>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <qcustomplot.h>

namespace cw {

namespace {

/// What the chart of bars shows: links or racks.
BarData barsOf(ChartKind kind, const ChartInput& input, int most)
{
    return kind == ChartKind::linkLoads ? linkBars(input, most) : rackBars(input, most);
}

void paintTo(QPaintDevice& device, const QPicture& picture, QSize size)
{
    QPainter painter(&device);
    painter.setRenderHint(QPainter::Antialiasing);
    const double scale = std::min(device.width() / double(size.width()), device.height() / double(size.height()));
    painter.scale(scale, scale);
    picture.data(); // keeps the buffer alive while it is replayed
    painter.drawPicture(0, 0, picture);
}

} // namespace

ChartView::ChartView(ChartKind kind, QWidget* parent)
    : QWidget(parent), m_kind(kind), m_head(new QWidget(this)), m_tools(new QHBoxLayout(m_head)), m_plot(new QCustomPlot)
{
    setObjectName(QStringLiteral("chart_%1").arg(static_cast<int>(kind)));
    setMinimumSize(200, 120);
    m_head->setObjectName(QStringLiteral("chartHead"));
    auto* title = new QLabel(kind == ChartKind::distribution ? tr("Simulated run") : chartTitle(kind));
    title->setProperty("class", QStringLiteral("heading"));
    auto* dots = new QToolButton;
    dots->setText(QStringLiteral("⋯"));
    dots->setAutoRaise(true);
    dots->setPopupMode(QToolButton::InstantPopup);
    dots->setAccessibleName(tr("Chart menu"));
    dots->setToolTip(dots->accessibleName());
    auto* menu = new QMenu(dots);
    menu->addAction(tr("Copy picture"), this, &ChartView::copyPicture);
    menu->addAction(tr("Copy data"), this, [this] { QApplication::clipboard()->setText(csv()); });
    menu->addAction(tr("Save as …"), this, &ChartView::save);
    if (kind == ChartKind::costLatency) {
        menu->addSeparator();
        for (const bool vertical : {false, true}) {
            QMenu* choice = menu->addMenu(vertical ? tr("Vertical axis") : tr("Horizontal axis"));
            connect(choice, &QMenu::aboutToShow, this, [this, choice, vertical] { fillAxisMenu(choice, vertical); });
        }
    }
    if (kind == ChartKind::dayLoad) {
        menu->addSeparator();
        QMenu* choice = menu->addMenu(tr("Show"));
        connect(choice, &QMenu::aboutToShow, this, [this, choice] { fillAxisMenu(choice, false); });
        m_studyTimer = new QTimer(this);
        m_studyTimer->setSingleShot(true);
        m_studyTimer->setInterval(250);
        connect(m_studyTimer, &QTimer::timeout, this, &ChartView::startStudy);
    }
    dots->setMenu(menu);

    m_tools->setContentsMargins(10, 2, 4, 2);
    m_tools->setSpacing(2);
    m_tools->addWidget(title);
    if (kind == ChartKind::distribution) {
        m_choice = new QToolButton;
        m_choice->setObjectName(QStringLiteral("spreadChoice"));
        m_choice->setAutoRaise(true);
        m_choice->setPopupMode(QToolButton::InstantPopup);
        m_choice->setToolTip(tr("What the chart shows of the simulated run"));
        m_choice->setAccessibleName(m_choice->toolTip());
        auto* choice = new QMenu(m_choice);
        for (const SpreadAspect aspect : spreadAspects)
            choice->addAction(aspectName(aspect), this, [this, aspect] { chooseAspect(aspect); });
        m_choice->setMenu(choice);
        m_choice->setText(aspectName(m_options.spread));
        m_tools->addWidget(m_choice);
    }
    m_tools->addStretch();
    m_tools->addWidget(dots);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_plot, 1);
    m_plot->installEventFilter(this);
    m_plot->setMouseTracking(true);
    m_plot->setAccessibleName(chartTitle(kind));
}

void ChartView::addTool(QWidget* tool) { m_tools->addWidget(tool); }

void ChartView::setInput(const ChartInput& input)
{
    if (m_tracing && m_kind == ChartKind::costLatency && m_input.estimates)
        for (const ParetoPoint& p : paretoData(m_input, m_options.x, m_options.y).points) {
            auto& trail = m_options.trail[p.alternative];
            const QPointF at(p.x.value, p.y.value);
            if (trail.empty() || trail.back() != at)
                trail.push_back(at);
            if (trail.size() > 16)
                trail.erase(trail.begin());
        }
    m_input = input;
    settleAxes();
    wantStudy();
    m_dirty = true;
    if (isVisible())
        redraw();
}

void ChartView::setStyle(const PlotStyle& style)
{
    m_style = style;
    m_dirty = true;
    if (isVisible())
        redraw();
}

void ChartView::setTracing(bool on)
{
    m_tracing = on;
    if (on) {
        m_options.trail.clear();
        return;
    }
    QTimer::singleShot(4000, this, [this] {
        if (m_tracing || m_options.trail.empty())
            return;
        m_options.trail.clear();
        redraw();
    });
}

QString ChartView::csv() const { return m_input.estimates ? chartCsv(m_kind, m_input, m_options.x, m_options.y) : QString(); }

std::vector<ChartAxis> ChartView::axes(bool vertical) const
{
    if (m_kind != ChartKind::costLatency || !m_input.estimates)
        return {};
    return availableAxes(m_input, vertical);
}

void ChartView::chooseAxis(bool vertical, ChartAxis axis)
{
    m_axisChosen = true;
    (vertical ? m_options.y : m_options.x) = axis;
    m_options.trail.clear();
    redraw();
}

/// Another workload may not have what was chosen.
void ChartView::settleAxes()
{
    if (m_kind != ChartKind::costLatency || !m_input.estimates)
        return;
    const ChartAxis usual = defaultVerticalAxis(m_input);
    if (!m_axisChosen)
        m_options.y = usual;
    const auto settle = [this](bool vertical, ChartAxis& chosen, ChartAxis otherwise) {
        const auto all = axes(vertical);
        if (std::find(all.begin(), all.end(), chosen) == all.end())
            chosen = otherwise;
    };
    settle(false, m_options.x, ChartAxis::costPerHour);
    settle(true, m_options.y, usual);
}

void ChartView::fillAxisMenu(QMenu* menu, bool vertical)
{
    if (m_kind == ChartKind::dayLoad) {
        menu->clear();
        for (const DayAspect aspect : {DayAspect::hours, DayAspect::duty, DayAspect::rate}) {
            QAction* action = menu->addAction(aspectName(aspect), this, [this, aspect] { chooseAspect(aspect); });
            action->setCheckable(true);
            action->setChecked(aspect == m_options.aspect);
        }
        return;
    }
    menu->clear();
    for (const ChartAxis axis : axes(vertical)) {
        QAction* action = menu->addAction(axisName(axis), this, [this, vertical, axis] { chooseAxis(vertical, axis); });
        action->setCheckable(true);
        action->setChecked(axis == (vertical ? m_options.y : m_options.x));
    }
}

std::optional<bool> ChartView::axisNameAt(const QPointF& at) const
{
    if (m_kind != ChartKind::costLatency && m_kind != ChartKind::dayLoad)
        return {};
    if (m_plot->xAxis->getPartAt(at) == QCPAxis::spAxisLabel)
        return false;
    if (m_kind == ChartKind::costLatency && m_plot->yAxis->getPartAt(at) == QCPAxis::spAxisLabel)
        return true;
    return {};
}

void ChartView::chooseAspect(SpreadAspect aspect)
{
    m_options.spread = aspect;
    if (m_choice)
        m_choice->setText(aspectName(aspect));
    redraw();
}

void ChartView::chooseAspect(DayAspect aspect)
{
    m_options.aspect = aspect;
    wantStudy();
    redraw();
}

/// Costs over duty and rate take many estimates: they are made when nothing has changed for a moment and somebody looks.
void ChartView::wantStudy()
{
    if (m_kind != ChartKind::dayLoad)
        return;
    ++m_studyOf;
    m_options.study.reset();
    m_options.studyPending = m_options.aspect != DayAspect::hours;
    if (m_options.studyPending)
        m_studyTimer->start();
}

void ChartView::startStudy()
{
    if (m_studyRuns || !isVisible() || !m_input.estimates)
        return;
    m_studyRuns = true;
    QThreadPool::globalInstance()->start([self = QPointer<ChartView>(this), input = m_input, aspect = m_options.aspect, of = m_studyOf] {
        auto study = std::make_shared<const LoadStudy>(studyOf(input, aspect));
        QMetaObject::invokeMethod(qApp, [self, study, of] {
            if (!self)
                return;
            self->m_studyRuns = false;
            if (of != self->m_studyOf) { // the design went on
                self->m_studyTimer->start();
                return;
            }
            self->m_options.study = study;
            self->m_options.studyPending = false;
            self->redraw();
        });
    });
}

void ChartView::redraw()
{
    if (!m_style)
        return;
    m_dirty = false;
    ChartOptions options = m_options;
    options.axesCanBeChosen = true;
    paintChart(*m_plot, m_kind, m_input, *m_style, options);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_options.studyPending)
        m_studyTimer->start();
    if (m_dirty)
        redraw();
}

void ChartView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_dirty = true; // how many ticks and which breaks fit depends on the size
    if (isVisible())
        redraw();
}

bool ChartView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_plot && event->type() == QEvent::MouseButtonRelease)
        press(static_cast<QMouseEvent*>(event)->position());
    else if (watched == m_plot && event->type() == QEvent::MouseMove)
        hover(static_cast<QMouseEvent*>(event)->position());
    return QWidget::eventFilter(watched, event);
}

void ChartView::press(const QPointF& at)
{
    if (!m_input.estimates)
        return;
    if (const std::optional<bool> vertical = axisNameAt(at)) {
        QMenu menu;
        fillAxisMenu(&menu, *vertical);
        menu.exec(m_plot->mapToGlobal(at.toPoint()));
        return;
    }
    if (m_kind == ChartKind::linkLoads || m_kind == ChartKind::rackMargin) {
        const BarData figures = barsOf(m_kind, m_input, m_options.bars);
        const int index = static_cast<int>(std::lround(m_plot->yAxis->pixelToCoord(at.y())));
        if (index >= 0 && index < static_cast<int>(figures.bars.size()))
            emit elementsActivated({figures.bars[static_cast<std::size_t>(index)].element});
        return;
    }
    if (QCPAbstractPlottable* hit = m_plot->plottableAt(at, true)) {
        const QString id = hit->property("alternative").toString();
        if (!id.isEmpty())
            emit alternativeActivated(AlternativeId(id.toStdString()));
    }
    if (m_kind == ChartKind::timeParts || m_kind == ChartKind::power || m_kind == ChartKind::cost) {
        const int bar = static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(at.x())));
        const auto& all = m_input.estimates->alternatives;
        if (bar >= 0 && bar < static_cast<int>(all.size()) && all[static_cast<std::size_t>(bar)])
            emit alternativeActivated(all[static_cast<std::size_t>(bar)]->id);
    }
}

/// What the day's chart shows under the mouse.
QString ChartView::dayText(const QPointF& at) const
{
    const double x = m_plot->xAxis->pixelToCoord(at.x());
    if (m_options.aspect == DayAspect::hours) {
        const std::optional<DayData> day = dayData(m_input);
        const int hour = static_cast<int>(std::floor(x));
        if (!day || hour < 0 || hour >= hoursPerDay)
            return {};
        QString text = tr("%1 h: %2").arg(hour).arg(quantityText(day->peak * day->policies.front().plan.load[static_cast<std::size_t>(hour)], day->unit));
        for (const DayData::Policy& policy : day->policies) {
            text += tr("\n%1: %2 of %3 machines").arg(scalingName(policy.scaling)).arg(std::lround(policy.plan.running[static_cast<std::size_t>(hour)] * day->machines)).arg(std::lround(day->machines));
            if (policy.plan.coldStarts)
                text += tr(", a first request waits for a start");
        }
        return text;
    }
    QString text;
    if (m_options.study)
        for (const StudyLine& line : m_options.study->lines)
            if (const double cost = costAt(line, x, m_options.aspect == DayAspect::rate); std::isfinite(cost))
                text += QStringLiteral("%1%2: %3").arg(text.isEmpty() ? QString() : QStringLiteral("\n"), lineName(m_input, line), quantityText(cost, Unit::dollarsPerHour));
    return text;
}

/// Means of all curves.
QString ChartView::occupancyText() const
{
    const OccupancyData data = occupancyData(m_input, m_options.spread);
    const Unit unit = data.what == "kv" ? Unit::fraction : Unit::count;
    QString text;
    for (const auto& curve : data.curves)
        text += (text.isEmpty() ? QString() : QStringLiteral("\n"))
            + (std::isfinite(curve.closedForm) ? tr("%1 %2: %3 on average, closed form %4")
                                                     .arg(curve.letter, curve.name, quantityText(curve.mean, unit), quantityText(curve.closedForm, unit))
                                               : tr("%1 %2: %3 on average").arg(curve.letter, curve.name, quantityText(curve.mean, unit)));
    return text;
}

void ChartView::hover(const QPointF& at)
{
    if (!m_input.estimates)
        return;
    QString text;
    const bool onName = axisNameAt(at).has_value();
    m_plot->setCursor(onName ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (onName) {
        text = tr("Click to choose what this axis shows");
    } else if (m_kind == ChartKind::costLatency) {
        const ParetoData figures = paretoData(m_input, m_options.x, m_options.y);
        for (const auto& p : figures.points) {
            const QPointF mark(m_plot->xAxis->coordToPixel(p.x.value), m_plot->yAxis->coordToPixel(p.y.value));
            if (QLineF(mark, at).length() > 10)
                continue;
            const auto range = [](const Quantity& q) {
                return QStringLiteral("%1 (%2 … %3)").arg(quantityText(q.value, q.unit),
                                                          quantityText(q.low, q.unit),
                                                          quantityText(q.high, q.unit));
            };
            text += tr("%1 %2\n%3: %4\n%5: %6").arg(p.letter, p.name, axisName(m_options.x), range(p.x), axisName(m_options.y), range(p.y));
            if (!p.meetsTargets)
                text += tr("\nmisses a target");
            break;
        }
    } else if (m_kind == ChartKind::linkLoads || m_kind == ChartKind::rackMargin) {
        const BarData figures = barsOf(m_kind, m_input, m_options.bars);
        const int index = static_cast<int>(std::lround(m_plot->yAxis->pixelToCoord(at.y())));
        if (index >= 0 && index < static_cast<int>(figures.bars.size())) {
            const auto& bar = figures.bars[static_cast<std::size_t>(index)];
            text = bar.label + u'\n' + bar.detail;
        }
    } else if (m_kind == ChartKind::dayLoad) {
        text = dayText(at);
    } else if (m_kind == ChartKind::latencyLoad) {
        text = tr("%1, %2").arg(quantityText(m_plot->xAxis->pixelToCoord(at.x()), Unit::requestsPerSecond),
                                quantityText(m_plot->yAxis->pixelToCoord(at.y()), Unit::seconds));
        for (const auto& measured : curveData(m_input).measured) {
            const QPointF mark(m_plot->xAxis->coordToPixel(measured.rate), m_plot->yAxis->coordToPixel(measured.seconds));
            if (QLineF(mark, at).length() <= 8)
                text += tr("\nMeasured neighbour, at its number of requests in flight and as far from the estimate as there:\n%1").arg(measured.details);
        }
    } else if (m_kind == ChartKind::distribution && m_options.spread != SpreadAspect::latency) {
        text = occupancyText();
    } else if (m_kind == ChartKind::distribution) {
        const double seconds = m_plot->xAxis->pixelToCoord(at.x());
        for (const auto& curve : distributionData(m_input).curves) {
            const auto next = std::lower_bound(curve.below.begin(), curve.below.end(), seconds,
                                               [](const auto& point, double t) { return point.first < t; });
            if (next == curve.below.end())
                continue;
            text += (text.isEmpty() ? QString() : QStringLiteral("\n"))
                + tr("%1 %2, %3: %4 below %5")
                      .arg(curve.letter, curve.name, curve.what == "ttft" ? tr("first token") : tr("latency"),
                           quantityText(next->second, Unit::fraction), quantityText(seconds, Unit::seconds));
        }
    } else {
        const StackData figures = m_kind == ChartKind::timeParts ? timeStack(m_input)
            : m_kind == ChartKind::power                      ? powerStack(m_input)
                                                              : costStack(m_input);
        const int bar = static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(at.x())));
        if (bar >= 0 && bar < figures.bars.size()) {
            text = figures.bars[bar] + u' ' + figures.barNames[bar];
            for (auto series = figures.series.rbegin(); series != figures.series.rend(); ++series)
                text += QStringLiteral("\n%1: %2").arg(series->name, quantityText(series->values[static_cast<std::size_t>(bar)], figures.unit));
            if (!figures.unknown.isEmpty())
                text += u'\n' + figures.unknown;
        }
    }
    QToolTip::showText(m_plot->mapToGlobal(at.toPoint()), text, m_plot);
}

bool ChartView::saveTo(const QString& path, QString* reason) const
{
    const auto refuse = [&](const QString& why) {
        if (reason)
            *reason = why;
        return false;
    };
    if (!m_style || !m_input.estimates)
        return refuse(tr("There is nothing to save yet"));
    const QString ending = QFileInfo(path).suffix().toLower();
    const QSize size(900, 560);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return refuse(tr("%1: %2").arg(path, file.errorString()));
    if (ending == QLatin1String("csv")) {
        file.write(csv().toUtf8());
    } else {
        const QPicture picture = chartPicture(m_kind, m_input, *m_style, m_options, size);
        if (ending == QLatin1String("svg")) {
            QSvgGenerator svg;
            svg.setOutputDevice(&file);
            svg.setSize(size);
            svg.setViewBox(QRect(QPoint(0, 0), size));
            svg.setTitle(chartTitle(m_kind));
            paintTo(svg, picture, size);
        } else if (ending == QLatin1String("pdf")) {
            QPdfWriter pdf(&file);
            pdf.setPageSize(QPageSize(QSizeF(150, 150.0 * size.height() / size.width()), QPageSize::Millimeter));
            pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
            paintTo(pdf, picture, size);
        } else if (ending == QLatin1String("png")) {
            QImage image(size * 2, QImage::Format_RGB32);
            image.fill(m_style->background);
            paintTo(image, picture, size);
            image.save(&file, "PNG");
        } else {
            return refuse(tr("%1: the name must end in .png, .svg, .pdf or .csv").arg(path));
        }
    }
    return file.commit() || refuse(tr("%1: %2").arg(path, file.errorString()));
}

void ChartView::save()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save chart"), QString(), tr("Pictures and data (*.png *.svg *.pdf *.csv)"));
    QString reason;
    if (!path.isEmpty() && !saveTo(path, &reason))
        QMessageBox::warning(this, tr("Save chart"), reason);
}

void ChartView::copyPicture()
{
    if (m_style)
        QApplication::clipboard()->setPixmap(m_plot->toPixmap(900, 560, 2));
}

} // namespace cw
