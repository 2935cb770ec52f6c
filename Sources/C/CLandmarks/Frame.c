#include "Frame.h"

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
    hr_landmarks_point to = {0, 0}, from = {0, 0};
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        to.x += found[i].x / HR_LANDMARKS_POINTS;
        to.y += found[i].y / HR_LANDMARKS_POINTS;
        from.x += canonical[i].x / HR_LANDMARKS_POINTS;
        from.y += canonical[i].y / HR_LANDMARKS_POINTS;
    }
    double cosine = 0, sine = 0, square = 0;
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        const double x = canonical[i].x - from.x, y = canonical[i].y - from.y;
        const double u = found[i].x - to.x, v = found[i].y - to.y;
        cosine += x * u + y * v;
        sine += x * v - y * u;
        square += x * x + y * y;
    }
    hr_frame frame = {.cosine = cosine / square, .sine = sine / square};
    const double x = side / 2.0 - from.x, y = side / 2.0 - from.y;
    frame.centre_x = to.x + frame.cosine * x - frame.sine * y;
    frame.centre_y = to.y + frame.sine * x + frame.cosine * y;
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
    // A multiple of every halving, so that no pixel is left over.
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

/// A position in 1/65536 of a pixel, within the region.
static int64_t within(int64_t position, int64_t most) { return position < 0 ? 0 : position < most ? position : most; }

void hr_frame_draw(const hr_frame *frame, const hr_region *region, int side, uint8_t *patch)
{
    const double one = 65536 / region->scale;
    const int64_t across = (int64_t)(frame->cosine * one), down = (int64_t)(frame->sine * one);
    // The first pixel's centre, in a region whose pixels have their centres at whole numbers.
    const double half = (side - 1) / 2.0;
    const double left = frame->centre_x - half * frame->cosine + half * frame->sine - region->x;
    const double top = frame->centre_y - half * frame->sine - half * frame->cosine - region->y;
    const int64_t first_x = (int64_t)(left * one) - 32768, first_y = (int64_t)(top * one) - 32768;
    const int64_t most = ((int64_t)(region->side - 1) << 16) - 1;
    for (int row = 0; row < side; ++row) {
        int64_t x = first_x - down * row, y = first_y + across * row;
        for (int column = 0; column < side; ++column, x += across, y += down) {
            const int64_t u = within(x, most), v = within(y, most);
            const uint8_t *p = region->pixels + (v >> 16) * region->side + (u >> 16);
            const int right = (u >> 8) & 255, below = (v >> 8) & 255;
            const int upper = p[0] * (256 - right) + p[1] * right;
            const int lower = p[region->side] * (256 - right) + p[region->side + 1] * right;
            patch[row * side + column] = (uint8_t)((upper * (256 - below) + lower * below + 32768) >> 16);
        }
    }
}
