#pragma once

#include "hr_types.h"

typedef struct hr_jxl_info {
    int width;  ///< The stored size, before the orientation.
    int height;
    int orientation;   ///< EXIF, 1 to 8.
    int depth;         ///< Bits of a sample, 1 to 32.
    int color_planes;  ///< 1 grey, 3 red, green, blue, 4 cyan, magenta, yellow, black, where 255 means without ink.
    int extra_planes;  ///< Alpha, depth and other planes in the decoder.
    bool has_alpha;
    bool animated;
    bool premultiplied;
    int primaries, transfer;  ///< Code points of ITU-T H.273 of the decoded samples; 2 if only the profile states them.
    /// The ICC profile of the decoded samples, unless they are sRGB; lives as long as the decoder.
    const uint8_t *_Nullable icc;
    size_t icc_count;
} hr_jxl_info;

typedef struct hr_jxl_decoder hr_jxl_decoder;

/// Reads the header.
hr_status hr_jxl_open(const uint8_t *_Nonnull bytes, size_t count, size_t max_icc,
                      hr_jxl_decoder *_Nullable *_Nonnull out, hr_jxl_info *_Nonnull info, hr_error *_Nonnull error);

/// Decodes the first frame into `color_planes` planes, and one more if the image has alpha, on the calling thread. With
/// `curve`, colours are decoded to 16 bits; it contains the output sample for each of the 65,536 values.
hr_status hr_jxl_decode(hr_jxl_decoder *_Nonnull decoder, const hr_target *_Nonnull planes,
                        const uint8_t *_Nullable curve, hr_error *_Nonnull error);

void hr_jxl_close(hr_jxl_decoder *_Nullable decoder);
