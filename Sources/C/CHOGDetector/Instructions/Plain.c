// Kernels for any processor.

#include "Kernels.h"

#include "Vectors.h"
#include "GradientKernel.h"
#include "HistogramKernel.h"
#include "FeatureKernel.h"
#include "ScoreKernel.h"

HR_KERNEL hr_byte16 hr_pick16(const uint8_t *row, const int *left)
{
    hr_byte16 picked;
    for (int i = 0; i < 16; ++i)
        picked[i] = row[left[i]];
    return picked;
}

#include "ShrinkKernel.h"

static void hr_screen_row(const hr_screen *screen, const uint8_t *at, size_t grid_row_bytes, int count, int32_t *scores)
{
    for (int f = 0; f < screen->filter_count; ++f) {
        for (int x = 0; x < count; ++x) {
            int32_t sum = 0;
            const int8_t *weights = screen->weights + (size_t)f * HR_PIECE;
            for (int y = 0; y < screen->rows; ++y) {
                const uint8_t *features = at + (size_t)y * grid_row_bytes + (size_t)x * HR_HOG_PLANES;
                for (size_t i = 0; i < screen->row_bytes; i += HR_PIECE) {
                    for (size_t j = 0; j < HR_PIECE; ++j)
                        sum += features[i + j] * weights[j];
                    weights += (size_t)screen->filter_count * HR_PIECE;
                }
            }
            scores[f * count + x] = sum;
        }
    }
}

const hr_kernels hr_kernels_plain = {hr_shrink_row, hr_features, hr_screen_row, hr_score};
