// Levels of dlib's pyramid_down<6> with its bilinear resize_image: the corners of both images coincide.

#include "Pyramid.h"

#include <math.h>

// No fused operations: positions must equal dlib's to the last bit.
#pragma clang fp contract(off)

void hr_pyramid_begin(hr_pyramid *pyramid, hr_level image)
{
    pyramid->level = image;
    pyramid->depth = 0;
}

/// The sampling positions of a level's columns in the previous level.
///
/// dlib steps through a row four columns at a time in single precision, and the error accumulates to a few thousandths
/// of a pixel in a wide image. This function uses the same steps to get the same pixels, and double precision for the
/// last columns of a row.
static void sample_columns(int source_width, int width, hr_shrink *shrink)
{
    const double scale = (source_width - 1) / (double)(width > 1 ? width - 1 : 1);
    const float step = (float)(4 * scale);
    const double start = -4 * scale;
    float at[4] = {(float)start, (float)(start + scale), (float)(start + 2 * scale), (float)(start + 3 * scale)};

    int x = 0;
    for (;; x += 4) {
        for (int i = 0; i < 4; ++i)
            at[i] += step;
        if ((int)at[3] + 1 >= source_width)
            break;
        for (int i = 0; i < 4; ++i) {
            shrink->left[x + i] = (int)at[i];
            shrink->fraction[x + i] = at[i] - (float)shrink->left[x + i];
        }
    }
    shrink->rounded = x;
    double position = -scale + x * scale;
    for (; x < width; ++x) {
        position += scale;
        shrink->left[x] = (int)floor(position);
        shrink->fraction[x] = (float)(position - shrink->left[x]);
    }
    // Columns are sampled sixteen at a time.
    for (; x < width + HR_SHRINK_SLACK; ++x) {
        shrink->left[x] = shrink->left[width - 1];
        shrink->fraction[x] = 0;
    }
}

int hr_pyramid_next(hr_pyramid *pyramid, const hr_kernels *kernels)
{
    const hr_level source = pyramid->level;
    const int width = 5 * source.width / 6, height = 5 * source.height / 6;

    const size_t columns = (size_t)width + HR_SHRINK_SLACK, source_columns = (size_t)source.width + HR_SHRINK_SLACK;
    hr_block *image = &pyramid->images[pyramid->depth % 2];
    if (!hr_block_reserve(image, (size_t)width * (size_t)height, 1) ||
        !hr_block_reserve(&pyramid->left, columns, sizeof(int)) ||
        !hr_block_reserve(&pyramid->fraction, columns, sizeof(float)) ||
        !hr_block_reserve(&pyramid->top, source_columns, 1) || !hr_block_reserve(&pyramid->bottom, source_columns, 1)) {
        return 0;
    }
    hr_shrink shrink = {.left = pyramid->left.bytes,
                        .fraction = pyramid->fraction.bytes,
                        .top = pyramid->top.bytes,
                        .bottom = pyramid->bottom.bytes};
    sample_columns(source.width, width, &shrink);
    for (int i = 0; i < HR_SHRINK_SLACK; ++i)
        shrink.top[source.width + i] = shrink.bottom[source.width + i] = 0;

    uint8_t *out = image->bytes;
    const double scale = (source.height - 1) / (double)(height > 1 ? height - 1 : 1);
    double position = -scale;
    for (int y = 0; y < height; ++y) {
        position += scale;
        const int top = (int)floor(position);
        const int bottom = top + 1 < source.height ? top + 1 : source.height - 1;
        kernels->shrink_row(source.pixels + (size_t)top * source.bytes_per_row,
                            source.pixels + (size_t)bottom * source.bytes_per_row, source.width, position - top,
                            &shrink, out + (size_t)y * (size_t)width, width);
    }
    pyramid->level = (hr_level){out, (size_t)width, width, height};
    ++pyramid->depth;
    return 1;
}

void hr_pyramid_free(hr_pyramid *pyramid)
{
    hr_block_free(&pyramid->images[0]);
    hr_block_free(&pyramid->images[1]);
    hr_block_free(&pyramid->left);
    hr_block_free(&pyramid->fraction);
    hr_block_free(&pyramid->top);
    hr_block_free(&pyramid->bottom);
}
