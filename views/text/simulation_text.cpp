// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/simulation_text.h"

#include "views/text/quantity_text.h"

#include <QCoreApplication>
#include <QLocale>

namespace cw {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Figures)
};

} // namespace

QString simulationText(const AlternativeEstimate& estimate, const WorkloadId& workload, std::string_view key) {
    const WorkloadEstimate* of = estimate.workload(workload);
    const SimulatedRun::Figure* figure = of && of->simulated && !of->simulated->growth ? of->simulated->figure(key) : nullptr;
    if (!figure)
        return {};
    const QString words = of->simulated->recorded ? Words::tr("simulated with recorded arrivals, %1 requests, ± %2") : Words::tr("simulated, %1 requests, ± %2");
    return words.arg(QLocale().toString(static_cast<qulonglong>(of->simulated->requests)), quantityText(figure->halfWidth(), Unit::fraction));
}

} // namespace cw
