#include "Stage.h"

#include <CHOGStages.h>
#include <string.h>

#include "Variants.h"

enum { KEPT = HR_HOG_PLANES - 1 };

_Static_assert(HR_LANDMARKS_FEATURES == HR_LANDMARKS_CELLS * HR_LANDMARKS_CELLS * KEPT, "all features of a patch");

void hr_stage_mean(const hr_point_f *mean, float size, hr_landmarks_point *out)
{
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        out[i].x = HR_LANDMARKS_PATCH * (0.5 + (double)size * mean[i].x);
        out[i].y = HR_LANDMARKS_PATCH * (0.5 + (double)size * mean[i].y);
    }
}

int hr_stage_features(const uint8_t *patch, float *features)
{
    enum { SIDE = HR_LANDMARKS_PATCH, CELLS = HR_LANDMARKS_CELLS * HR_LANDMARKS_CELLS };
    float planes[CELLS * HR_HOG_PLANES];
    if (hr_hog_features(hr_hog_best_instructions(), patch, SIDE, SIDE, SIDE, planes) != HR_HOG_OK)
        return 0;
    for (int i = 0; i < CELLS; ++i)
        memcpy(features + i * KEPT, planes + i * HR_HOG_PLANES, KEPT * sizeof *features);
    return 1;
}

HR_LANDMARKS_INLINE void weigh_kernel(const hr_stage *stage, const float *features, float *sums)
{
    float all[HR_LANDMARKS_VALUES] = {0};
    const int8_t *weights = stage->weights;
    for (int i = 0; i < HR_LANDMARKS_FEATURES; ++i, weights += HR_LANDMARKS_VALUES)
        for (int k = 0; k < HR_LANDMARKS_VALUES; ++k)
            all[k] += features[i] * (float)weights[k];
    memcpy(sums, all, sizeof all);
}

HR_LANDMARKS_AVX2 static void weigh_avx2(const hr_stage *stage, const float *features, float *sums)
{
    weigh_kernel(stage, features, sums);
}

static void weigh_plain(const hr_stage *stage, const float *features, float *sums)
{
    weigh_kernel(stage, features, sums);
}

void hr_stage_points(const hr_stage *stage, const float *features, hr_landmarks_point *out)
{
    float sums[HR_LANDMARKS_VALUES];
    (HR_LANDMARKS_HAS_AVX2() ? weigh_avx2 : weigh_plain)(stage, features, sums);
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        out[i].x = HR_LANDMARKS_PATCH / 2.0 + stage->start[2 * i] + (double)stage->unit * sums[2 * i];
        out[i].y = HR_LANDMARKS_PATCH / 2.0 + stage->start[2 * i + 1] + (double)stage->unit * sums[2 * i + 1];
    }
}
