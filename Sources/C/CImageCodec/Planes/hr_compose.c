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
    // The weights of both colours, and their sum, which is the alpha of the result: all times 255.
    const int weight = above * 255;
    const int rest = below * (255 - above);
    const int sum = weight + rest;
    for (int c = 0; c < 3; c++)
        canvas[c][x] = (uint8_t)((frame[c][x] * weight + canvas[c][x] * rest + sum / 2) / sum);
    canvas[3][x] = (uint8_t)((sum + 127) / 255);
}

void hr_compose_over(const hr_plane *frame, const hr_plane *canvas)
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
