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

/// Sixteen samples of a row. They lie within 32 columns, because a level shrinks by 5/6.
HR_KERNEL hr_float16 hr_pick16(const float *row, const int *left)
{
    const __m512i offset = _mm512_sub_epi32(_mm512_loadu_si512(left), _mm512_set1_epi32(left[0]));
    return _mm512_permutex2var_ps(_mm512_loadu_ps(row + left[0]), offset, _mm512_loadu_ps(row + left[0] + 16));
}

#include "ShrinkKernel.h"

/// Scores of `windows` neighbouring windows with `filters` neighbouring filters; both are constants when inlined.
static inline __attribute__((always_inline)) void hr_screen_block(const hr_screen *screen, const uint8_t *at,
                                                                  size_t grid_row_bytes, const int8_t *weights,
                                                                  const int windows, const int filters, int32_t *scores,
                                                                  int count)
{
    __m512i sums[4][5];
#pragma clang loop unroll(full)
    for (int w = 0; w < windows; ++w) {
#pragma clang loop unroll(full)
        for (int f = 0; f < filters; ++f)
            sums[w][f] = _mm512_setzero_si512();
    }
    for (int y = 0; y < screen->rows; ++y) {
        for (size_t i = 0; i < screen->row_bytes; i += HR_PIECE) {
            __m512i features[4];
#pragma clang loop unroll(full)
            for (int w = 0; w < windows; ++w) {
                features[w] = _mm512_loadu_si512(at + i + (size_t)w * HR_HOG_PLANES);
            }
#pragma clang loop unroll(full)
            for (int f = 0; f < filters; ++f) {
                const __m512i weight = _mm512_load_si512(weights + f * HR_PIECE);
#pragma clang loop unroll(full)
                for (int w = 0; w < windows; ++w)
                    sums[w][f] = _mm512_dpbusd_epi32(sums[w][f], features[w], weight);
            }
            weights += (size_t)screen->filter_count * HR_PIECE;
        }
        at += grid_row_bytes;
    }
#pragma clang loop unroll(full)
    for (int w = 0; w < windows; ++w) {
#pragma clang loop unroll(full)
        for (int f = 0; f < filters; ++f)
            scores[f * count + w] = _mm512_reduce_add_epi32(sums[w][f]);
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
        for (; x + 4 <= count; x += 4) {
            const uint8_t *window = at + (size_t)x * HR_HOG_PLANES;
            if (filters == 5)
                hr_screen_block(screen, window, grid_row_bytes, weights, 4, 5, out + x, count);
            else
                hr_screen_block(screen, window, grid_row_bytes, weights, 4, 1, out + x, count);
        }
        for (; x < count; ++x) {
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

const hr_kernels hr_kernels_avx512 = {hr_shrink_row, hr_features, hr_screen_row, hr_score};

#endif
