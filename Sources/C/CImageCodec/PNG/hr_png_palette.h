#pragma once

#include "hr_types.h"

/// The colours of an image with at most 256 colours.
typedef struct hr_png_palette hr_png_palette;

/// Collects the colours of 3 planes, or of 4 with alpha; NULL if there are more than 256, or if memory is exhausted.
hr_png_palette *_Nullable hr_png_palette_of(const hr_plane *_Nonnull planes, int channels);

/// The number of colours.
int hr_png_palette_count(const hr_png_palette *_Nonnull palette);

/// The number of colours that are not opaque; they come first.
int hr_png_palette_transparent(const hr_png_palette *_Nonnull palette);

/// A colour as alpha, red, green and blue, starting with the highest byte.
uint32_t hr_png_palette_color(const hr_png_palette *_Nonnull palette, int index);

/// Writes the index of each pixel of row `y`.
void hr_png_palette_row(const hr_png_palette *_Nonnull palette, const hr_plane *_Nonnull planes, int channels, int y,
                        uint8_t *_Nonnull row);

void hr_png_palette_free(hr_png_palette *_Nullable palette);
