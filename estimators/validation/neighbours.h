// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measured neighbours: which published rows are nearest to a design, and how far the estimate is off there. Reading the rows is cheap; a
// row is estimated when somebody asks for its figures, and that is remembered. Thread-safe once made.
#pragma once

#include "estimators/validation/validation.h"
#include "model/design/project.h"

#include <memory>
#include <mutex>
#include <optional>

namespace cw {

struct WorkloadEstimate;

/// A training run or a served model as far as nearness goes.
struct DesignPoint {
    bool serving = false;
    PartId model; ///< of the catalog; empty where only its sizes are known
    double parameters = 0;
    bool experts = false;
    PartId device;
    std::string architecture;
    double devices = 1; ///< of the run, or of one replica
    PartId stack;       ///< resolved: never empty where the device has a default
    Precision precision = Precision::bf16;
    double prompt = 0, output = 0, inFlight = 0; ///< tokens, and requests in one replica; served models only
};

/// One measured figure of a row beside its estimate, in SI units.
struct MeasuredFigure {
    std::string key; ///< "step_time", "operations_rate", "tokens_rate_per_gpu", "ttft", "tpot", …
    Unit unit = Unit::one;
    double measured = 0, predicted = 0;
    double errorPercent() const { return 100 * (predicted / measured - 1); }
};

struct MeasuredPoint {
    DesignPoint point;
    std::string id, file, family, source, model; ///< as the table has them
    std::size_t table = 0, record = 0;
};

struct MeasuredNeighbour {
    const MeasuredPoint* row = nullptr;
    double distance = 0;
    std::span<const MeasuredFigure> figures; ///< never empty
    const MeasuredFigure* figure(std::string_view key) const;
};

class MeasuredRows {
  public:
    /// The rows of tables of training runs and of served models whose model and device are known; other tables give none.
    MeasuredRows(std::vector<CsvTable> tables, const Catalog& catalog);
    ~MeasuredRows();

    std::span<const MeasuredPoint> points() const { return m_points; }
    /// Empty for a row that cannot be estimated.
    std::span<const MeasuredFigure> figures(const MeasuredPoint& point) const;
    /// The nearest rows that can be estimated within `furthest`, nearest first, at most one of a family and size; of equal distance in the
    /// order of the tables.
    std::vector<MeasuredNeighbour> nearest(const DesignPoint& design, std::size_t most = 3, double furthest = 6) const;

  private:
    struct Table;
    Catalog m_catalog;
    std::vector<std::unique_ptr<Table>> m_tables;
    std::vector<MeasuredPoint> m_points;
    mutable std::mutex m_mutex;
    mutable std::vector<std::optional<std::vector<MeasuredFigure>>> m_figures; ///< by point
};

/// Those of the published tables that the program carries.
const MeasuredRows& publishedRows();

/// What a workload of a design is, as far as nearness goes; empty where no published row could be near: not placed on GPUs, another kind.
std::optional<DesignPoint> designPoint(const Project& project, const Alternative& alternative, const Catalog& catalog, const WorkloadEstimate& estimate);

/// Distance in doublings: sizes by their ratio, a step for another generation, stack, format or kind of model; infinite between a trained
/// and a served model.
double distance(const DesignPoint& a, const DesignPoint& b);

} // namespace cw
