// Kernels for processors with AVX2.

#include "Layers.h"
#include "NetKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)

#include "RowsX86.h"
#include "RowKernels.h"

enum { HR_LANES = 8, HR_SUMS = 4, HR_PIXELS_16 = 4, HR_PIXELS_32 = 2, HR_PIXELS_64 = 2 };

typedef __m256i hr_sum;
typedef __m256i hr_four;
typedef __m256i hr_weights;

HR_KERNEL hr_sum hr_start(const int32_t *bias) { return _mm256_loadu_si256((const __m256i *)bias); }
HR_KERNEL hr_weights hr_load_weights(const int8_t *at) { return _mm256_loadu_si256((const __m256i *)at); }

HR_KERNEL hr_four hr_load_four(const uint8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return _mm256_set1_epi32(four);
}

HR_KERNEL hr_four hr_load_pixels(const uint8_t *at) { return hr_load_four(at); }

/// Adds pairs of 16-bit sums.
HR_KERNEL hr_sum hr_add_pairs(hr_sum sum, __m256i pairs)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

/// No sum of two products exceeds 16 bits: HR_NET_SHARED.
HR_KERNEL hr_sum hr_dot_pixels(hr_sum sum, hr_four a, hr_weights v)
{
    return hr_add_pairs(sum, _mm256_maddubs_epi16(a, v));
}

HR_KERNEL hr_sum hr_dot(hr_sum sum, hr_four a, hr_weights v, hr_four b, hr_weights w)
{
    return hr_dot_pixels(hr_dot_pixels(sum, a, v), b, w);
}

HR_KERNEL hr_short hr_shifted(hr_sum one, hr_sum other, int shift)
{
    const __m128i count = _mm_cvtsi32_si128(shift);
    return _mm256_packs_epi32(_mm256_sra_epi32(one, count), _mm256_sra_epi32(other, count));
}

HR_KERNEL void hr_store_shifted(int16_t *at, hr_sum one, hr_sum other, int shift)
{
    hr_store_short(at, hr_shifted(one, other, shift));
}

#include "SumKernels.h"

#include "LayerKernels.h"

#pragma clang attribute pop

const hr_net_kernels hr_net_kernels_avx2 = {HR_LANES,         0,
                                            hr_first_row,     hr_pointwise_row,
                                            hr_depthwise_row, hr_depthwise_pooled_row,
                                            hr_head_row,      hr_pool_row,
                                            hr_add_row};

const hr_layer_kernels hr_layer_kernels_avx2 = {HR_BLOCK,
                                                HR_LANES,
                                                0,
                                                hr_layer_point,
                                                hr_layer_point_short,
                                                hr_layer_widen,
                                                hr_layer_window,
                                                hr_layer_add,
                                                hr_layer_pool,
                                                hr_layer_mix,
                                                hr_layer_up};

#endif
