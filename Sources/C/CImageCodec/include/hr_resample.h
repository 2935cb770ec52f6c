#pragma once

#include "hr_types.h"

typedef enum hr_filter {
    HR_FILTER_BILINEAR,
    HR_FILTER_BICUBIC,  ///< Catmull-Rom
    HR_FILTER_LANCZOS,  ///< Three lobes
    HR_FILTER_SPLINE    ///< Cubic B-spline
} hr_filter;

/// A part of a plane in its samples; edges lie between samples, so sample 0 spans 0 to 1.
typedef struct hr_region {
    double x, y, width, height;
} hr_region;

/// Scales the region of each of `count` planes of equal size to planes of a different size. Samples beyond the edge are
/// mirrored. Data and stride must be multiples of 64.
hr_status hr_resample(const hr_plane *_Nonnull from, const hr_target *_Nonnull to, int count, hr_region region,
                      hr_filter filter, hr_error *_Nonnull error);

/// The same for `colors` (1 or 3) planes followed by a plane of straight alpha, which weights the colours.
hr_status hr_resample_alpha(const hr_plane *_Nonnull from, const hr_target *_Nonnull to, int colors, hr_region region,
                            hr_filter filter, hr_error *_Nonnull error);

/// Scales the region of a plane of samples of two bytes and `depth` bits, 9 to 16; widths count samples, strides bytes.
hr_status hr_resample_wide(const hr_plane *_Nonnull from, const hr_target *_Nonnull to, int depth, hr_region region,
                           hr_filter filter, hr_error *_Nonnull error);

/// Converts three planes of equal size, full-range BT.601 as in JFIF.
hr_status hr_ycc_to_rgb(const hr_plane *_Nonnull from, const hr_target *_Nonnull to, hr_error *_Nonnull error);
hr_status hr_rgb_to_ycc(const hr_plane *_Nonnull from, const hr_target *_Nonnull to, hr_error *_Nonnull error);
