#pragma once

#include "hr_types.h"

/// The properties of one image's bitstream.
typedef struct hr_webp_info {
    int width;
    int height;
    bool has_alpha;
    bool lossless;
} hr_webp_info;

/// The planes that an image is decoded into, or encoded from.
typedef enum hr_webp_color {
    HR_WEBP_GRAY,  ///< Grey; only encoded.
    HR_WEBP_YCC,   ///< Luma and two chroma planes halved both ways, full-range BT.601 as in JFIF.
    HR_WEBP_RGB
} hr_webp_color;

/// Reads the header of one image: an optional ALPH chunk, followed by a VP8 or VP8L chunk.
hr_status hr_webp_read(const uint8_t *_Nonnull bytes, size_t count, hr_webp_info *_Nonnull info,
                       hr_error *_Nonnull error);

/// Decodes the same bytes into three planes of `color`, and for RGB one plane of straight alpha if requested.
hr_status hr_webp_decode(const uint8_t *_Nonnull bytes, size_t count, hr_webp_color color, bool with_alpha,
                         const hr_target *_Nonnull planes, hr_error *_Nonnull error);

/// Decodes the rows before the damage or the end of the same bytes, like hr_webp_decode; later rows are not written.
/// Returns the number of decoded rows, which may be 0.
int hr_webp_decode_part(const uint8_t *_Nonnull bytes, size_t count, hr_webp_color color, bool with_alpha,
                        const hr_target *_Nonnull planes);

typedef struct hr_webp_options {
    hr_webp_color color;
    bool has_alpha;  ///< One more plane; not for HR_WEBP_YCC.
    int quality;     ///< 0 to 100
    int method;      ///< 0 (the fastest) to 6.
    bool lossless;   ///< Only for HR_WEBP_RGB; the quality is then the effort.
} hr_webp_options;

/// Encodes a WebP file without metadata from one plane of grey or three planes of a different colour model, then alpha.
hr_status hr_webp_encode(const hr_plane *_Nonnull planes, const hr_webp_options *_Nonnull options,
                         hr_buffer *_Nonnull out, hr_error *_Nonnull error);

typedef struct hr_webp_animation {
    int plays;    ///< 0 for forever, at most 65,535.
    int quality;  ///< 1 to 100
    int method;   ///< 0 (fast) to 6 (small)
    bool mixed;   ///< Frames are lossless if this makes them smaller.
} hr_webp_animation;

/// Writes animations; only the changed rectangle of each frame is stored.
typedef struct hr_webp_animator hr_webp_animator;

/// Starts a file.
hr_status hr_webp_animator_open(int width, int height, const hr_webp_animation *_Nonnull animation,
                                hr_webp_animator *_Nullable *_Nonnull out, hr_error *_Nonnull error);

/// Adds a frame of red, green, blue and, with `has_alpha`, straight alpha, each of the file's size.
hr_status hr_webp_animator_add(hr_webp_animator *_Nonnull animator, const hr_plane *_Nonnull planes, bool has_alpha,
                               int milliseconds, hr_error *_Nonnull error);

/// Ends the file, which moves to `out`.
hr_status hr_webp_animator_finish(hr_webp_animator *_Nonnull animator, hr_buffer *_Nonnull out,
                                  hr_error *_Nonnull error);

void hr_webp_animator_close(hr_webp_animator *_Nullable animator);
