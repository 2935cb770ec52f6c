// Kernels for processors with AVX2 and FMA.

#include "Kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)

#include "Vectors.h"
#include "GradientKernel.h"
#include "HistogramKernel.h"
#include "FeatureKernel.h"
#include "ScoreKernel.h"

/// Eight samples of a row. They lie within 16 columns, because a level shrinks by 5/6.
HR_KERNEL __m256 hr_pick8(const float *row, const int *left)
{
    const __m256i offset = _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)left), _mm256_set1_epi32(left[0]));
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(row + left[0]), offset);
    const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(row + left[0] + 8), offset);
    const __m256i over = _mm256_cmpgt_epi32(offset, _mm256_set1_epi32(7));
    return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(over));
}

HR_KERNEL hr_float16 hr_pick16(const float *row, const int *left)
{
    return __builtin_shufflevector(hr_pick8(row, left), hr_pick8(row, left + 8), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                   12, 13, 14, 15);
}

#include "ShrinkKernel.h"

static inline int32_t hr_sum_lanes(__m256i v)
{
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum);
}

/// Scores of `windows` neighbouring windows with `filters` neighbouring filters; both are constants when inlined.
static inline __attribute__((always_inline)) void hr_screen_block(const hr_screen *screen, const uint8_t *at,
                                                                  size_t grid_row_bytes, const int8_t *weights,
                                                                  const int windows, const int filters, int32_t *scores,
                                                                  int count)
{
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[2][5];
#pragma clang loop unroll(full)
    for (int w = 0; w < windows; ++w) {
#pragma clang loop unroll(full)
        for (int f = 0; f < filters; ++f)
            sums[w][f] = _mm256_setzero_si256();
    }
    for (int y = 0; y < screen->rows; ++y) {
        for (size_t i = 0; i < screen->row_bytes; i += HR_PIECE) {
            __m256i first[2], second[2];
#pragma clang loop unroll(full)
            for (int w = 0; w < windows; ++w) {
                const uint8_t *cells = at + i + (size_t)w * HR_HOG_PLANES;
                first[w] = _mm256_loadu_si256((const __m256i *)cells);
                second[w] = _mm256_loadu_si256((const __m256i *)(cells + HR_HOG_PLANES));
            }
#pragma clang loop unroll(full)
            for (int f = 0; f < filters; ++f) {
                const __m256i *piece = (const __m256i *)(weights + f * HR_PIECE);
#pragma clang loop unroll(full)
                for (int w = 0; w < windows; ++w) {
                    // The model keeps weights small enough for these sums of four products to fit 16 bits.
                    const __m256i products = _mm256_add_epi16(_mm256_maddubs_epi16(first[w], piece[0]),
                                                              _mm256_maddubs_epi16(second[w], piece[1]));
                    sums[w][f] = _mm256_add_epi32(sums[w][f], _mm256_madd_epi16(products, ones));
                }
            }
            weights += (size_t)screen->filter_count * HR_PIECE;
        }
        at += grid_row_bytes;
    }
#pragma clang loop unroll(full)
    for (int w = 0; w < windows; ++w) {
#pragma clang loop unroll(full)
        for (int f = 0; f < filters; ++f)
            scores[f * count + w] = hr_sum_lanes(sums[w][f]);
    }
}

static void hr_screen_row(const hr_screen *screen, const uint8_t *at, size_t grid_row_bytes, int count, int32_t *scores)
{
    int f = 0;
    while (f < screen->filter_count) {
        const int8_t *weights = screen->weights + (size_t)f * HR_PIECE;
        int32_t *out = scores + f * count;
        const int filters = screen->filter_count - f >= 5 ? 5 : 1;
        int x = 0;
        for (; x + 2 <= count; x += 2) {
            const uint8_t *window = at + (size_t)x * HR_HOG_PLANES;
            if (filters == 5)
                hr_screen_block(screen, window, grid_row_bytes, weights, 2, 5, out + x, count);
            else
                hr_screen_block(screen, window, grid_row_bytes, weights, 2, 1, out + x, count);
        }
        if (x < count) {
            const uint8_t *window = at + (size_t)x * HR_HOG_PLANES;
            if (filters == 5)
                hr_screen_block(screen, window, grid_row_bytes, weights, 1, 5, out + x, count);
            else
                hr_screen_block(screen, window, grid_row_bytes, weights, 1, 1, out + x, count);
        }
        f += filters;
    }
}

#pragma clang attribute pop

const hr_kernels hr_kernels_avx2 = {hr_shrink_row, hr_features, hr_screen_row, hr_score};

#endif
