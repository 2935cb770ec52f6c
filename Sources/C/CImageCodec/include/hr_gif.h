#pragma once

#include "hr_types.h"

/// The properties of a GIF file up to its first frame.
typedef struct hr_gif_info {
    /// The screen, extended to hold the first frame, as browsers do.
    int width;
    int height;
    bool has_alpha;  ///< The first frame has a transparent colour, or leaves a part of the screen free.
} hr_gif_info;

/// Reads up to the first frame.
hr_status hr_gif_read(const uint8_t *_Nonnull bytes, size_t count, hr_gif_info *_Nonnull info,
                      hr_error *_Nonnull error);

/// Decodes the first frame with a visible pixel into red, green, blue, and straight alpha if `info` has it; other pixels
/// stay as they are. Frames without visible pixels are skipped until they add up to `max_area` pixels.
hr_status hr_gif_decode(const uint8_t *_Nonnull bytes, size_t count, int64_t max_area, const hr_gif_info *_Nonnull info,
                        const hr_plane *_Nonnull planes, hr_error *_Nonnull error);
