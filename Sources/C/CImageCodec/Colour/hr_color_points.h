#pragma once

#include <stdbool.h>

/// Chromaticities, x and y.
typedef struct hr_primaries {
    double white[2];
    double colors[3][2];  ///< Red, green and blue.
} hr_primaries;

/// The primaries of a code point (ITU-T H.273, table 2); the primaries of sRGB if unspecified. False if the code point
/// defines none.
bool hr_primaries_of(int code_point, hr_primaries *_Nonnull primaries);

/// The curve from samples to light: (a x + b)^g starting at d, c x below.
typedef struct hr_curve {
    double g, a, b, c, d;
} hr_curve;

/// The curve of a code point (ITU-T H.273, table 3); false if it has no curve of this form. BT.709, curves derived from
/// it and the unspecified curve become the sRGB curve, because displays show them with this curve.
bool hr_curve_of(int code_point, hr_curve *_Nonnull curve);

enum { HR_TRANSFER_PQ = 16, HR_TRANSFER_HLG = 18, HR_PRIMARIES_SRGB = 1, HR_PRIMARIES_BT2020 = 9 };

/// Whether the primaries and the curve are the sRGB primaries and the sRGB curve.
bool hr_is_srgb(const hr_primaries *_Nonnull primaries, const hr_curve *_Nonnull curve);

/// The matrix from linear red, green and blue to linear sRGB; false if the primaries lie on a line. The white of the
/// primaries becomes white.
bool hr_matrix_to_srgb(const hr_primaries *_Nonnull primaries, double matrix[_Nonnull 3][3]);

/// The sRGB curve from light, 0 to 1, to samples.
double hr_srgb_encoded(double light);
