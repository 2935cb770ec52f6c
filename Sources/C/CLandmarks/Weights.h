#pragma once
// The tables of weights, and the model that a table contains.
//
// Layout for HOG's boxes, little-endian, without gaps:
//   "HRLM", uint32 version (2)
//   HR_LANDMARKS_POSES times, HR_LANDMARKS_POINTS times: float x, y: where the points of a face with that pose are in the
//     detector's box, measured from its centre in fractions of its side
//   HR_LANDMARKS_POINTS times: float x, y: the mean face, with its centre at 0 and a mean distance of 1 from there
//   HR_LANDMARKS_STAGES times:
//     float size: of the mean face in the stage's patch, as a fraction of its side
//     HR_LANDMARKS_POINTS times: float x, y: the points without any feature, measured from the patch's centre in pixels
//     float unit: of the weights, in pixels of the patch
//     HR_LANDMARKS_FEATURES times, HR_LANDMARKS_POINTS times: int8 x, y
//
// Layout for the network's points:
//   "HRLN", uint32 version (1)
//   HR_LANDMARKS_LEADS times, HR_LANDMARKS_POINTS times: float x, y: weights of the start, in the units of the mean face
//   HR_LANDMARKS_POINTS times: float x, y: the mean face, as above, with level eyes
//   HR_LANDMARKS_STAGES times: a stage as above, then
//     HR_LANDMARKS_ROUGH_VALUES times, HR_LANDMARKS_POINTS times: float x, y: weights of the network's points, in pixels
//       of the patch

#include "CLandmarks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HR_LANDMARKS_STAGES = 3,
    HR_LANDMARKS_PATCH = 80,             // pixels on a side
    HR_LANDMARKS_CELLS = 8,              // cells with features, on a side
    HR_LANDMARKS_FEATURES = 8 * 8 * 31,  // features of FHOG
    HR_LANDMARKS_VALUES = 2 * HR_LANDMARKS_POINTS,
    HR_LANDMARKS_ROUGH_VALUES = 2 * HR_LANDMARKS_ROUGH,
    // The inputs of the start: the points, the sine of the roll, the same times the yaw of the head, the absolute value
    // of the sine, and 1.
    HR_LANDMARKS_LEADS = HR_LANDMARKS_ROUGH_VALUES + 4,
};

typedef struct {
    float size, unit;
    float start[HR_LANDMARKS_VALUES];
    const int8_t *weights;                                        // [feature][value]; points into the table's bytes
    float rough[HR_LANDMARKS_ROUGH_VALUES][HR_LANDMARKS_VALUES];  // 0 in the table for HOG's boxes
} hr_stage;

typedef struct {
    float x, y;
} hr_point_f;

struct hr_landmarks_model {
    int is_near;  // whether it starts at the network's points
    float leads[HR_LANDMARKS_LEADS][HR_LANDMARKS_VALUES];
    hr_point_f poses[HR_LANDMARKS_POSES][HR_LANDMARKS_POINTS];
    hr_point_f mean[HR_LANDMARKS_POINTS];
    hr_stage stages[HR_LANDMARKS_STAGES];
};

#ifdef __cplusplus
}
#endif
