#pragma once

#include "hr_types.h"

/// A step that changes each pixel independently.
typedef enum hr_step_kind {
    HR_STEP_MATRIX,   ///< `matrix`
    HR_STEP_CURVES,   ///< `curves`
    HR_STEP_VIGNETTE  ///< `strength`
} hr_step_kind;

typedef struct hr_step {
    hr_step_kind kind;
    /// For red, green and blue of the result: factors of red, green and blue, and a summand, for samples from 0 to 255.
    float matrix[12];
    /// 256 values each for red, green and blue.
    const uint8_t *_Nullable curves;
    /// Samples are multiplied by `1 - strength * d⁴`, where `d` is the distance from the centre as a fraction of the
    /// corners' distance.
    float strength;
} hr_step;

/// Applies steps to red, green and blue, row by row; samples are rounded and clamped after each.
///
/// `to` has the size of `from`, and may be `from`.
void hr_filter_steps(const hr_plane *_Nonnull from, const hr_target *_Nonnull to, const hr_step *_Nonnull steps,
                     int count);

/// Gaussian blur; the image is mirrored outside its edges, including the samples at the edge.
///
/// @param from Planes of equal size.
/// @param alpha Their straight alpha, or NULL: transparent pixels have no weight.
/// @param to Planes of the same size; `count`, or `count` + 1 with the blurred alpha.
/// @param deviation The standard deviation in pixels, from 0.1 to 1000.
/// @return HR_OK, HR_NO_MEMORY or HR_FAILED.
hr_status hr_blur(const hr_plane *_Nonnull from, const hr_plane *_Nullable alpha, const hr_target *_Nonnull to,
                  int count, double deviation, hr_error *_Nonnull error);

/// Unsharp mask: `from + amount * (from - blurred)`, rounded and clamped; alpha is unchanged.
///
/// Parameters and errors are the same as for hr_blur; `to` has `count` planes.
hr_status hr_sharpen(const hr_plane *_Nonnull from, const hr_plane *_Nullable alpha, const hr_target *_Nonnull to,
                     int count, double deviation, float amount, hr_error *_Nonnull error);
