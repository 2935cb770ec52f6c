// The inner loops of layers that only move and compare bytes; the compiler turns them into vectors. The plain kernels
// are the same code.

/// The maximum of 3 × 3 pixels at every second pixel; rows start with the pixel left of the first.
static void hr_layer_pool(const uint8_t *const *rows, uint8_t *out, int channels, int width)
{
    for (int x = 0; x < width; ++x) {
        const uint8_t *a = rows[0] + (size_t)(2 * x * channels), *b = rows[1] + (size_t)(2 * x * channels);
        const uint8_t *c = rows[2] + (size_t)(2 * x * channels);
        uint8_t *to = out + (size_t)(x * channels);
        for (int n = 0; n < channels; ++n) {
            uint8_t most = 0;
            for (int i = 0; i < 3; ++i) {
                const int at = i * channels + n;
                const uint8_t ab = a[at] > b[at] ? a[at] : b[at], abc = ab > c[at] ? ab : c[at];
                most = most > abc ? most : abc;
            }
            to[n] = most;
        }
    }
}

/// Alternates `half` bytes of a and of b for each pixel, rounded up to a multiple of 16.
static void hr_layer_mix(const uint8_t *restrict a, const uint8_t *restrict b, size_t pitch, uint8_t *restrict out,
                         size_t out_pitch, int half, int count)
{
    for (int x = 0; x < count; ++x, a += pitch, b += pitch, out += out_pitch)
        for (int n = 0; n < half; n += 16)
            for (int i = n; i < n + 16; ++i) {
                out[2 * i] = a[i];
                out[2 * i + 1] = b[i];
            }
}

/// A row with twice the pixels; each is 9, 3, 3 and 1 sixteenths of its four nearest pixels. `near` and `far` are rows.
static void hr_layer_up(const uint8_t *restrict near, const uint8_t *restrict far, size_t pitch, uint8_t *restrict out,
                        size_t out_pitch, int channels, int width)
{
    for (int x = 0; x < width; ++x) {
        const size_t here = (size_t)x * pitch;
        const size_t left = x > 0 ? here - pitch : here, right = x + 1 < width ? here + pitch : here;
        uint8_t *one = out + (size_t)(2 * x) * out_pitch, *other = one + out_pitch;
        for (int n = 0; n < channels; ++n) {
            const int middle = 3 * (3 * near[here + (size_t)n] + far[here + (size_t)n]) + 8;
            one[n] = (uint8_t)((middle + 3 * near[left + (size_t)n] + far[left + (size_t)n]) >> 4);
            other[n] = (uint8_t)((middle + 3 * near[right + (size_t)n] + far[right + (size_t)n]) >> 4);
        }
    }
}
