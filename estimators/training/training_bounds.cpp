// SPDX-License-Identifier: GPL-3.0-or-later
//
// What physics allows a training job at best on the drawn machines: arithmetic at the peak, cables at their line rate, storage at its rate, all
// of it overlapped. A report that beats these cannot be right; an estimate that comes near has nothing left to gain.
#include "estimators/training/training_job.h"

#include <algorithm>

namespace cw {

namespace {

constexpr double secondsPerDay = 86400;

class Bounds {
public:
    Bounds(const TrainingJob& job, WorkloadResult& result)
        : m_job(job)
        , m_result(result)
        , d(job.context.derivation) {}

    void fill() {
        const Quantity arithmetic = arithmeticTerm(), network = networkTerm(), input = inputTerm();
        const double best = std::max({arithmetic.value, network.value, input.value});
        if (!(best > 0))
            return;
        const Quantity step = exact("least step time", "max(arithmetic at the peak, network at line rate, input at the rate of storage)",
                                    best, Unit::seconds, {arithmetic, network, input});
        add("step", step);
        rates(step);
        efficiency(network, input);
        exchange();
    }

private:
    Quantity exact(const char* name, const char* equation, double value, Unit unit, std::initializer_list<Quantity> inputs) {
        return d.computed(name, equation, value, value, value, unit, inputs);
    }
    void add(const char* key, const Quantity& q) { m_result.estimate.bounds.push_back({key, q}); }

    Quantity arithmeticTerm() {
        const TrainingCase& run = m_job.run;
        const double devices = static_cast<double>(run.devices), peak = run.device.peak() * run.dense.gain;
        const double operations = leastOperations();
        return exact("arithmetic at the peak", "operations that cannot be left out / (devices · peak of the format)",
                     peak > 0 ? operations / (devices * peak) : 0, Unit::seconds,
                     {exact("operations that cannot be left out", "6 parameters · tokens + attention, of causal models half of the square",
                            operations, Unit::operations, {}),
                      exact("devices", "placement", devices, Unit::count, {}),
                      exact("peak of the format", "16-bit peak · gain of the format", peak, Unit::operationsPerSecond, {})});
    }
    double leastOperations() const {
        const ModelShape& s = m_job.shape;
        const double sequence = m_job.run.sequence, all = stepOperations(m_job);
        if (s.convolutional || !s.causal)
            return all;
        const double square = 12 * s.attentionLayers * s.heads * s.headDim * sequence * s.attentionShare(sequence);
        return all - square / 2 * m_job.run.batch * sequence;
    }

    /// Every byte of the step over the fullest tier at its line rate.
    Quantity networkTerm() {
        double slowest = 0;
        const std::vector<FabricTier>& tiers = m_job.group.tiers;
        for (std::size_t k = 0; k < tiers.size(); ++k) {
            double bytes = 0;
            for (const Traffic& traffic : m_result.traffic)
                if (traffic.group == &m_job.group && k < traffic.bytesPerDevice.size())
                    bytes += traffic.bytesPerDevice[k];
            if (bytes > 0 && tiers[k].linePerDevice > 0)
                slowest = std::max(slowest, bytes / tiers[k].linePerDevice);
        }
        return exact("network at line rate", "bytes that a device sends through the fullest tier / line rate of its share", slowest,
                     Unit::seconds, {});
    }
    Quantity inputTerm() {
        const double bytes = m_job.spec.datasetPerSample ? si(*m_job.spec.datasetPerSample) * m_job.run.batch : 0;
        return exact("input at the rate of storage", "batch · bytes of a sample / storage read rate",
                     bytes > 0 && m_job.storage.read > 0 ? bytes / m_job.storage.read : 0, Unit::seconds,
                     {m_job.storage.readTerm});
    }

    void rates(const Quantity& step) {
        const WorkloadEstimate& estimate = m_result.estimate;
        const Quantity units =
            exact("units of a step", m_job.shape.vision ? "batch" : "batch · sequence", m_job.unitsPerStep, Unit::count, {});
        const Unit unit = estimate.throughput ? estimate.throughput->unit : Unit::tokensPerSecond;
        const Quantity rate = d.quotient("most throughput", "units of a step / least step time", units, step, unit);
        add("throughput", rate);
        const Quantity operations = exact("operations of a step", "as MFU counts them", stepOperations(m_job), Unit::operations, {});
        const double devices = static_cast<double>(m_job.run.devices);
        const Quantity each =
            d.quotient("most operations a second of a device", "operations of a step / (least step time · devices)", operations, step,
                       Unit::operationsPerSecond, 1 / devices);
        add("flops_per_device", each);
        const double peak = m_job.run.device.peak() / m_job.run.clock * m_job.run.dense.gain;
        if (peak > 0)
            add("mfu", exact("most MFU", "operations a second / peak of the format", each.value / peak, Unit::fraction, {each}));
        if (m_job.spec.totalTokens > 0)
            add("days", d.quotient("fewest days", "work / most throughput, without failures",
                                   exact("work", "workload", m_job.spec.totalTokens, Unit::count, {}), rate, Unit::days,
                                   1 / secondsPerDay));
    }

    /// Against the time inside one domain as estimated: even perfect overlap waits for what takes longer.
    void efficiency(const Quantity& network, const Quantity& input) {
        const double inside = insideSeconds(m_job.step);
        if (!(inside > 0))
            return;
        const double best = inside / std::max({inside, network.value, input.value});
        add("scaling_efficiency",
            exact("best scaling efficiency", "time inside a domain / max(that, network at line rate, input)", best, Unit::fraction,
                  {exact("time inside one scale-up domain", "compute, memory, host and scale-up traffic of the step", inside,
                         Unit::seconds, {}),
                   network, input}));
    }

    void exchange() {
        double seconds = 0;
        for (const CollectiveUse& use : m_result.estimate.collectives)
            if (isDataExchange(use))
                seconds += use.leastSeconds;
        if (seconds > 0)
            add("gradient_exchange",
                exact("least gradient exchange", "bytes over ports and scale-up links at their line rate", seconds, Unit::seconds, {}));
    }

    const TrainingJob& m_job;
    WorkloadResult& m_result;
    Derivation& d;
};

} // namespace

void fillBounds(const TrainingJob& job, WorkloadResult& result) { Bounds(job, result).fill(); }

} // namespace cw
