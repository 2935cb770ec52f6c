#pragma once

#include "hr_types.h"
#include "hr_yuv.h"

/// The primary image of a HEIF file (ISO/IEC 23008-12), or the first of a sequence.
typedef struct hr_heif_info {
    int width;  ///< The coded size, before crop and orientation.
    int height;
    int x, y, crop_width, crop_height;  ///< The clean aperture; the whole image if there is none.
    int orientation;                    ///< EXIF, 1 to 8: the effect of rotation and mirroring.
    int depth;                          ///< Bits of a sample.
    int h_shared, v_shared;             ///< Pixels that share a chroma sample; 0 for grey images.
    bool has_alpha;
    bool premultiplied;
    int primaries, transfer, matrix;  ///< Code points of ITU-T H.273; 2 if unspecified.
    bool full_range;
    /// The ICC profile; lives as long as the decoder.
    const uint8_t *_Nullable icc;
    size_t icc_count;
} hr_heif_info;

typedef struct hr_heif_limits {
    int64_t max_pixels;  ///< More than 0.
    int max_side;
    int max_frames;
} hr_heif_limits;

/// A decoded image. Its samples live as long as the decoder.
typedef struct hr_heif_image {
    hr_samples planes[3];
    hr_samples alpha;  ///< Without data if every pixel is opaque.
} hr_heif_image;
