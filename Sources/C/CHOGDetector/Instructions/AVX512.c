// Kernels for processors with AVX-512 and its 8-bit dot products (VNNI): Ice Lake, Zen 4 and later.

#include "Kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), \
                             apply_to = function)

#include "Vectors.h"
#include "GradientKernel.h"
#include "HistogramKernel.h"
#include "FeatureKernel.h"
#include "ScoreKernel.h"
#include "PickX86.h"
#include "ShrinkKernel.h"

enum { HR_SCREEN_PARTS = 1, HR_SCREEN_WINDOWS = 4 };

typedef __m512i hr_screen_sum;

/// Both cells of a piece.
typedef __m512i hr_screen_part;

HR_KERNEL hr_screen_part hr_load_part(const uint8_t *at, int part) { return _mm512_loadu_si512(at + part * HR_PIECE); }

HR_KERNEL hr_screen_sum hr_add_products(hr_screen_sum sum, hr_screen_part features, const int8_t *weights, int part)
{
    return _mm512_dpbusd_epi32(sum, features, _mm512_load_si512(weights + part * HR_PIECE));
}

HR_KERNEL int32_t hr_sum_lanes(hr_screen_sum v) { return _mm512_reduce_add_epi32(v); }

#include "ScreenKernel.h"

#pragma clang attribute pop

const hr_kernels hr_kernels_avx512 = {hr_shrink_row, hr_features, hr_screen_row, hr_score};

#endif
