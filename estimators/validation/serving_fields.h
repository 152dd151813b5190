// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields of the tables of inference measurements, and what a row says of its model, number formats, software and parallel layout. The
// rules for what sources leave open or spell in more than one way are here, once. Plain values.
#pragma once

#include "estimators/estimate.h"
#include "estimators/serving/replica.h"
#include "estimators/validation/names.h"
#include "estimators/validation/row_cluster.h"
#include "estimators/validation/validation.h"

namespace cw {

std::span<const Field> servingFields();

/// Text of several fields in lower case, for words such as "trtllm" or "offline" that sources put anywhere.
std::string wordsOf(const Row& row, std::initializer_list<const char*> keys);
bool hasWord(std::string_view text, std::initializer_list<std::string_view> words);

/// Why a row's inputs cannot be used: a cell of these fields that is filled and no positive number (`orNone`: nor 0 or "no"). Empty: all are
/// good or not given.
std::string unusableInput(const Row& row, std::initializer_list<const char*> keys, bool orNone = false);
/// The same of parallel sizes and numbers of devices.
std::string unusableLayout(const Row& row);
/// What a row says of its machines; a device that is named and not known is a reason, whatever the system is called.
std::optional<ClusterWish> servedWish(const Row& row, const Catalog& catalog, std::string& why);

/// The model a row names (served_names.cpp); empty: none of the catalog (the reason goes to `why`). Stricter than findModel: a size, a
/// variant ("air", "lite") or a version that the catalog's model does not have makes it another model.
const NeuralModel* servedModelIn(const Catalog& catalog, std::string_view text);
const NeuralModel* servedModelOf(const Row& row, const Catalog& catalog, std::string& why);

/// Parameters by the sizes in a name: "70B", "235B-A22B"; 0: not there.
struct NamedSize {
    double total = 0, active = 0;
};
NamedSize sizeInName(std::string_view text);

struct ServedFormats {
    Precision weights = Precision::bf16, kv = Precision::bf16;
    std::string note; ///< what was not said
    std::string why;  ///< set where the row names a format that is not known
};
/// Weights as the row has them (missing: `otherwise`), KV at 8 bits with 8 and 4 bit floating point weights, else 16. Four bits where the
/// device has no such arithmetic, and in gpt-oss, are MXFP4.
ServedFormats servedFormats(const Row& row, const NeuralModel& model, const Gpu* gpu, Precision otherwise);

/// The serving stack whose constants apply, by the words of the row; empty: the default of the device.
PartId servingStackOf(const Row& row);

/// The replica's layout. Tensor sizes of mixtures of experts that already contain the expert size are taken apart.
/// `part` is "prefill_" or "decode_" where the two run apart.
ReplicaLayout servedLayout(const Row& row, std::string_view part = {});

/// One entry for each of these fields that the row measured, all not predicted for one reason; never empty.
std::vector<Prediction> allWithout(const Row& row, std::initializer_list<const char*> keys, const std::string& reason);

/// A served workload on the only machines of a row's cluster.
struct ServedRow {
    RowCluster cluster;
    LlmServing spec;
    Placement placement;
    std::optional<Placement> answers = {}; ///< decoding, where it runs apart; on nodes of its own choice
};
/// Adds workload and placement to the cluster's project and estimates it.
AlternativeEstimate estimateServed(ServedRow& served);
/// A serving program under arrivals at a rate (replay_rows.cpp), for tables of queues.
std::vector<Prediction> predictReplay(const Row& row, const Catalog& shipped);

/// Why nothing came out, in a word or two.
std::string whyNot(const AlternativeEstimate& estimate);

} // namespace cw
