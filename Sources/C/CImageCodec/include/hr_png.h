#pragma once

#include "hr_types.h"

typedef struct hr_png_info {
    int width;
    int height;
    int bit_depth;     ///< The stored depth, 1 to 16.
    int color_planes;  ///< 1 grey, 3 red, green, blue.
    bool has_alpha;    ///< An alpha channel or transparent colours.
    bool interlaced;
    /// The ICC profile; lives as long as the decoder.
    const uint8_t *_Nullable icc;
    size_t icc_count;
    int primaries, transfer;  ///< Code points of ITU-T H.273 in a cICP chunk; 0 without the chunk.
    bool is_srgb;             ///< An sRGB chunk.
    double gamma;             ///< The value of a gAMA chunk, such as 0.45455; 0 without the chunk.
    /// The values of a cHRM chunk: x and y of white, red, green and blue; 0 without the chunk.
    double chromaticities[8];
    size_t extra_bytes;  ///< Memory of decoding in addition to the planes, for images that are inflated at once.
} hr_png_info;

typedef struct hr_png_limits {
    int max_side;
    size_t max_chunk_memory;      ///< Bytes that one chunk may have after decompression.
    bool ignores_checksums;       ///< Chunks may have wrong checksums.
    bool ignores_pixel_checksum;  ///< The stream of pixels may have a wrong checksum.
    bool whole;                   ///< Whether every damage is an error.
} hr_png_limits;

typedef struct hr_png_decoder hr_png_decoder;

/// Reads up to the first image data.
hr_status hr_png_open(const uint8_t *_Nonnull bytes, size_t count, hr_png_limits limits,
                      hr_png_decoder *_Nullable *_Nonnull out, hr_png_info *_Nonnull info, hr_error *_Nonnull error);

/// Decodes into `color_planes` planes, and one more if the image has alpha. `curve`, only for a depth of 16, contains
/// the output sample for each of the 65,536 values of a colour. If the data end early or are damaged after at least
/// half of the pixels, the other pixels are white or transparent and the call succeeds, unless the limits require a
/// whole image.
hr_status hr_png_decode(hr_png_decoder *_Nonnull decoder, const hr_target *_Nonnull planes,
                        const uint8_t *_Nullable curve, hr_error *_Nonnull error);

/// Whether a part of the image is lost, or its pixels do not match their checksum.
bool hr_png_is_damaged(const hr_png_decoder *_Nonnull decoder);

void hr_png_close(hr_png_decoder *_Nullable decoder);

typedef struct hr_png_options {
    int color_planes;  ///< 1 or 3
    bool has_alpha;    ///< One more plane
    bool is_plain;     ///< Never with a palette.
    const uint8_t *_Nullable icc;
    size_t icc_count;
} hr_png_options;

/// Encodes a PNG file from planes of equal size, with 8 bits a sample, or a palette if there are at most 256 colours.
hr_status hr_png_encode(const hr_plane *_Nonnull planes, const hr_png_options *_Nonnull options,
                        hr_buffer *_Nonnull out, hr_error *_Nonnull error);
