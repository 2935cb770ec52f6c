// Kernels for every arm64 processor.

#include "Kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#include "Vectors.h"
#include "GradientKernel.h"
#include "HistogramKernel.h"
#include "FeatureKernel.h"
#include "ScoreKernel.h"
#include "PickNEON.h"
#include "ShrinkKernel.h"

enum { HR_SCREEN_PARTS = 2, HR_SCREEN_WINDOWS = 4 };

typedef int32x4_t hr_screen_sum;

/// The same sixteen planes of both cells of a piece. They are at most HR_FEATURE_STEPS, so the sign does not matter.
typedef struct {
    int8x16_t first, second;
} hr_screen_part;

HR_KERNEL hr_screen_part hr_load_part(const uint8_t *at, int part)
{
    const int8_t *cells = (const int8_t *)at + 16 * part;
    return (hr_screen_part){vld1q_s8(cells), vld1q_s8(cells + HR_HOG_PLANES)};
}

HR_KERNEL hr_screen_sum hr_add_products(hr_screen_sum sum, hr_screen_part features, const int8_t *weights, int part)
{
    const int8x16_t first = vld1q_s8(weights + 16 * part), second = vld1q_s8(weights + HR_HOG_PLANES + 16 * part);
    // Two products of 127 * 127 fit 16 bits.
    const int16x8_t low = vmlal_s8(vmull_s8(vget_low_s8(features.first), vget_low_s8(first)),
                                   vget_low_s8(features.second), vget_low_s8(second));
    const int16x8_t high = vmlal_high_s8(vmull_high_s8(features.first, first), features.second, second);
    return vpadalq_s16(vpadalq_s16(sum, low), high);
}

HR_KERNEL int32_t hr_sum_lanes(hr_screen_sum v) { return vaddvq_s32(v); }

#include "ScreenKernel.h"

const hr_kernels hr_kernels_neon = {hr_shrink_row, hr_features, hr_screen_row, hr_score};

#endif
