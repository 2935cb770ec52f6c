// One row of a smaller level of the pyramid. Included after Vectors.h and a definition of hr_pick16().
//
// The order of operations is the same as in dlib. Other rounding would not change the detections, but it would change
// scores in the third digit, and equality with dlib could not be tested.

HR_KERNEL hr_float16 hr_sample16(const uint8_t *row, const int *left)
{
    return __builtin_convertvector(hr_pick16(row, left), hr_float16);
}

static void hr_shrink_row(const uint8_t *top, const uint8_t *bottom, int source_width, double fraction,
                          const hr_shrink *shrink, uint8_t *out, int width)
{
    memcpy(shrink->top, top, (size_t)source_width);
    memcpy(shrink->bottom, bottom, (size_t)source_width);

    const float below = (float)fraction, above = (float)(1 - fraction);
    for (int x = 0; x < shrink->rounded; x += 16) {
        const int *left = shrink->left + x;
        const hr_float16 right_part = hr_load16(shrink->fraction + x), left_part = 1 - right_part;
        const hr_float16 value = above * left_part * hr_sample16(shrink->top, left) +
                                 above * right_part * hr_sample16(shrink->top + 1, left) +
                                 below * left_part * hr_sample16(shrink->bottom, left) +
                                 below * right_part * hr_sample16(shrink->bottom + 1, left);
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
        const float upper = (1 - part) * (float)shrink->top[left] + part * (float)shrink->top[right];
        const float lower = (1 - part) * (float)shrink->bottom[left] + part * (float)shrink->bottom[right];
        out[x] = (uint8_t)(float)((1 - fraction) * upper + fraction * lower);
    }
}
