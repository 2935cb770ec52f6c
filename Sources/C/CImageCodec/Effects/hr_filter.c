#include "hr_filter.h"

#include "hr_rows.h"
#include "hr_variants.h"

typedef struct {
    const uint8_t *a, *b, *c;
} row;

typedef struct {
    uint8_t *a, *b, *c;
} target_row;

static row row_of(const hr_plane *planes, int y)
{
    return (row){hr_row(&planes[0], y), hr_row(&planes[1], y), hr_row(&planes[2], y)};
}

static target_row target_row_of(const hr_target *planes, int y)
{
    return (target_row){hr_target_row(&planes[0], y), hr_target_row(&planes[1], y), hr_target_row(&planes[2], y)};
}

static inline __attribute__((always_inline)) uint8_t byte_of(float value)
{
    value = value > 0 ? value : 0;
    value = value < 255 ? value : 255;
    return (uint8_t)(int)(value + 0.5F);
}

// The rows are the same memory or do not overlap, so a sample depends only on samples in the same column.

HR_KERNEL matrix_row_kernel(const float *m, row from, target_row to, int width)
{
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < width; x++) {
        const float r = from.a[x], g = from.b[x], b = from.c[x];
        to.a[x] = byte_of(m[0] * r + m[1] * g + m[2] * b + m[3]);
        to.b[x] = byte_of(m[4] * r + m[5] * g + m[6] * b + m[7]);
        to.c[x] = byte_of(m[8] * r + m[9] * g + m[10] * b + m[11]);
    }
}
HR_VARIANTS(matrix_row, (const float *m, row from, target_row to, int width), (m, from, to, width))

static void curves_row(const uint8_t *curves, row from, target_row to, int width)
{
    for (int x = 0; x < width; x++) {
        to.a[x] = curves[from.a[x]];
        to.b[x] = curves[256 + from.b[x]];
        to.c[x] = curves[512 + from.c[x]];
    }
}

HR_KERNEL vignette_row_kernel(float strength, float unit, float down, row from, target_row to, int width)
{
    const float middle = (float)width / 2 - 0.5F;
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < width; x++) {
        const float across = (float)x - middle;
        const float square = (across * across + down) * unit;
        const float factor = 1 - strength * square * square;
        to.a[x] = byte_of(factor * from.a[x]);
        to.b[x] = byte_of(factor * from.b[x]);
        to.c[x] = byte_of(factor * from.c[x]);
    }
}
HR_VARIANTS(vignette_row, (float strength, float unit, float down, row from, target_row to, int width),
            (strength, unit, down, from, to, width))

void hr_filter_steps(const hr_plane *from, const hr_target *to, const hr_step *steps, int count)
{
    const int width = to[0].width, height = to[0].height;
    const float half_width = (float)width / 2, half_height = (float)height / 2;
    const float unit = 1 / (half_width * half_width + half_height * half_height);
    for (int y = 0; y < height; y++) {
        row in = row_of(from, y);
        const target_row out = target_row_of(to, y);
        const float down = (float)y + 0.5F - half_height;
        for (int i = 0; i < count; i++) {
            switch (steps[i].kind) {
            case HR_STEP_MATRIX:
                matrix_row(steps[i].matrix, in, out, width);
                break;
            case HR_STEP_CURVES:
                curves_row(steps[i].curves, in, out, width);
                break;
            case HR_STEP_VIGNETTE:
                vignette_row(steps[i].strength, unit, down * down, in, out, width);
                break;
            }
            in = (row){out.a, out.b, out.c};
        }
    }
}
