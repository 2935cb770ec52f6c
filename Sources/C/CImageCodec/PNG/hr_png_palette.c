#include "hr_png_palette.h"

#include <stdlib.h>
#include <string.h>

// Open addressing; at most a quarter of the slots is used.
enum { SLOTS = 1024, MOST_COLORS = 256 };

struct hr_png_palette {
    uint32_t keys[SLOTS];
    int16_t indices[SLOTS];  // -1 for a free slot
    uint32_t colors[MOST_COLORS];
    int count;
    int transparent;
};

static uint32_t color_at(const hr_plane *planes, int channels, int x, int y)
{
    uint32_t color = 0xFF;
    if (channels == 4)
        color = planes[3].data[(size_t)y * planes[3].stride + (size_t)x];
    for (int c = 0; c < 3; c++)
        color = color << 8 | planes[c].data[(size_t)y * planes[c].stride + (size_t)x];
    return color;
}

// The slot of a colour, or the free slot for it.
static int slot_of(const hr_png_palette *self, uint32_t color)
{
    // Fibonacci hashing: the highest bits of a product with 2^32 over the golden ratio.
    int slot = (int)(color * 2654435769u >> 22);
    while (self->indices[slot] >= 0 && self->keys[slot] != color)
        slot = (slot + 1) % SLOTS;
    return slot;
}

static bool collect(hr_png_palette *self, const hr_plane *planes, int channels)
{
    uint32_t previous = 0;
    for (int y = 0; y < planes[0].height; y++) {
        for (int x = 0; x < planes[0].width; x++) {
            const uint32_t color = color_at(planes, channels, x, y);
            if (color == previous && self->count > 0)
                continue;
            previous = color;
            const int slot = slot_of(self, color);
            if (self->indices[slot] >= 0)
                continue;
            if (self->count == MOST_COLORS)
                return false;
            self->keys[slot] = color;
            self->indices[slot] = (int16_t)self->count;
            self->colors[self->count++] = color;
        }
    }
    return true;
}

// Moves colours that are not opaque to the front, so that opaque colours need no entry for their alpha.
static void order(hr_png_palette *self)
{
    for (int i = 0; i < self->count; i++) {
        if (self->colors[i] >> 24 == 0xFF)
            continue;
        const uint32_t color = self->colors[i];
        self->colors[i] = self->colors[self->transparent];
        self->colors[self->transparent++] = color;
    }
    for (int i = 0; i < self->count; i++)
        self->indices[slot_of(self, self->colors[i])] = (int16_t)i;
}

hr_png_palette *hr_png_palette_of(const hr_plane *planes, int channels)
{
    hr_png_palette *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    memset(self->indices, 0xFF, sizeof self->indices);
    if (!collect(self, planes, channels)) {
        free(self);
        return NULL;
    }
    order(self);
    return self;
}

int hr_png_palette_count(const hr_png_palette *palette) { return palette->count; }

int hr_png_palette_transparent(const hr_png_palette *palette) { return palette->transparent; }

uint32_t hr_png_palette_color(const hr_png_palette *palette, int index) { return palette->colors[index]; }

void hr_png_palette_row(const hr_png_palette *palette, const hr_plane *planes, int channels, int y, uint8_t *row)
{
    for (int x = 0; x < planes[0].width; x++)
        row[x] = (uint8_t)palette->indices[slot_of(palette, color_at(planes, channels, x, y))];
}

void hr_png_palette_free(hr_png_palette *palette) { free(palette); }
