#pragma once
// The table of weights and the model in it.
//
// Layout, little-endian, without gaps:
//   "HRLM", uint32 version (2)
//   HR_LANDMARKS_POSES times, HR_LANDMARKS_POINTS times: float x, y: where the points of a face with that pose are in the
//     detector's box, measured from its middle in shares of its side
//   HR_LANDMARKS_POINTS times: float x, y: the mean face, with its middle at 0 and a mean distance of 1 from there
//   HR_LANDMARKS_STAGES times:
//     float size: of the mean face in the stage's patch, as a share of its side
//     HR_LANDMARKS_POINTS times: float x, y: the points without any feature, measured from the patch's middle in pixels
//     float unit: of the weights, in pixels of the patch
//     HR_LANDMARKS_FEATURES times, HR_LANDMARKS_POINTS times: int8 x, y

#include "CLandmarks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HR_LANDMARKS_STAGES = 3,
    HR_LANDMARKS_PATCH = 80,             // pixels on a side
    HR_LANDMARKS_CELLS = 8,              // with features, on a side
    HR_LANDMARKS_FEATURES = 8 * 8 * 31,  // those of FHOG
    HR_LANDMARKS_VALUES = 2 * HR_LANDMARKS_POINTS,
};

typedef struct {
    float size, unit;
    float start[HR_LANDMARKS_VALUES];
    const int8_t *weights;  // [feature][value]; points into the table's bytes
} hr_stage;

typedef struct {
    float x, y;
} hr_point_f;

struct hr_landmarks_model {
    hr_point_f poses[HR_LANDMARKS_POSES][HR_LANDMARKS_POINTS];
    hr_point_f mean[HR_LANDMARKS_POINTS];
    hr_stage stages[HR_LANDMARKS_STAGES];
};

#ifdef __cplusplus
}
#endif
