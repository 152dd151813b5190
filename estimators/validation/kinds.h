// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kinds of tables that can be validated; each is defined in the file that predicts its rows and listed in validation.cpp.
#pragma once

#include "estimators/validation/validation.h"

namespace cw {

extern const FileKind trainingKind;
extern const FileKind mlperfTrainingKind;
extern const FileKind operatorsKind;
extern const FileKind collectivesKind;
extern const FileKind hpcKind;
extern const FileKind reliabilityKind;
extern const FileKind latencyKind;         // inference_latency
extern const FileKind siliconKind;         // inference_silicon
extern const FileKind mlperfInferenceKind; // mlperf_inference
extern const FileKind cpuKind;             // cpu_inference
extern const FileKind queueingKind;        // queueing

} // namespace cw
