// SPDX-License-Identifier: GPL-3.0-or-later
//
// Published measurements against estimates. A FileKind knows the columns of one kind of table and predicts a row of it with the estimators
// that stand behind the window; `validate` runs it over whole tables and takes statistics per family and quantity. A row that cannot be
// predicted is kept, with the reason. Pure functions; the same tables give the same report on any number of threads.
#pragma once

#include "estimators/base/derivation.h"
#include "estimators/validation/columns.h"
#include "model/catalog/catalog.h"

#include <memory>
#include <set>

namespace cw {

/// Keeps what a term refers to.
struct Explanation {
    Derivation derivation;
    Catalog catalog;
};

/// One measured quantity of a row and what the estimators say of it, both in the unit of the row's column.
struct Prediction {
    std::string quantity; ///< the column's name in the file
    double measured = std::numeric_limits<double>::quiet_NaN();
    double predicted = std::numeric_limits<double>::quiet_NaN();
    double spread = std::numeric_limits<double>::quiet_NaN(); ///< of the estimate's own range: high = predicted (1 + spread)
    std::string reason; ///< why there is no prediction
    std::string note;   ///< what the row left open and was chosen
    std::shared_ptr<const Explanation> explanation;
    TermId term = noTerm;

    bool known() const { return predicted == predicted; }
    /// Signed, per cent of the measured value.
    double errorPercent() const { return predicted == measured ? 0 : 100 * (predicted - measured) / measured; }
};

Prediction predictionOf(const Row::Measured& measured, double siValue, std::string note = {});
Prediction notPredicted(std::string quantity, double measured, std::string reason);

struct FileKind {
    std::string_view name; ///< stem of the file: "training"
    /// Besides commonFields().
    std::span<const Field> fields;
    /// Fields of which a table of this kind has at least one, and of which it has all; keys parted by |. A platform or system may stand for
    /// the device.
    std::string_view anyOf, allOf;
    /// One entry for each measured quantity; never empty: without a measured column one that says so.
    std::vector<Prediction> (*predict)(const Row& row, const Catalog& catalog);
};

/// All kinds, in the order in which their columns are tried.
std::span<const FileKind* const> fileKinds();
/// By the name of the file, else the one that understands most of its columns; null: none fits.
const FileKind* kindOf(const CsvTable& table);

struct ValidatedRow {
    std::string id, file, family;
    std::string model, device, software; ///< catalog ids where the catalog has them, else as the row has it
    int line = 0;
    Prediction prediction;
};

/// Errors of rows whose model or device was left out when the scale was taken (left_out.h); NaN: too few others.
struct LeftOut {
    int n = 0;
    double mean = std::numeric_limits<double>::quiet_NaN(), p90 = std::numeric_limits<double>::quiet_NaN();
};

struct FamilyStatistics {
    std::string file, family, quantity;
    std::string devices; ///< that were predicted, parted by spaces
    int n = 0, predicted = 0;
    double median = 0, mean = 0, p90 = 0, max = 0; ///< of |error|, per cent; NaN when nothing was predicted
    int ranged = 0, inRange = 0; ///< predictions with a range of their own; those whose measurement lies in it
    LeftOut model;  ///< among the family's models
    LeftOut device; ///< among the devices that the file has with this software, all its families together
};

struct ValidationOptions {
    std::set<std::string, std::less<>> families; ///< only these; empty: all
    bool explanations = false;                   ///< keep derivations
};

/// Columns of a table that no field knows, as its header has them.
struct NotUnderstood {
    std::string file;
    std::vector<std::string> columns;
};

struct ValidationReport {
    std::vector<ValidatedRow> rows; ///< as in the files; several in a row where it has several measured columns
    std::vector<FamilyStatistics> families;
    std::vector<NotUnderstood> notUnderstood; ///< of each table, in the order of the files
};

/// Adds the rows of a table. An error when nothing is known about its columns.
Expected<int> addValidation(ValidationReport& report, const CsvTable& table, const Catalog& catalog, const ValidationOptions& options = {});
/// Fills report.families from report.rows.
void addStatistics(ValidationReport& report);

FamilyStatistics statisticsOf(std::span<const double> absoluteErrors);

} // namespace cw
