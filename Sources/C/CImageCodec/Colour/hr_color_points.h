#pragma once

#include <stdbool.h>

/// Chromaticities, x and y.
typedef struct hr_primaries {
    double white[2];
    double colors[3][2];  ///< Red, green and blue.
} hr_primaries;

/// The primaries of a code point (ITU-T H.273, table 2), false if it has none; those of sRGB if unspecified.
bool hr_primaries_of(int code_point, hr_primaries *_Nonnull primaries);

/// The curve from samples to light: (a x + b)^g from d on, c x below.
typedef struct hr_curve {
    double g, a, b, c, d;
} hr_curve;

/// The curve of a code point (ITU-T H.273, table 3), false if it has none of this form. Those of BT.709 and of what is
/// derived from it, and the unspecified one, are the curve of sRGB, as they are displayed.
bool hr_curve_of(int code_point, hr_curve *_Nonnull curve);

enum { HR_TRANSFER_PQ = 16, HR_TRANSFER_HLG = 18, HR_PRIMARIES_SRGB = 1, HR_PRIMARIES_BT2020 = 9 };

/// Whether primaries and curve are those of sRGB.
bool hr_is_srgb(const hr_primaries *_Nonnull primaries, const hr_curve *_Nonnull curve);

/// The matrix from linear red, green and blue to those of sRGB; false if the primaries lie on a line. Their white becomes
/// white.
bool hr_matrix_to_srgb(const hr_primaries *_Nonnull primaries, double matrix[_Nonnull 3][3]);

/// The curve of sRGB from light, 0 to 1, to samples.
double hr_srgb_encoded(double light);
