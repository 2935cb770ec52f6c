// Kernels for arm64 processors with 8-bit dot products (Armv8.2 DotProd): Cortex-A76, Neoverse, Apple's M1 and later.

#include "Kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#include "Vectors.h"
#include "GradientKernel.h"
#include "HistogramKernel.h"
#include "FeatureKernel.h"
#include "ScoreKernel.h"
#include "PickNEON.h"
#include "ShrinkKernel.h"

enum { HR_SCREEN_PARTS = 4, HR_SCREEN_WINDOWS = 4 };

typedef int32x4_t hr_screen_sum;

/// Sixteen planes of a cell. They are at most HR_FEATURE_STEPS, so the sign does not matter.
typedef int8x16_t hr_screen_part;

HR_KERNEL hr_screen_part hr_load_part(const uint8_t *at, int part) { return vld1q_s8((const int8_t *)at + 16 * part); }

HR_KERNEL hr_screen_sum hr_add_products(hr_screen_sum sum, hr_screen_part features, const int8_t *weights, int part)
{
    return vdotq_s32(sum, features, vld1q_s8(weights + 16 * part));
}

HR_KERNEL int32_t hr_sum_lanes(hr_screen_sum v) { return vaddvq_s32(v); }

#include "ScreenKernel.h"

#pragma clang attribute pop

const hr_kernels hr_kernels_neon_dot = {hr_shrink_row, hr_features, hr_screen_row, hr_score};

#endif
