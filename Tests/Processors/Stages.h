#pragma once
// Digests of the output of each detector stage, to compare instruction sets and processors.

#include "CHOGDetector.h"

enum {
    HR_STAGE_LEVELS,
    HR_STAGE_FEATURES,
    HR_STAGE_QUANTIZED,
    HR_STAGE_ENERGY,
    HR_STAGE_SCREEN,
    HR_STAGE_SCORES,
    HR_STAGE_FINDINGS,
    HR_STAGES
};

extern const char *const hr_stage_names[HR_STAGES];

typedef struct {
    uint64_t digests[HR_STAGES];
    size_t windows, objects;
    double best;  // confidence; 0 without an object
} hr_outcome;

/// Runs every stage on every level of the pyramid, and the whole detector.
hr_outcome hr_run_stages(const hr_hog_model *model, hr_hog_instructions instructions, const uint8_t *pixels,
                         size_t width, size_t height, size_t bytes_per_row, double threshold);
