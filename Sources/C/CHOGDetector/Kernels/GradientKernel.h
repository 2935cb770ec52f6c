// Direction (one of 18) and magnitude of the gradients of a row of pixels. Included after Vectors.h.

// Boundaries between the first five of dlib's directions, whose cosines and sines dlib defines with four digits: (1,
// 0), (0.9397, 0.3420), (0.7660, 0.6428), (0.5, 0.8660), (0.1736, 0.9848). A gradient is nearer to the next direction
// if |dy| > |dx| * t, where t is 603/3420, 1737/3008, 2660/2232, 3264/1188. This is exact in 16 bits: for all pairs of
// integers up to 255, the comparison with these boundaries gives the same result as dlib's.
enum {
    HR_FIRST_BOUNDARY = 11555,  // 65536 * t
    HR_SECOND_BOUNDARY = 37844,
    HR_THIRD_BOUNDARY = 54991,  // 65536 / t, for t over 1
    HR_FOURTH_BOUNDARY = 23853,
};

enum { HR_GRADIENT_LANES = 32 };

/// The upper half of a product of 16 bits.
HR_KERNEL hr_ushort32 hr_multiply_high(hr_ushort32 v, uint16_t factor)
{
    const hr_uint32 product = __builtin_convertvector(v, hr_uint32) * (uint32_t)factor;
    return __builtin_convertvector(product >> 16, hr_ushort32);
}

HR_KERNEL hr_short32 hr_pixels(const uint8_t *at)
{
    hr_byte32 v;
    memcpy(&v, at, sizeof v);
    return __builtin_convertvector(v, hr_short32);
}

/// The direction of 32 gradients. A true comparison is -1.
HR_KERNEL hr_short32 hr_directions(hr_short32 dx, hr_short32 dy)
{
    const hr_short32 leftward = dx < 0, upward = dy < 0;
    const hr_ushort32 width = (hr_ushort32)((dx ^ leftward) - leftward);
    const hr_ushort32 height = (hr_ushort32)((dy ^ upward) - upward);
    const hr_short32 nearest = -((height > hr_multiply_high(width, HR_FIRST_BOUNDARY)) +
                                 (height > hr_multiply_high(width, HR_SECOND_BOUNDARY)) +
                                 (width <= hr_multiply_high(height, HR_THIRD_BOUNDARY)) +
                                 (width <= hr_multiply_high(height, HR_FOURTH_BOUNDARY)));

    // Mirror into the other quadrants. Straight up is equally near to two directions; dlib uses the first.
    const hr_short32 lower = ((9 - nearest) & leftward) | (nearest & ~leftward);
    const hr_short32 not_right = dx <= 0;
    const hr_short32 mirrored = (18 - nearest) & (nearest != 0);
    const hr_short32 upper = ((9 + nearest) & not_right) | (mirrored & ~not_right);
    return (upper & upward) | (lower & ~upward);
}

/// Direction and magnitude of 32 gradients, `row` pointing to the first pixel.
HR_KERNEL void hr_gradient_step(const uint8_t *above, const uint8_t *row, const uint8_t *below, uint8_t *orientation,
                                float *magnitude)
{
    const hr_short32 dx = hr_pixels(row + 1) - hr_pixels(row - 1);
    const hr_short32 dy = hr_pixels(below) - hr_pixels(above);
    const hr_byte32 direction = __builtin_convertvector(hr_directions(dx, dy), hr_byte32);
    memcpy(orientation, &direction, sizeof direction);

    const hr_float32 x = __builtin_convertvector(dx, hr_float32), y = __builtin_convertvector(dy, hr_float32);
    const hr_float32 length = __builtin_elementwise_sqrt(x * x + y * y);
    memcpy(magnitude, &length, sizeof length);
}

/// For columns 1 up to `end`, writes at index column + 4. With this offset, each block of 8 columns that vote for the
/// same two cells starts at a multiple of 8.
static void hr_gradients(const uint8_t *above, const uint8_t *row, const uint8_t *below, int end, uint8_t *orientation,
                         float *magnitude)
{
    int x = 1;
    for (; x + HR_GRADIENT_LANES <= end; x += HR_GRADIENT_LANES) {
        hr_gradient_step(above + x, row + x, below + x, orientation + x + 4, magnitude + x + 4);
    }
    if (x >= end)
        return;

    // The last columns are copied, because the memory may end with the row.
    const size_t count = (size_t)(end - x);
    uint8_t pixels[3][HR_GRADIENT_LANES + 2] = {{0}};
    memcpy(pixels[0], above + x, count);
    memcpy(pixels[1], row + x - 1, count + 2);
    memcpy(pixels[2], below + x, count);
    uint8_t directions[HR_GRADIENT_LANES];
    float lengths[HR_GRADIENT_LANES];
    hr_gradient_step(pixels[0], pixels[1] + 1, pixels[2], directions, lengths);
    memcpy(orientation + x + 4, directions, count);
    memcpy(magnitude + x + 4, lengths, count * sizeof(float));
}
