#pragma once

#include "hr_types.h"

/// The first image of a TIFF file.
typedef struct hr_tiff_info {
    int width;  ///< The stored size, before the orientation.
    int height;
    int orientation;   ///< The value of the tag, equal to EXIF's, 1 to 8.
    int depth;         ///< Bits of a sample, 1 to 16.
    int color_planes;  ///< 1 grey, 3 red, green, blue, 4 cyan, magenta, yellow, black, where 255 means without ink.
    bool has_alpha;
    bool is_lossy;  ///< Compressed as JPEG.
    /// Memory of the largest strip or tile and of its pixels.
    int64_t block_bytes;
    /// The ICC profile; lives as long as the decoder.
    const uint8_t *_Nullable icc;
    size_t icc_count;
} hr_tiff_info;

typedef struct hr_tiff_decoder hr_tiff_decoder;

typedef struct hr_tiff_limits {
    int64_t max_memory;  ///< Bytes of one allocation, more than 0.
    bool whole;          ///< Whether every damage is an error.
} hr_tiff_limits;

/// Reads the first directory.
hr_status hr_tiff_open(const uint8_t *_Nonnull bytes, size_t count, hr_tiff_limits limits,
                       hr_tiff_decoder *_Nullable *_Nonnull out, hr_tiff_info *_Nonnull info, hr_error *_Nonnull error);

/// Decodes into `color_planes` planes, and one more, straight, if the image has alpha. If at most half of the pixels
/// are in lost strips or tiles, these pixels are white or transparent and the call succeeds, unless the limits require
/// a whole image.
hr_status hr_tiff_decode(hr_tiff_decoder *_Nonnull decoder, const hr_target *_Nonnull planes, hr_error *_Nonnull error);

/// Whether a strip or tile is lost.
bool hr_tiff_is_damaged(const hr_tiff_decoder *_Nonnull decoder);

void hr_tiff_close(hr_tiff_decoder *_Nullable decoder);
