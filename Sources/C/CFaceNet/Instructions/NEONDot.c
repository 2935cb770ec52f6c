// Kernels for arm64 processors with 8-bit dot products (Armv8.2 DotProd): Cortex-A76, Neoverse, Apple's M1 and later.

#include "Layers.h"
#include "NetKernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#include "RowsNEON.h"

enum { HR_LANES = 4, HR_SUMS = 4, HR_PIXELS_16 = 4, HR_PIXELS_32 = 4, HR_PIXELS_64 = 4 };

typedef int32x4_t hr_sum;

HR_KERNEL hr_sum hr_start(const int32_t *bias) { return vld1q_s32(bias); }

HR_KERNEL hr_sum hr_dot_pixels(hr_sum sum, hr_four a, hr_weights v) { return vdotq_s32(sum, a, v); }

HR_KERNEL hr_sum hr_dot(hr_sum sum, hr_four a, hr_weights v, hr_four b, hr_weights w)
{
    return vdotq_s32(vdotq_s32(sum, a, v), b, w);
}

HR_KERNEL hr_short hr_shifted(hr_sum one, hr_sum other, int shift) { return hr_shifted_values(one, other, shift); }

HR_KERNEL void hr_store_shifted(int16_t *at, hr_sum one, hr_sum other, int shift)
{
    hr_store_short(at, hr_shifted(one, other, shift));
}

#include "SumKernels.h"

#include "LayerKernels.h"

#pragma clang attribute pop

const hr_net_kernels hr_net_kernels_neon_dot = {HR_LANES,         128,
                                                hr_first_row,     hr_pointwise_row,
                                                hr_depthwise_row, hr_depthwise_pooled_row,
                                                hr_head_row,      hr_pool_row,
                                                hr_add_row};

const hr_layer_kernels hr_layer_kernels_neon_dot = {HR_BLOCK,
                                                    0,
                                                    128,
                                                    hr_layer_point,
                                                    hr_layer_point_short,
                                                    hr_layer_widen,
                                                    hr_layer_window,
                                                    hr_layer_add,
                                                    hr_layer_pool,
                                                    hr_layer_mix,
                                                    hr_layer_up};

#endif
