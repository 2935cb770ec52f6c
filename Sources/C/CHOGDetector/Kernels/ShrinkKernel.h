// One row of a smaller level of the pyramid. Included after Vectors.h and a definition of hr_pick16().
//
// The order of operations is dlib's, without fused ones: a grey value that rounds differently would not change the
// detections, but scores in the third digit, and equality with dlib could not be tested.

#pragma clang fp contract(off)

static void hr_widen(const uint8_t *row, int width, float *out)
{
    for (int x = 0; x < width; ++x)
        out[x] = (float)row[x];
}

static void hr_shrink_row(const uint8_t *top, const uint8_t *bottom, int source_width, double fraction,
                          const hr_shrink *shrink, uint8_t *out, int width)
{
    hr_widen(top, source_width, shrink->top);
    hr_widen(bottom, source_width, shrink->bottom);

    const float below = (float)fraction, above = (float)(1 - fraction);
    for (int x = 0; x < shrink->rounded; x += 16) {
        const int *left = shrink->left + x;
        const hr_float16 right_part = hr_load16(shrink->fraction + x), left_part = 1 - right_part;
        const hr_float16 value = above * left_part * hr_pick16(shrink->top, left) +
                                 above * right_part * hr_pick16(shrink->top + 1, left) +
                                 below * left_part * hr_pick16(shrink->bottom, left) +
                                 below * right_part * hr_pick16(shrink->bottom + 1, left);
        const hr_byte16 bytes = __builtin_convertvector(__builtin_convertvector(value + 0.5f, hr_int16), hr_byte16);
        if (x + 16 <= width)
            memcpy(out + x, &bytes, 16);
        else
            memcpy(out + x, &bytes, (size_t)(width - x));
    }

    // dlib finishes a row in double precision, and does not round there.
    for (int x = shrink->rounded; x < width; ++x) {
        const int left = shrink->left[x], right = left + 1 < source_width ? left + 1 : left;
        const float part = shrink->fraction[x];
        const float upper = (1 - part) * shrink->top[left] + part * shrink->top[right];
        const float lower = (1 - part) * shrink->bottom[left] + part * shrink->bottom[right];
        out[x] = (uint8_t)(float)((1 - fraction) * upper + fraction * lower);
    }
}

#pragma clang fp contract(on)
