#pragma once

#include "hr_types.h"

/// A PNG of 8 bits a sample, without interlacing, palette and transparent colour, up to its first IDAT chunk.
typedef struct hr_png_plain {
    const uint8_t *bytes;  ///< The file.
    size_t count;
    size_t start;            ///< The first IDAT chunk.
    int channels;            ///< 1 to 4, interleaved.
    bool ignores_checksums;  ///< Chunks may have wrong checksums.
} hr_png_plain;

/// The size of the buffers of hr_png_read_whole in bytes, in addition to the planes: the rows with their filters, and
/// the IDAT chunks in one piece. 0 if the image is so large that it should be read row by row.
size_t hr_png_whole_bytes(int width, int height, int channels, size_t count);

/// Decodes an image at once, in a third of libpng's time. Returns false and leaves `planes` undefined if any pixel data
/// are damaged; libpng then reports the error and keeps the intact part.
bool hr_png_read_whole(const hr_png_plain *file, const hr_target *planes);

/// Whether the stream of pixels has the right checksum, regardless of its chunks' checksums; true for an image that is
/// too large to check.
bool hr_png_may_be_sound(const hr_png_plain *file, const hr_target *planes);
