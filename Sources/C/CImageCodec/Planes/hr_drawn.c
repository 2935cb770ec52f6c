#include <stdlib.h>

#include "hr_pixels.h"

// Open addressing; at most a quarter of the slots is used.
enum { SLOTS = 1 << 14, MOST_COLORS = SLOTS / 4, MOST_PLANES = 3 };

struct colors {
    uint32_t slots[SLOTS];  // a colour and 1 << 24; 0 is free
    int count;
};

static void add(struct colors *self, uint32_t color)
{
    const uint32_t key = color | 1u << 24;
    // Fibonacci hashing: the highest bits of a product with 2^32 over the golden ratio.
    uint32_t slot = color * 2654435769u >> 18;
    while (self->slots[slot] != 0 && self->slots[slot] != key)
        slot = (slot + 1) % SLOTS;
    if (self->slots[slot] == 0) {
        self->slots[slot] = key;
        self->count++;
    }
}

// The binary logarithm of the ratio of the image's length to a plane's length.
static int shift_of(int whole, int part)
{
    int shift = 0;
    while (shift < 2 && (whole + (1 << shift) - 1) >> shift > part)
        shift++;
    return shift;
}

// The colours of a row. Pixels that share a chroma sample have the same chroma here.
static void read_row(const hr_plane *planes, int count, int y, uint32_t *colors)
{
    const int width = planes[0].width;
    for (int x = 0; x < width; x++)
        colors[x] = 0;
    for (int p = 0; p < count; p++) {
        const hr_plane *plane = &planes[p];
        const int across = shift_of(width, plane->width), down = shift_of(planes[0].height, plane->height);
        const int row = y >> down < plane->height ? y >> down : plane->height - 1;
        const uint8_t *samples = plane->data + (size_t)row * plane->stride;
        for (int x = 0; x < width; x++) {
            const int column = x >> across < plane->width ? x >> across : plane->width - 1;
            colors[x] = colors[x] << 8 | samples[column];
        }
    }
}

// Whether each sample continues the gradient of its neighbours, up to rounding.
static bool is_smooth(uint32_t here, uint32_t left, uint32_t above, uint32_t corner)
{
    for (int shift = 0; shift < 24; shift += 8) {
        const int expected = (int)(left >> shift & 255) + (int)(above >> shift & 255) - (int)(corner >> shift & 255);
        if (abs((int)(here >> shift & 255) - expected) > 1)
            return false;
    }
    return true;
}

bool hr_is_drawn(const hr_plane *planes, int count)
{
    const int width = planes[0].width, height = planes[0].height;
    if (width < 2 || height < 2 || count > MOST_PLANES)
        return false;
    struct colors *colors = calloc(1, sizeof *colors);
    uint32_t *rows = malloc((size_t)width * 2 * sizeof *rows);
    const int64_t all = (int64_t)(width - 1) * (height - 1);
    int64_t uneven = 0, rough = 0;
    bool can_be = colors != NULL && rows != NULL;
    if (can_be)
        read_row(planes, count, 0, rows);
    for (int y = 1; y < height && can_be; y++) {
        uint32_t *const row = rows + (size_t)(y % 2) * (size_t)width;
        const uint32_t *const above = rows + (size_t)((y + 1) % 2) * (size_t)width;
        read_row(planes, count, y, row);
        for (int x = 1; x < width; x++) {
            if (row[x] == row[x - 1] || row[x] == above[x])
                continue;
            uneven++;
            rough += !is_smooth(row[x], row[x - 1], above[x], above[x - 1]);
            if (colors->count <= MOST_COLORS)
                add(colors, row[x]);
        }
        // At least seven tenths uniform with few colours, or nine tenths smooth.
        can_be = (colors->count <= MOST_COLORS && uneven * 10 <= all * 3) || rough * 10 <= all;
    }
    free(colors);
    free(rows);
    return can_be;
}
