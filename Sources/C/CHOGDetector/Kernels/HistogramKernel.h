// Orientation histograms of cells, in which every pixel votes for the four cells around it. Included after Vectors.h.
//
// The 64 pixels between four cell centres vote for the same four cells. They therefore vote into one small histogram
// with four numbers in each bin, one for each cell. This needs one addition of a vector of four instead of four scalar
// additions.

/// Bilinear weights of the pixels of a block: for the cells above left, below left, above right, below right.
typedef struct {
    hr_float4 at[HR_HOG_CELL][HR_HOG_CELL];
} hr_vote_weights;

static hr_vote_weights hr_make_vote_weights(void)
{
    hr_vote_weights weights;
    for (int y = 0; y < HR_HOG_CELL; ++y) {
        for (int x = 0; x < HR_HOG_CELL; ++x) {
            const float right = ((float)x + 0.5f) / HR_HOG_CELL, below = ((float)y + 0.5f) / HR_HOG_CELL;
            weights.at[y][x] =
                (hr_float4){(1 - below) * (1 - right), below * (1 - right), (1 - below) * right, below * right};
        }
    }
    return weights;
}

HR_KERNEL void hr_add4(float *at, hr_float4 v)
{
    hr_float4 old;
    memcpy(&old, at, sizeof old);
    old += v;
    memcpy(at, &old, sizeof old);
}

/// Adds a block's bins to its four cells, four bins at a time.
HR_KERNEL void hr_add_block(const hr_float4 *bins, float *above, float *below)
{
    for (int o = 0; o < HR_PADDED_ORIENTATIONS; o += 4) {
        const hr_float4 a = __builtin_shufflevector(bins[o], bins[o + 1], 0, 4, 1, 5);
        const hr_float4 b = __builtin_shufflevector(bins[o + 2], bins[o + 3], 0, 4, 1, 5);
        const hr_float4 c = __builtin_shufflevector(bins[o], bins[o + 1], 2, 6, 3, 7);
        const hr_float4 d = __builtin_shufflevector(bins[o + 2], bins[o + 3], 2, 6, 3, 7);
        hr_add4(above + o, __builtin_shufflevector(a, b, 0, 1, 4, 5));
        hr_add4(below + o, __builtin_shufflevector(a, b, 2, 3, 6, 7));
        hr_add4(above + HR_HOG_PLANES + o, __builtin_shufflevector(c, d, 0, 1, 4, 5));
        hr_add4(below + HR_HOG_PLANES + o, __builtin_shufflevector(c, d, 2, 3, 6, 7));
    }
}

/// Adds the votes of a band, the 8 rows between two rows of cell centres, to the histograms of both.
///
/// `above` and `below` start with the border cell; block c lies between cell c - 1 and cell c.
static void hr_vote(const hr_band *band, const hr_vote_weights *weights, int first_row, int end_row, int blocks,
                    float *above, float *below)
{
    for (int block = 0; block < blocks; block += HR_VOTING_BLOCKS) {
        hr_float4 bins[HR_VOTING_BLOCKS][HR_PADDED_ORIENTATIONS];
        memset(bins, 0, sizeof bins);

        for (int y = first_row; y < end_row; ++y) {
            const size_t start = (size_t)y * band->band_stride + (size_t)block * HR_HOG_CELL;
            const float *magnitude = band->magnitude + start;
            const uint8_t *orientation = band->orientation + start;
            for (int x = 0; x < HR_HOG_CELL; ++x) {
                const hr_float4 weight = weights->at[y][x];
#pragma clang loop unroll(full)
                for (int k = 0; k < HR_VOTING_BLOCKS; ++k) {
                    const int i = k * HR_HOG_CELL + x;
                    bins[k][orientation[i]] += weight * magnitude[i];
                }
            }
        }

        const int end = blocks - block < HR_VOTING_BLOCKS ? blocks - block : HR_VOTING_BLOCKS;
        for (int k = 0; k < end; ++k) {
            hr_add_block(bins[k], above + (size_t)(block + k) * HR_HOG_PLANES,
                         below + (size_t)(block + k) * HR_HOG_PLANES);
        }
    }
}

/// Adds the bins that ignore the gradient's sign to a row of finished histograms, and sums their squares.
static void hr_finish_histograms(float *histogram, int cells, float *norm)
{
    for (int c = 0; c < cells; ++c) {
        float *bins = histogram + (size_t)(c + 1) * HR_HOG_PLANES;
        // 9 of the 16 lanes are used; values read beyond bin 17 are 0.
        const hr_float16 both = hr_load16(bins) + hr_load16(bins + 9);
        const hr_float16 nine =
            __builtin_shufflevector(both, (hr_float16){0}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 16, 16, 16, 16, 16, 16);
        memcpy(bins + HR_ORIENTATIONS, &nine, (HR_HOG_PLANES - HR_ORIENTATIONS) * sizeof(float));
        norm[c] = hr_sum16(nine * nine);
    }
}
