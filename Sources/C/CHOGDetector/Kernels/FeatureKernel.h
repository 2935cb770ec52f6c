// FHOG features of a level (Felzenszwalb et al. 2010, with the constants of dlib's fhog.h). Included after
// HistogramKernel.h.

/// Rounds 16 features to steps.
HR_KERNEL void hr_store_quantized(uint8_t *at, hr_float16 features, hr_float16 scale)
{
    const hr_int16 steps = __builtin_convertvector(features * scale + 0.5f, hr_int16);
    const hr_byte16 bytes = __builtin_convertvector(steps, hr_byte16);
    memcpy(at, &bytes, sizeof bytes);
}

/// Features of one row of cells, from its histograms and the norms of the row above, the same row and the row below.
static void hr_normalize(const float *histogram, const float *const norm[3], int columns, float *features,
                         uint8_t *quantized, float *energy)
{
    const float bin = 1 / hr_feature_step(0), texture = 1 / hr_feature_step(27);
    const hr_float16 low_scale = (hr_float16){0} + bin;
    const hr_float16 high_scale = {bin, bin, bin, bin,     bin,     bin,     bin,     bin,
                                   bin, bin, bin, texture, texture, texture, texture, 0};
    for (int x = 0; x < columns; ++x) {
        const float *bins = histogram + (size_t)(x + 2) * HR_HOG_PLANES;
        const hr_float16 low = hr_load16(bins), high = hr_load16(bins + 16);

        // Four blocks of 2 x 2 cells hold this cell; each has its own norm.
        const float upper[3] = {norm[0][x] + norm[1][x], norm[0][x + 1] + norm[1][x + 1],
                                norm[0][x + 2] + norm[1][x + 2]};
        const float lower[3] = {norm[1][x] + norm[2][x], norm[1][x + 1] + norm[2][x + 1],
                                norm[1][x + 2] + norm[2][x + 2]};
        const hr_float4 block = {lower[1] + lower[2], upper[1] + upper[2], lower[0] + lower[1], upper[0] + upper[1]};
        const hr_float4 limit = 0.2f * __builtin_elementwise_sqrt(block + 0.0001f);
        const hr_float4 scale = 0.1f / limit;

        hr_float16 low_sum = {0}, high_sum = {0}, signed_bins[4];
#pragma clang loop unroll(full)
        for (int k = 0; k < 4; ++k) {
            const hr_float16 most = (hr_float16){0} + limit[k], factor = (hr_float16){0} + scale[k];
            const hr_float16 low_part = hr_min16(low, most) * factor, high_part = hr_min16(high, most) * factor;
            low_sum += low_part;
            high_sum += high_part;
            // Bins 16 and 17 are signed too.
            signed_bins[k] = low_part + __builtin_shufflevector(high_part, (hr_float16){0}, 0, 1, 16, 16, 16, 16, 16,
                                                                16, 16, 16, 16, 16, 16, 16, 16, 16);
        }
        const hr_float4 sums = hr_sums16(signed_bins[0], signed_bins[1], signed_bins[2], signed_bins[3]);
        const hr_float4 textures = sums * (2 * 0.2357f);
        const hr_float16 wide =
            __builtin_shufflevector(textures, textures, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0);
        high_sum = __builtin_shufflevector(high_sum, wide, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 27, 28, 29, 30, 15);

        float *out = features + (size_t)x * HR_HOG_PLANES;
        hr_store16(out, low_sum);
        hr_store16(out + 16, high_sum);
        hr_store_quantized(quantized + (size_t)x * HR_HOG_PLANES, low_sum, low_scale);
        hr_store_quantized(quantized + (size_t)x * HR_HOG_PLANES + 16, high_sum, high_scale);
        energy[x] = hr_sum16(low_sum * low_sum + high_sum * high_sum);
    }
}

static void hr_features(const hr_level *level, hr_band *band, const hr_grid *grid, int at, int count)
{
    // Half a cell at the right and bottom edge counts as a cell, as in dlib.
    const int cell_rows = grid->rows + 2, cell_columns = grid->columns + 2;
    const int end_row = (cell_rows * HR_HOG_CELL < level->height ? cell_rows * HR_HOG_CELL : level->height) - 1;
    const int end_column = (cell_columns * HR_HOG_CELL < level->width ? cell_columns * HR_HOG_CELL : level->width) - 1;
    const size_t histogram_bytes = (size_t)(cell_columns + 2) * HR_HOG_PLANES * sizeof(float);
    const hr_vote_weights weights = hr_make_vote_weights();

    if (band->next == 0) {
        // Columns outside the image never get a gradient.
        memset(band->magnitude, 0, band->band_stride * HR_HOG_CELL * sizeof(float));
        memset(band->orientation, 0, band->band_stride * HR_HOG_CELL);
        memset(band->histogram[2], 0, histogram_bytes);
    }

    // Band b lies between the centres of the rows of cells b - 1 and b, and completes row b - 1.
    for (const int end = at + count; at < end; ++band->next) {
        const int b = band->next;
        float *above = band->histogram[(b + 2) % 3], *below = band->histogram[b % 3];
        memset(below, 0, histogram_bytes);

        const int top = b * HR_HOG_CELL - HR_HOG_CELL / 2;
        const int first_line = top < 1 ? 1 - top : 0;
        const int end_line = end_row - top < HR_HOG_CELL ? end_row - top : HR_HOG_CELL;
        for (int y = first_line; y < end_line; ++y) {
            const uint8_t *row = level->pixels + (size_t)(top + y) * level->bytes_per_row;
            hr_gradients(row - level->bytes_per_row, row, row + level->bytes_per_row, end_column,
                         band->orientation + (size_t)y * band->band_stride,
                         band->magnitude + (size_t)y * band->band_stride);
        }
        hr_vote(band, &weights, first_line, end_line, cell_columns + 1, above, below);

        if (b == 0)
            continue;
        hr_finish_histograms(above, cell_columns, band->norm[(b + 2) % 3]);
        if (b < 3)
            continue;
        const size_t cell = (size_t)at * (size_t)grid->stride + (size_t)grid->border;
        const float *const norm[3] = {band->norm[b % 3], band->norm[(b + 1) % 3], band->norm[(b + 2) % 3]};
        hr_normalize(band->histogram[(b + 1) % 3], norm, grid->columns, grid->features + cell * HR_HOG_PLANES,
                     grid->quantized + cell * HR_HOG_PLANES, grid->energy + cell);
        ++at;
    }
}
