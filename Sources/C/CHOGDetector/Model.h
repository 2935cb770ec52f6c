#pragma once

#include "CHOGDetector.h"
#include "Kernels.h"

/// The effect of rounding a filter's weights and the features to 8 bits on its score.
typedef struct {
    float unit;           // the value of one step of a quantised score
    float feature_error;  // maximum change of the score by rounding the features
    float weight_error;   // norm of the rounding errors of the weights: times the norm of the features, it is the
                          // maximum change of the score by rounding the weights (Cauchy and Schwarz)
} hr_filter_error;

struct hr_hog_model {
    hr_hog_settings settings;
    float *weights;      // [filter][row][column][HR_HOG_PLANES]
    double *thresholds;  // [filter]
    hr_screen screen;
    hr_filter_error *errors;  // [filter]
    float norm_error;         // maximum change of the norm of a window's features by rounding them
};
