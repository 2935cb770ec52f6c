#pragma once
// Single stages of the detector, for tests and benchmarks.

#include "CHOGDetector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number of cells with features on a side of `pixels`; 0 or less if there are none.
int hr_hog_feature_cells(size_t pixels);

/// The next level of the pyramid: 5 * width / 6 by 5 * height / 6 bytes, from at least 2 by 2 pixels.
hr_hog_status hr_hog_shrink(hr_hog_instructions instructions, const uint8_t *_Nonnull pixels, size_t width,
                            size_t height, size_t bytes_per_row, uint8_t *_Nonnull out);

/// FHOG features: `out` is [rows][columns][HR_HOG_PLANES], with sides of hr_hog_feature_cells().
hr_hog_status hr_hog_features(hr_hog_instructions instructions, const uint8_t *_Nonnull pixels, size_t width,
                              size_t height, size_t bytes_per_row, float *_Nonnull out);

#ifdef __cplusplus
}
#endif
