#pragma once
// One step towards the points of a face: a patch, its features, and their weights.

#include "Weights.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The mean face in the patch of a stage with this `size`, in pixels of the patch.
void hr_stage_mean(const hr_point_f *mean, float size, hr_landmarks_point *out);

/// The FHOG features of a patch of HR_LANDMARKS_PATCH × HR_LANDMARKS_PATCH pixels.
///
/// Returns 0 when out of memory.
int hr_stage_features(const uint8_t *patch, float *features);

/// The points of the face with these features, in pixels of the patch.
void hr_stage_points(const hr_stage *stage, const float *features, hr_landmarks_point *out);

#ifdef __cplusplus
}
#endif
