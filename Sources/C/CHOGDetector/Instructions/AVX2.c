// Kernels for processors with AVX2.

#include "Kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)

#include "Vectors.h"
#include "GradientKernel.h"
#include "HistogramKernel.h"
#include "FeatureKernel.h"
#include "ScoreKernel.h"
#include "PickX86.h"
#include "ShrinkKernel.h"

enum { HR_SCREEN_PARTS = 1, HR_SCREEN_WINDOWS = 2 };

typedef __m256i hr_screen_sum;

/// Both cells of a piece.
typedef struct {
    __m256i first, second;
} hr_screen_part;

HR_KERNEL hr_screen_part hr_load_part(const uint8_t *at, int part)
{
    const __m256i *cells = (const __m256i *)at + part;
    return (hr_screen_part){_mm256_loadu_si256(cells), _mm256_loadu_si256(cells + 1)};
}

HR_KERNEL hr_screen_sum hr_add_products(hr_screen_sum sum, hr_screen_part features, const int8_t *weights, int part)
{
    const __m256i *piece = (const __m256i *)weights + part;
    // The model keeps weights small enough for these sums of four products to fit 16 bits.
    const __m256i products = _mm256_add_epi16(_mm256_maddubs_epi16(features.first, piece[0]),
                                              _mm256_maddubs_epi16(features.second, piece[1]));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(products, _mm256_set1_epi16(1)));
}

HR_KERNEL int32_t hr_sum_lanes(hr_screen_sum v)
{
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1)));
}

#include "ScreenKernel.h"

#pragma clang attribute pop

const hr_kernels hr_kernels_avx2 = {hr_shrink_row, hr_features, hr_screen_row, hr_score};

#endif
