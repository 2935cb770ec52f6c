#include <string.h>

#include "hr_compose.h"

static void blend(const uint8_t *frame[4], uint8_t *canvas[4], int x)
{
    const int above = frame[3][x];
    const int below = canvas[3][x];
    if (above == 0)
        return;
    if (above == 255 || below == 0) {
        for (int c = 0; c < 4; c++)
            canvas[c][x] = frame[c][x];
        return;
    }
    // The weights of both colours, and their sum, the alpha of the result; all multiplied by 255.
    const int weight = above * 255;
    const int rest = below * (255 - above);
    const int sum = weight + rest;
    for (int c = 0; c < 3; c++)
        canvas[c][x] = (uint8_t)((frame[c][x] * weight + canvas[c][x] * rest + sum / 2) / sum);
    canvas[3][x] = (uint8_t)((sum + 127) / 255);
}

void hr_compose_over(const hr_plane *frame, const hr_target *canvas)
{
    for (int y = 0; y < frame[0].height; y++) {
        const uint8_t *from[4];
        uint8_t *to[4];
        for (int c = 0; c < 4; c++) {
            from[c] = frame[c].data + (size_t)y * frame[c].stride;
            to[c] = canvas[c].data + (size_t)y * canvas[c].stride;
        }
        for (int x = 0; x < frame[0].width; x++)
            blend(from, to, x);
    }
}

void hr_find_change(const hr_plane *planes, const hr_plane *others, int count, hr_box *box)
{
    const int width = planes[0].width, height = planes[0].height;
    int left = width, top = height, right = 0, bottom = 0;
    for (int c = 0; c < count; c++) {
        for (int y = 0; y < height; y++) {
            const uint8_t *a = planes[c].data + (size_t)y * planes[c].stride;
            const uint8_t *b = others[c].data + (size_t)y * others[c].stride;
            if (memcmp(a, b, (size_t)width) == 0)
                continue;
            top = y < top ? y : top;
            bottom = y >= bottom ? y + 1 : bottom;
            int x = 0;
            while (x < left && a[x] == b[x])
                x++;
            left = x < left ? x : left;
            x = width;
            while (x > right && a[x - 1] == b[x - 1])
                x--;
            right = x > right ? x : right;
        }
    }
    *box = bottom > top ? (hr_box){left, top, right - left, bottom - top} : (hr_box){0, 0, 0, 0};
}
