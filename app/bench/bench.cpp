// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench.h"

#include "app/bench/designs.h"
#include "app/bench/simulation_bench.h"
#include "app/main_window.h"
#include "app/user_files.h"
#include "estimators/estimate.h"
#include "model/design/expand.h"
#include "model/io/project_file.h"
#include "views/canvas/canvas_benchmark.h"
#include "views/canvas/canvas_view.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QDateTime>
#include <QFile>
#include <QProcess>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace cw::bench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double median(std::vector<double> values)
{
    if (values.empty())
        return unknown;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

double estimateMicroseconds(const Project& project, const EstimateOptions& options = {})
{
    const Catalog catalog = effectiveCatalog(project, shippedCatalog());
    return 1e6 * medianSeconds([&] { (void)estimate(project, project.alternatives.front(), catalog, options); });
}

/// Milliseconds from the start of a process to the painted estimate of the largest example, and its peak memory in MB.
std::pair<double, double> probe()
{
    std::vector<double> times, memory;
    for (int run = 0; run < 4; ++run) {
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("CLUSTERWRIGHT_STARTED_AT"), QString::number(QDateTime::currentMSecsSinceEpoch()));
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("bench"), QStringLiteral("--probe-start")});
        if (!child.waitForFinished(60'000) || child.exitCode() != 0)
            return {unknown, unknown};
        const QList<QByteArray> words = child.readAllStandardOutput().simplified().split(' ');
        if (words.size() != 2)
            return {unknown, unknown};
        if (run == 0)
            continue; // warm-up: files come from the disk
        times.push_back(words[0].toDouble());
        memory.push_back(words[1].toDouble());
    }
    return {median(times), median(memory)};
}

/// Runs edits of a power cap through a real window; returns {GUI-thread ms, ms from push to the painted result}.
std::pair<double, double> editLatency(const Project& project)
{
    MainWindow window(shippedCatalog());
    window.resize(1600, 900);
    window.show();
    window.openProject(project);
    if (!window.waitForEstimate(60'000))
        return {unknown, unknown};
    QApplication::processEvents();
    std::vector<double> gui, whole;
    for (int run = 0; run < 12; ++run) {
        Document& document = window.document();
        const Alternative& alternative = *document.project().baselineAlternative();
        Node changed = alternative.nodes.front();
        changed.gpuPowerCap = watts(700.0 - 5 * run);
        const auto start = Clock::now();
        document.push(edits::set(document.project(), {ElementKind::node, alternative.id, changed.id.value}, changed, "bench"));
        double busy = secondsSince(start);
        // What the GUI thread does when the result is there is counted; waiting for the worker is not.
        const auto waiting = Clock::now();
        bool shown = false;
        const auto connection = QObject::connect(&window, &MainWindow::estimatesShown, [&] { shown = true; });
        while (!shown && secondsSince(waiting) < 60) {
            const auto before = Clock::now();
            QApplication::processEvents(QEventLoop::AllEvents);
            if (shown)
                busy += secondsSince(before);
        }
        QObject::disconnect(connection);
        const auto painting = Clock::now();
        QApplication::processEvents(); // paints what has changed, as on a screen
        busy += secondsSince(painting);
        if (run >= 2) {
            gui.push_back(busy * 1e3);
            whole.push_back(secondsSince(start) * 1e3);
        }
    }
    window.document().reset(Project());
    return {median(gui), median(whole)};
}

std::vector<Benchmark> makeBenchmarks()
{
    std::vector<Benchmark> list;
    const auto add = [&](const char* name, const char* unit, std::function<double()> measure) { list.push_back({name, unit, std::move(measure)}); };
    add("startup_ms", "ms", [] { return probe().first; });
    add("memory_largest_example_mb", "MB", [] { return probe().second; });
    add("load_largest_example_ms", "ms", [] {
        const std::string text = writeProject(largestExample());
        return 1e3 * medianSeconds([&] { (void)readProject(text, "bench"); });
    });
    add("save_largest_example_ms", "ms", [] {
        const Project project = largestExample();
        return 1e3 * medianSeconds([&] { (void)writeProject(project); });
    });
    add("estimate_8_gpu_us", "us", [] { return estimateMicroseconds(stackedTraining(8)); });
    add("estimate_16384_gpu_us", "us", [] { return estimateMicroseconds(stackedTraining(16384)); });
    add("estimate_100k_gpu_us", "us", [] { return estimateMicroseconds(stackedTraining(98304)); });
    add("edit_to_screen_16384_gpu_ms", "ms", [] { return editLatency(largestExample()).second; });
    add("edit_to_screen_8_gpu_ms", "ms", [] { return editLatency(stackedTraining(8)).second; });
    add("gui_thread_per_edit_ms", "ms", [] { return editLatency(largestExample()).first; });
    add("canvas_drag_2000_nodes_fps", "frames/s", [] { return benchmarkDrag(2000, 10000, 50); });
    add("canvas_pan_2000_nodes_fps", "frames/s", [] { return benchmarkPan(2000, 10000); });
    add("route_1024_nodes_ms", "ms", [] { return estimateMicroseconds(separateTraining(1024)) / 1e3; });
    add("expand_16384_gpu_ms", "ms", [] {
        const Project project = stackedTraining(16384);
        return 1e3 * medianSeconds([&] { (void)expand(project.alternatives.front()); }, 5);
    });
    add("training_estimate_us", "us", [] {
        EstimateOptions bare;
        bare.curves = bare.bottleneckGain = bare.findings = false;
        return estimateMicroseconds(stackedTraining(1024), bare);
    });
    add("plan_search_405b_16384_gpu_s", "s", [] {
        const Project project = openTraining(16384);
        const Catalog catalog = effectiveCatalog(project, shippedCatalog());
        return medianSeconds([&] { (void)estimate(project, project.alternatives.front(), catalog); }, 3);
    });
    add("plan_search_405b_16384_gpu_tried", "plans", [] {
        const Project project = openTraining(16384);
        const AlternativeEstimate found = estimate(project, project.alternatives.front(), effectiveCatalog(project, shippedCatalog()));
        const auto& plan = found.workloads.front().plan;
        return plan ? static_cast<double>(plan->tried) : unknown;
    });
    add("serving_closed_form_us", "us", [] {
        EstimateOptions bare;
        bare.curves = bare.bottleneckGain = bare.findings = false;
        return estimateMicroseconds(serving(), bare);
    });
    add("simulation_simple_requests_per_s", "requests/s", simpleRequestsPerSecond);
    add("simulation_batching_steps_per_s", "steps/s", batchingStepsPerSecond);
    add("simulation_p99_examples_ms", "ms", slowestExampleMilliseconds);
    return list;
}

double peakMegabytes()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return unknown;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("VmHWM:"))
            return line.mid(6).simplified().split(' ').first().toDouble() / 1000.0;
    return unknown;
}

} // namespace

double medianSeconds(const std::function<void()>& f, int runs)
{
    const auto first = Clock::now();
    f();
    const double once = std::max(secondsSince(first), 1e-7);
    const int calls = std::clamp(static_cast<int>(4e-3 / once), 1, 20'000);
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
        const auto start = Clock::now();
        for (int call = 0; call < calls; ++call)
            f();
        times.push_back(secondsSince(start) / calls);
    }
    return median(times);
}

const std::vector<Benchmark>& benchmarks()
{
    static const std::vector<Benchmark> list = makeBenchmarks();
    return list;
}

int startupProbe()
{
    ThemeSource::instance().choose(ThemeChoice::light);
    MainWindow window(readUserCatalog().catalog);
    window.resize(1600, 900);
    window.show();
    window.openProject(largestExample());
    if (!window.waitForEstimate(60'000))
        return 1;
    QApplication::processEvents();
    window.grab();
    const qint64 started = qEnvironmentVariable("CLUSTERWRIGHT_STARTED_AT").toLongLong();
    std::printf("%lld %.1f\n", static_cast<long long>(QDateTime::currentMSecsSinceEpoch() - started), peakMegabytes());
    window.document().reset(Project());
    return 0;
}

} // namespace cw::bench
