// Kernels for every arm64 processor.

#include "Layers.h"
#include "NetKernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

#include "RowsNEON.h"

enum { HR_LANES = 4, HR_SUMS = 4, HR_PIXELS_16 = 2, HR_PIXELS_32 = 2, HR_PIXELS_64 = 2 };

/// Two sums for each output, side by side: of outputs 0 and 1, and of 2 and 3.
typedef struct {
    int32x4_t low, high;
} hr_sum;

HR_KERNEL hr_sum hr_start(const int32_t *bias)
{
    const int32x4_t values = vld1q_s32(bias), zeros = vdupq_n_s32(0);
    return (hr_sum){vzip1q_s32(values, zeros), vzip2q_s32(values, zeros)};
}

HR_KERNEL hr_sum hr_dot_pixels(hr_sum sum, hr_four a, hr_weights v)
{
    return (hr_sum){vpadalq_s16(sum.low, vmull_s8(vget_low_s8(a), vget_low_s8(v))),
                    vpadalq_s16(sum.high, vmull_high_s8(a, v))};
}

HR_KERNEL hr_sum hr_dot(hr_sum sum, hr_four a, hr_weights v, hr_four b, hr_weights w)
{
    // Two products of 128 * 127 fit 16 bits.
    const int16x8_t low = vmlal_s8(vmull_s8(vget_low_s8(a), vget_low_s8(v)), vget_low_s8(b), vget_low_s8(w));
    const int16x8_t high = vmlal_high_s8(vmull_high_s8(a, v), b, w);
    return (hr_sum){vpadalq_s16(sum.low, low), vpadalq_s16(sum.high, high)};
}

HR_KERNEL hr_short hr_shifted(hr_sum one, hr_sum other, int shift)
{
    return hr_shifted_values(vpaddq_s32(one.low, one.high), vpaddq_s32(other.low, other.high), shift);
}

HR_KERNEL void hr_store_shifted(int16_t *at, hr_sum one, hr_sum other, int shift)
{
    hr_store_short(at, hr_shifted(one, other, shift));
}

#include "SumKernels.h"

#include "LayerKernels.h"

const hr_net_kernels hr_net_kernels_neon = {HR_LANES,         128,
                                            hr_first_row,     hr_pointwise_row,
                                            hr_depthwise_row, hr_depthwise_pooled_row,
                                            hr_head_row,      hr_pool_row,
                                            hr_add_row};

const hr_layer_kernels hr_layer_kernels_neon = {HR_BLOCK,
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
