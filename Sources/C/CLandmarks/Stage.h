#pragma once
// One step of the search for the points of a face, with a patch, its features and their weights.

#include "Frame.h"
#include "Similarity.h"
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

/// Computes the points of the face from these features, in pixels of the patch.
void hr_stage_points(const hr_stage *stage, const float *features, hr_landmarks_point *out);

/// The offsets of the network's points in a frame of a stage with this `size`, from their positions in the mean face.
///
/// Values of both kinds of features have about the same magnitude.
void hr_stage_rough(const hr_point_f *mean, float size, const hr_frame *frame, const hr_landmarks_point *rough,
                    float *values);

/// Adds the contribution of the network's points to the points of the face.
void hr_stage_add_rough(const hr_stage *stage, const float *values, hr_landmarks_point *points);

/// The network's points in the units of the mean face.
typedef struct {
    hr_similarity from_image;
    float values[HR_LANDMARKS_LEADS];
} hr_lead;

/// Computes the inputs of the start; returns 0 if the points are all in one place or too far away.
int hr_lead_make(const hr_point_f *mean, const hr_landmarks_point *rough, hr_lead *out);

/// The start of a face, in pixels of the image.
void hr_lead_points(const hr_lead *lead, const float (*leads)[HR_LANDMARKS_VALUES], hr_landmarks_point *out);

#ifdef __cplusplus
}
#endif
