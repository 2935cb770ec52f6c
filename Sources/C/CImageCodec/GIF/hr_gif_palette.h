#pragma once

#include "hr_gif.h"

/// The maximum number of colours in a palette: one index is reserved for transparent pixels.
enum { HR_GIF_MOST_COLORS = 255 };

/// Chooses at most `most` colours, from 2 to 255, for pixels of red, green, blue and alpha. Transparent pixels are
/// ignored. `*exact` is true if every pixel has its own colour. False if memory is exhausted.
bool hr_gif_choose_colors(const uint8_t *_Nonnull rgba, size_t count, int most, hr_gif_palette *_Nonnull colors,
                          bool *_Nonnull exact);

/// Finds the nearest colour of a palette, and caches the result.
typedef struct hr_gif_nearest {
    hr_gif_palette colors;
    int16_t channels[3][256];
    uint32_t found[1 << 16];  // a colour and, in the lowest byte, its index
} hr_gif_nearest;

void hr_gif_nearest_reset(hr_gif_nearest *_Nonnull nearest, const hr_gif_palette *_Nonnull colors);

int hr_gif_nearest_find(hr_gif_nearest *_Nonnull nearest, int red, int green, int blue);

/// The mean squared distance of visible pixels to their nearest colours, over some of the pixels.
double hr_gif_nearest_error(hr_gif_nearest *_Nonnull nearest, const uint8_t *_Nonnull rgba, size_t count);
