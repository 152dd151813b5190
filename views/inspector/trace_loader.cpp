// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/trace_loader.h"

#include "views/text/quantity_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QProgressDialog>
#include <QThreadPool>

#include <atomic>
#include <memory>

namespace cw {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(TraceLoader)
};

} // namespace

void loadTrace(QWidget* parent, const QString& path, std::function<void(const Expected<TraceSummary>&)> done) {
    const auto stop = std::make_shared<std::atomic<bool>>(false);
    auto* progress = new QProgressDialog(Text::tr("Reading %1 …").arg(QFileInfo(path).fileName()), Text::tr("Stop"), 0, 0, parent);
    progress->setMinimumDuration(400);
    QObject::connect(progress, &QProgressDialog::canceled, progress, [stop] { *stop = true; });
    QObject::connect(progress, &QObject::destroyed, qApp, [stop] { *stop = true; });
    QThreadPool::globalInstance()->start([stop, path, done = std::move(done), shown = QPointer<QProgressDialog>(progress), owner = QPointer<QWidget>(parent)] {
        auto trace = std::make_shared<const Expected<TraceSummary>>(readTraceFile(path.toStdString(), [stop](std::int64_t) { return !*stop; }));
        QMetaObject::invokeMethod(qApp, [stop, done, trace, shown, owner] {
            const bool wanted = owner && !*stop;
            delete shown.data();
            if (wanted)
                done(*trace);
        });
    });
}

QString traceText(const TraceSummary& trace) {
    QString text = Text::tr("%1 requests over %2: %3 to design for, %4 at the most.")
                       .arg(quantityText(static_cast<double>(trace.requests), Unit::count), quantityText(trace.seconds, Unit::seconds),
                            quantityText(trace.busyRate, Unit::requestsPerSecond), quantityText(trace.peakRate, Unit::requestsPerSecond));
    if (trace.skipped > 0)
        text += u' ' + Text::tr("%1 lines could not be read, the first at %2.").arg(trace.skipped).arg(QString::fromStdString(trace.faults.front().where));
    if (!(trace.busyRate > 0))
        text += u' ' + Text::tr("All come at one time: there is no rate in this trace, that of the workload stays.");
    else if (trace.hourly.empty())
        text += u' ' + Text::tr("Shorter than a day: the load over the day is constant.");
    return text;
}

} // namespace cw
