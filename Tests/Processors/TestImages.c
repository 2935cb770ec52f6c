#include "TestImages.h"

#include <stdlib.h>

const char *const hr_content_names[HR_CONTENTS] = {"random", "blocks", "ramps", "extremes", "faces"};

/// The next number of SplitMix64.
static uint64_t next(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t end) { return (size_t)(next(state) % end); }

static int in_ellipse(int64_t x, int64_t y, int64_t across, int64_t down)
{
    return x * x * down * down + y * y * across * across <= across * across * down * down;
}

/// The tone of a face of 120×120 units around (0, 0).
static int face(int64_t x, int64_t y)
{
    const int64_t side = x < 0 ? -x : x;
    if (!in_ellipse(x, y, 44, 60))
        return 110;
    if (in_ellipse(side - 20, y + 14, 4, 4))
        return 20;
    if (in_ellipse(side - 20, y + 14, 10, 5))
        return 235;
    if (in_ellipse(side - 20, y + 27, 13, 3) || in_ellipse(x, y - 32, 18, 4))
        return 60;
    if (in_ellipse(side - 5, y - 14, 3, 2) || (side == 6 && y > -10 && y < 14))
        return 120;
    return y < -40 ? 50 : 190;
}

static void draw_blocks(uint8_t *pixels, size_t width, size_t height, size_t bytes_per_row, uint64_t *state)
{
    for (int i = 0; i < 60; ++i) {
        const size_t left = below(state, width), top = below(state, height);
        const size_t right = left + 1 + below(state, width / 4 + 1), bottom = top + 1 + below(state, height / 4 + 1);
        const unsigned tone = (unsigned)below(state, 256);
        for (size_t y = top; y < bottom && y < height; ++y) {
            uint8_t *row = pixels + y * bytes_per_row;
            for (size_t x = left; x < right && x < width; ++x)
                row[x] = (uint8_t)((row[x] + 3 * tone) / 4);
        }
    }
}

static uint8_t pixel(hr_content content, size_t x, size_t y, size_t height, uint64_t *state)
{
    const uint64_t noise = next(state);
    switch (content) {
    case HR_BLOCKS:
        return (uint8_t)(100 + noise % 56);
    case HR_RAMPS:
        return (uint8_t)(3 * x + 7 * y + x * y / 16);
    case HR_EXTREMES:
        return noise % 3 ? 255 * (noise >> 32 & 1) : (uint8_t)(noise >> 32);
    case HR_FACES: {
        // Faces in a grid with squares of two thirds of the height.
        const int64_t square = height / 3 * 2 + 1;
        const int64_t u = (int64_t)x % square, v = (int64_t)y % square;
        return (uint8_t)(face((2 * u - square) * 90 / square, (2 * v - square) * 90 / square) + (int)(noise % 9) - 4);
    }
    default:
        return (uint8_t)noise;
    }
}

uint8_t *hr_test_image(hr_content content, size_t width, size_t height, size_t bytes_per_row, uint64_t seed)
{
    uint8_t *pixels = malloc(bytes_per_row * (height - 1) + width);
    if (!pixels)
        abort();
    for (size_t y = 0; y < height; ++y) {
        for (size_t x = 0; x < width; ++x)
            pixels[y * bytes_per_row + x] = pixel(content, x, y, height, &seed);
        for (size_t x = width; x < bytes_per_row && y + 1 < height; ++x)
            pixels[y * bytes_per_row + x] = (uint8_t)next(&seed);
    }
    if (content == HR_BLOCKS)
        draw_blocks(pixels, width, height, bytes_per_row, &seed);
    return pixels;
}
