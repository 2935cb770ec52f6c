// The exact score of a window. Included after Vectors.h.

static float hr_score(const float *weights, const float *at, int rows, size_t row_floats, size_t grid_row_floats)
{
    hr_float16 sum = {0};
    for (int y = 0; y < rows; ++y) {
        for (size_t i = 0; i < row_floats; i += 16)
            sum += hr_load16(weights + i) * hr_load16(at + i);
        weights += row_floats;
        at += grid_row_floats;
    }
    return hr_sum16(sum);
}
