// Kernels for processors with SSSE3 and SSE4.1, common since 2008.

#include "Kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("ssse3,sse4.1"))), apply_to = function)

#include "Vectors.h"
#include "GradientKernel.h"
#include "HistogramKernel.h"
#include "FeatureKernel.h"
#include "ScoreKernel.h"
#include "PickX86.h"
#include "ShrinkKernel.h"

enum { HR_SCREEN_PARTS = 2, HR_SCREEN_WINDOWS = 2 };

typedef __m128i hr_screen_sum;

/// The same sixteen planes of both cells of a piece.
typedef struct {
    __m128i first, second;
} hr_screen_part;

HR_KERNEL hr_screen_part hr_load_part(const uint8_t *at, int part)
{
    const __m128i *cells = (const __m128i *)at;
    return (hr_screen_part){_mm_loadu_si128(cells + part), _mm_loadu_si128(cells + 2 + part)};
}

HR_KERNEL hr_screen_sum hr_add_products(hr_screen_sum sum, hr_screen_part features, const int8_t *weights, int part)
{
    const __m128i *piece = (const __m128i *)weights;
    // The model keeps weights small enough for these sums of four products to fit 16 bits.
    const __m128i products = _mm_add_epi16(_mm_maddubs_epi16(features.first, piece[part]),
                                           _mm_maddubs_epi16(features.second, piece[2 + part]));
    return _mm_add_epi32(sum, _mm_madd_epi16(products, _mm_set1_epi16(1)));
}

HR_KERNEL int32_t hr_sum_lanes(hr_screen_sum v)
{
    const __m128i sum = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1)));
}

#include "ScreenKernel.h"

#pragma clang attribute pop

const hr_kernels hr_kernels_sse4 = {hr_shrink_row, hr_features, hr_screen_row, hr_score};

#endif
