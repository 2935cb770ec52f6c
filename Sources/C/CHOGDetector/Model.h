#pragma once

#include "CHOGDetector.h"
#include "Kernels.h"

/// The effect of rounding a filter's weights and the features to 8 bits on its score.
typedef struct {
    float unit;           // the score that one step of a quantised score stands for
    float feature_error;  // most that rounding the features moves the score
    float weight_error;   // norm of the rounding errors of the weights: times the norm of the features, the most that
                          // rounding the weights moves the score (Cauchy and Schwarz)
} hr_filter_error;

struct hr_hog_model {
    hr_hog_settings settings;
    float *weights;      // [filter][row][column][HR_HOG_PLANES]
    double *thresholds;  // [filter]
    hr_screen screen;
    hr_filter_error *errors;  // [filter]
    float norm_error;         // most that rounding the features moves their norm in a window
};
