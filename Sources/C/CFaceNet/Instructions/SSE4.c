// Kernels for processors with SSSE3 and SSE4.1, common since 2008.

#include "Layers.h"
#include "NetKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("ssse3,sse4.1"))), apply_to = function)

enum { HR_SHORTS = 8 };

typedef __m128i hr_short;
typedef __m128i hr_bytes;

HR_KERNEL hr_short hr_load_short(const int16_t *at) { return _mm_loadu_si128((const __m128i *)at); }
HR_KERNEL void hr_store_short(int16_t *at, hr_short v) { _mm_storeu_si128((__m128i *)at, v); }
HR_KERNEL hr_short hr_scale(hr_short v, hr_short w) { return _mm_mulhrs_epi16(v, w); }
HR_KERNEL hr_short hr_plus(hr_short v, hr_short w) { return _mm_add_epi16(v, w); }
HR_KERNEL hr_short hr_plus_saturated(hr_short v, hr_short w) { return _mm_adds_epi16(v, w); }
HR_KERNEL hr_short hr_most(hr_short v, hr_short w) { return _mm_max_epi16(v, w); }
HR_KERNEL hr_bytes hr_larger(hr_bytes v, hr_bytes w) { return _mm_max_epu8(v, w); }

HR_KERNEL void hr_store_clamped(uint8_t *at, hr_short v) { _mm_storel_epi64((__m128i *)at, _mm_packus_epi16(v, v)); }

HR_KERNEL hr_short hr_load_128(const uint8_t *at)
{
    return _mm_slli_epi16(_mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)at)), 7);
}

HR_KERNEL hr_short hr_rounded_byte(hr_short v) { return _mm_srai_epi16(_mm_adds_epi16(v, _mm_set1_epi16(64)), 7); }

#include "RowKernels.h"

enum { HR_LANES = 4, HR_SUMS = 4, HR_PIXELS_16 = 2, HR_PIXELS_32 = 2, HR_PIXELS_64 = 2 };

typedef __m128i hr_sum;
typedef __m128i hr_four;
typedef __m128i hr_weights;

HR_KERNEL hr_sum hr_start(const int32_t *bias) { return _mm_loadu_si128((const __m128i *)bias); }
HR_KERNEL hr_weights hr_load_weights(const int8_t *at) { return _mm_loadu_si128((const __m128i *)at); }

HR_KERNEL hr_four hr_load_four(const uint8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return _mm_set1_epi32(four);
}

HR_KERNEL hr_four hr_load_pixels(const uint8_t *at) { return hr_load_four(at); }

/// Adds pairs of 16-bit sums.
HR_KERNEL hr_sum hr_add_pairs(hr_sum sum, __m128i pairs)
{
    return _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
}

/// No sum of two products exceeds 16 bits: HR_NET_SHARED.
HR_KERNEL hr_sum hr_dot_pixels(hr_sum sum, hr_four a, hr_weights v)
{
    return hr_add_pairs(sum, _mm_maddubs_epi16(a, v));
}

HR_KERNEL hr_sum hr_dot(hr_sum sum, hr_four a, hr_weights v, hr_four b, hr_weights w)
{
    return hr_dot_pixels(hr_dot_pixels(sum, a, v), b, w);
}

HR_KERNEL hr_short hr_shifted(hr_sum one, hr_sum other, int shift)
{
    const __m128i count = _mm_cvtsi32_si128(shift);
    return _mm_packs_epi32(_mm_sra_epi32(one, count), _mm_sra_epi32(other, count));
}

HR_KERNEL void hr_store_shifted(int16_t *at, hr_sum one, hr_sum other, int shift)
{
    hr_store_short(at, hr_shifted(one, other, shift));
}

#include "SumKernels.h"

HR_KERNEL hr_short hr_minus(hr_short v, hr_short w) { return _mm_sub_epi16(v, w); }
HR_KERNEL hr_short hr_broadcast(int16_t value) { return _mm_set1_epi16(value); }
HR_KERNEL hr_short hr_load_widened(const uint8_t *at) { return hr_load_128(at); }
HR_KERNEL void hr_store_bytes(uint8_t *at, hr_short v) { hr_store_clamped(at, v); }

#include "LayerKernels.h"

#pragma clang attribute pop

const hr_net_kernels hr_net_kernels_sse4 = {HR_LANES,         0,
                                            hr_first_row,     hr_pointwise_row,
                                            hr_depthwise_row, hr_depthwise_pooled_row,
                                            hr_head_row,      hr_pool_row,
                                            hr_add_row};

const hr_layer_kernels hr_layer_kernels_sse4 = {HR_BLOCK,
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
