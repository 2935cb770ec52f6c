// Scores of a row of windows in 8 bits. A piece is multiplied in parts, so that sums and features fit into registers.
// Included after definitions of
//
// - hr_screen_sum, a vector of sums of 32 bits, and hr_sum_lanes();
// - hr_screen_part, features of a part, and hr_load_part() and hr_add_products();
// - HR_SCREEN_PARTS of a piece, and HR_SCREEN_WINDOWS, neighbouring windows that are scored together.

enum { HR_SCREEN_FILTERS = 5 };

/// Scores of `windows` neighbouring windows with `filters` neighbouring filters; both are constants when inlined.
HR_KERNEL void hr_screen_block(const hr_screen *screen, const uint8_t *at, size_t grid_row_bytes, const int8_t *weights,
                               const int windows, const int filters, int32_t *scores, int count)
{
    hr_screen_sum sums[HR_SCREEN_WINDOWS][HR_SCREEN_FILTERS];
#pragma clang loop unroll(full)
    for (int w = 0; w < windows; ++w) {
#pragma clang loop unroll(full)
        for (int f = 0; f < filters; ++f)
            sums[w][f] = (hr_screen_sum){0};
    }
    for (int y = 0; y < screen->rows; ++y) {
        for (size_t i = 0; i < screen->row_bytes; i += HR_PIECE) {
#pragma clang loop unroll(full)
            for (int part = 0; part < HR_SCREEN_PARTS; ++part) {
                hr_screen_part features[HR_SCREEN_WINDOWS];
#pragma clang loop unroll(full)
                for (int w = 0; w < windows; ++w)
                    features[w] = hr_load_part(at + i + (size_t)w * HR_HOG_PLANES, part);
#pragma clang loop unroll(full)
                for (int f = 0; f < filters; ++f) {
#pragma clang loop unroll(full)
                    for (int w = 0; w < windows; ++w)
                        sums[w][f] = hr_add_products(sums[w][f], features[w], weights + f * HR_PIECE, part);
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

HR_KERNEL void hr_screen_windows(const hr_screen *screen, const uint8_t *at, size_t grid_row_bytes, int count,
                                 const int filters, const int8_t *weights, int32_t *scores)
{
    int x = 0;
    for (; x + HR_SCREEN_WINDOWS <= count; x += HR_SCREEN_WINDOWS) {
        const uint8_t *window = at + (size_t)x * HR_HOG_PLANES;
        hr_screen_block(screen, window, grid_row_bytes, weights, HR_SCREEN_WINDOWS, filters, scores + x, count);
    }
    for (; x < count; ++x) {
        const uint8_t *window = at + (size_t)x * HR_HOG_PLANES;
        hr_screen_block(screen, window, grid_row_bytes, weights, 1, filters, scores + x, count);
    }
}

static void hr_screen_row(const hr_screen *screen, const uint8_t *at, size_t grid_row_bytes, int count, int32_t *scores)
{
    int f = 0;
    for (; f + HR_SCREEN_FILTERS <= screen->filter_count; f += HR_SCREEN_FILTERS) {
        hr_screen_windows(screen, at, grid_row_bytes, count, HR_SCREEN_FILTERS, screen->weights + (size_t)f * HR_PIECE,
                          scores + f * count);
    }
    for (; f < screen->filter_count; ++f) {
        hr_screen_windows(screen, at, grid_row_bytes, count, 1, screen->weights + (size_t)f * HR_PIECE,
                          scores + f * count);
    }
}
