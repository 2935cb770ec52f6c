#pragma once

#include "hr_heif.h"

typedef struct hr_avif_decoder hr_avif_decoder;

/// Reads the boxes of an AVIF file.
hr_status hr_avif_open(const uint8_t *_Nonnull bytes, size_t count, hr_heif_limits limits,
                       hr_avif_decoder *_Nullable *_Nonnull out, hr_heif_info *_Nonnull info, hr_error *_Nonnull error);

/// The number of images; 1 for a still image.
int hr_avif_frames(const hr_avif_decoder *_Nonnull decoder);

/// Decodes the next image, starting with the first, on the calling thread.
hr_status hr_avif_decode(hr_avif_decoder *_Nonnull decoder, hr_heif_image *_Nonnull picture, hr_error *_Nonnull error);

void hr_avif_close(hr_avif_decoder *_Nullable decoder);

/// Maximum pixels along one side of an AV1 image (AV1, 5.5.1: sizes of 16 bits).
#define HR_AVIF_MAX_SIDE 65536

typedef struct hr_avif_options {
    int h_shared, v_shared;  ///< Pixels that share a chroma sample, 1 or 2; 0 for grey.
    bool has_alpha;          ///< One more plane.
    int quantizer;           ///< 0 (the best quality) to 63.
    int alpha_quantizer;     ///< The same for alpha.
    int speed;               ///< 0 (the smallest file) to 10.
    bool is_drawn;           ///< Sequences: aom's screen content tools, for lines and lettering.
    const uint8_t *_Nullable icc;
    size_t icc_count;
    const uint8_t *_Nullable exif;  ///< A TIFF structure.
    size_t exif_count;
    const uint8_t *_Nullable xmp;
    size_t xmp_count;
} hr_avif_options;

/// Encodes an AVIF file on the calling thread, from one plane of grey or three of luma and chroma (full-range BT.601 as
/// in JFIF), then straight alpha.
hr_status hr_avif_encode(const hr_plane *_Nonnull planes, const hr_avif_options *_Nonnull options,
                         hr_buffer *_Nonnull out, hr_error *_Nonnull error);

/// Writes sequences on the calling thread.
typedef struct hr_avif_animator hr_avif_animator;

/// Starts a file.
hr_status hr_avif_animator_open(int width, int height, const hr_avif_options *_Nonnull options,
                                hr_avif_animator *_Nullable *_Nonnull out, hr_error *_Nonnull error);

/// Adds an image of the planes that hr_avif_encode takes, with the same options.
hr_status hr_avif_animator_add(hr_avif_animator *_Nonnull animator, const hr_plane *_Nonnull planes,
                               const hr_avif_options *_Nonnull options, int milliseconds, hr_error *_Nonnull error);

/// Ends the file.
hr_status hr_avif_animator_finish(hr_avif_animator *_Nonnull animator, hr_buffer *_Nonnull out,
                                  hr_error *_Nonnull error);

void hr_avif_animator_close(hr_avif_animator *_Nullable animator);
