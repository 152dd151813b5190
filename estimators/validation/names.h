// SPDX-License-Identifier: GPL-3.0-or-later
//
// Catalog parts under the names that publications give them: "8xH100-SXM-80GB", "Llama 3.1 405B", "Megatron-LM (2021)". A part matches
// where the words of its id occur in the text, in order; among several the one with most words. Pure; pointers belong to the catalog.
#pragma once

#include "model/catalog/catalog.h"

namespace cw {

/// Lower-case words: parted at other characters and where letters of a longer word meet digits ("llama3" → "llama", "3"; "70b" stays).
std::vector<std::string> nameWords(std::string_view text);

/// The GPU a text names; where it leaves form or memory open, the module (SXM) with most memory. `memoryBytes` (0: unknown) decides
/// between variants.
const Gpu* findGpu(const Catalog& catalog, std::string_view text, double memoryBytes = 0);
const Cpu* findCpu(const Catalog& catalog, std::string_view text);
/// The model a text names; point releases of the same dimensions (Llama 3.1) count as the same.
const NeuralModel* findModel(const Catalog& catalog, std::string_view text);
/// Number formats as sources write them: "BF16", "fp8 current scaling", "MXFP8", "amp_fp16"; empty: none found.
std::optional<Precision> findPrecision(std::string_view text);

} // namespace cw
