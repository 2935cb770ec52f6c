// Kernels for processors with AVX-512 and its 8-bit dot products (VNNI): Ice Lake, Zen 4 and later.

#include "Layers.h"
#include "NetKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), \
                             apply_to = function)

#include "RowsX86.h"
#include "RowKernels.h"

enum { HR_LANES = 16, HR_SUMS = 4, HR_PIXELS_16 = 8, HR_PIXELS_32 = 8, HR_PIXELS_64 = 4 };

typedef __m512i hr_sum;
typedef __m512i hr_four;
typedef __m512i hr_weights;

HR_KERNEL hr_sum hr_start(const int32_t *bias) { return _mm512_loadu_si512(bias); }
HR_KERNEL hr_weights hr_load_weights(const int8_t *at) { return _mm512_loadu_si512(at); }

HR_KERNEL hr_four hr_load_four(const uint8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return _mm512_set1_epi32(four);
}

HR_KERNEL hr_four hr_load_pixels(const uint8_t *at) { return hr_load_four(at); }

HR_KERNEL hr_sum hr_dot_pixels(hr_sum sum, hr_four a, hr_weights v) { return _mm512_dpbusd_epi32(sum, a, v); }

HR_KERNEL hr_sum hr_dot(hr_sum sum, hr_four a, hr_weights v, hr_four b, hr_weights w)
{
    return _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(sum, a, v), b, w);
}

HR_KERNEL hr_short hr_shifted(hr_sum one, hr_sum other, int shift)
{
    (void)other;
    return _mm512_cvtsepi32_epi16(_mm512_sra_epi32(one, _mm_cvtsi32_si128(shift)));
}

HR_KERNEL void hr_store_shifted(int16_t *at, hr_sum one, hr_sum other, int shift)
{
    const __m128i count = _mm_cvtsi32_si128(shift);
    _mm512_storeu_si512(at, _mm512_packs_epi32(_mm512_sra_epi32(one, count), _mm512_sra_epi32(other, count)));
}

#include "SumKernels.h"

#include "LayerKernels.h"

#pragma clang attribute pop

const hr_net_kernels hr_net_kernels_avx512 = {HR_LANES,         0,
                                              hr_first_row,     hr_pointwise_row,
                                              hr_depthwise_row, hr_depthwise_pooled_row,
                                              hr_head_row,      hr_pool_row,
                                              hr_add_row};

const hr_layer_kernels hr_layer_kernels_avx512 = {HR_BLOCK,
                                                  0,
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
