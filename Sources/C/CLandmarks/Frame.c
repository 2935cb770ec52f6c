#include "Frame.h"

#include "Similarity.h"
#include "Variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

hr_landmarks_point hr_frame_to_image(const hr_frame *frame, int side, hr_landmarks_point point)
{
    const double x = point.x - side / 2.0, y = point.y - side / 2.0;
    return (hr_landmarks_point){frame->centre_x + frame->cosine * x - frame->sine * y,
                                frame->centre_y + frame->sine * x + frame->cosine * y};
}

hr_frame hr_frame_fitted(const hr_landmarks_point *found, const hr_landmarks_point *canonical, int side)
{
    const hr_similarity fitted = hr_similarity_fitted(canonical, found, HR_LANDMARKS_POINTS);
    hr_frame frame = {.cosine = fitted.cosine, .sine = fitted.sine};
    const double x = side / 2.0 - fitted.from.x, y = side / 2.0 - fitted.from.y;
    frame.centre_x = fitted.to.x + frame.cosine * x - frame.sine * y;
    frame.centre_y = fitted.to.y + frame.sine * x + frame.cosine * y;
    return frame;
}

static size_t clamped(int64_t value, size_t count)
{
    if (value < 0)
        return 0;
    return (size_t)value < count ? (size_t)value : count - 1;
}

int hr_region_make(const uint8_t *pixels, size_t width, size_t height, size_t bytes_per_row, double centre_x,
                   double centre_y, double reach, double step, hr_region *out)
{
    int halvings = 0;
    for (double size = step; size >= 2; size /= 2)
        ++halvings;
    // The side is divisible by every halving, so that no pixel is left over.
    const int64_t unit = (int64_t)1 << halvings;
    const int64_t side = ((int64_t)ceil(2 * reach) + unit) / unit * unit;
    const int64_t left = (int64_t)floor(centre_x - (double)side / 2), top = (int64_t)floor(centre_y - (double)side / 2);
    uint8_t *region = malloc((size_t)side * (size_t)side);
    if (!region)
        return 0;
    const int64_t inside_left = left < 0 ? -left : 0;
    const int64_t inside_right = left + side > (int64_t)width ? (int64_t)width - left : side;
    for (int64_t y = 0; y < side; ++y) {
        const uint8_t *from = pixels + clamped(top + y, height) * bytes_per_row;
        uint8_t *to = region + y * side;
        if (inside_right <= 0 || inside_left >= side || inside_left >= inside_right) {
            memset(to, from[clamped(left, width)], (size_t)side);
            continue;
        }
        memset(to, from[0], (size_t)inside_left);
        memcpy(to + inside_left, from + left + inside_left, (size_t)(inside_right - inside_left));
        memset(to + inside_right, from[width - 1], (size_t)(side - inside_right));
    }
    int64_t now = side;
    for (int i = 0; i < halvings; ++i, now /= 2) {
        const int64_t half = now / 2;
        for (int64_t y = 0; y < half; ++y) {
            const uint8_t *upper = region + 2 * y * now, *lower = upper + now;
            uint8_t *to = region + y * half;
            for (int64_t x = 0; x < half; ++x)
                to[x] = (uint8_t)((upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1] + 2) >> 2);
        }
    }
    *out = (hr_region){region, (int)now, (double)left, (double)top, (double)unit};
    return 1;
}

void hr_region_free(hr_region *region) { free(region->pixels); }

/// A position in 1/65536 of a pixel, clamped to the region.
static int64_t within(int64_t position, int64_t most) { return position < 0 ? 0 : position < most ? position : most; }

enum { SPAN = 128 };

/// The four pixels around each position of a part of a row, and its position between them in 1/256.
typedef struct {
    uint8_t corners[4][SPAN];
    uint8_t right[SPAN], below[SPAN];
} span;

HR_LANDMARKS_INLINE void blend_kernel(const span *row, int count, uint8_t *restrict to)
{
    for (int i = 0; i < count; ++i) {
        const int right = row->right[i], below = row->below[i];
        const int upper = row->corners[0][i] * (256 - right) + row->corners[1][i] * right;
        const int lower = row->corners[2][i] * (256 - right) + row->corners[3][i] * right;
        to[i] = (uint8_t)((upper * (256 - below) + lower * below + 32768) >> 16);
    }
}

HR_LANDMARKS_AVX2 static void blend_avx2(const span *row, int count, uint8_t *to) { blend_kernel(row, count, to); }

static void blend_plain(const span *row, int count, uint8_t *to) { blend_kernel(row, count, to); }

void hr_frame_draw(const hr_frame *frame, const hr_region *region, int side, uint8_t *patch)
{
    const double one = 65536 / region->scale;
    const int64_t across = (int64_t)(frame->cosine * one), down = (int64_t)(frame->sine * one);
    // The centre of the first pixel, in coordinates where pixel centres are whole numbers.
    const double half = (side - 1) / 2.0;
    const double left = frame->centre_x - half * frame->cosine + half * frame->sine - region->x;
    const double top = frame->centre_y - half * frame->sine - half * frame->cosine - region->y;
    const int64_t first_x = (int64_t)(left * one) - 32768, first_y = (int64_t)(top * one) - 32768;
    const int64_t most = ((int64_t)(region->side - 1) << 16) - 1;
    span row;
    for (int y = 0; y < side; ++y) {
        int64_t u = first_x - down * y, v = first_y + across * y;
        for (int start = 0; start < side; start += SPAN) {
            const int count = side - start < SPAN ? side - start : SPAN;
            for (int x = 0; x < count; ++x, u += across, v += down) {
                const int64_t inside_u = within(u, most), inside_v = within(v, most);
                const uint8_t *p = region->pixels + (inside_v >> 16) * region->side + (inside_u >> 16);
                row.corners[0][x] = p[0];
                row.corners[1][x] = p[1];
                row.corners[2][x] = p[region->side];
                row.corners[3][x] = p[region->side + 1];
                row.right[x] = (uint8_t)(inside_u >> 8);
                row.below[x] = (uint8_t)(inside_v >> 8);
            }
            (HR_LANDMARKS_HAS_AVX2() ? blend_avx2 : blend_plain)(&row, count, patch + y * side + start);
        }
    }
}
