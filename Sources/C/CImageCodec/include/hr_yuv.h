#pragma once

#include "hr_types.h"

/// Samples from video decoders: of one byte up to a depth of 8, otherwise of two bytes in the host's order.
typedef struct hr_samples {
    const void *_Nullable data;
    size_t stride;  ///< Bytes from one row to the next.
    int width;
    int height;
    int depth;  ///< Bits, 1 to 16.
} hr_samples;

typedef enum hr_range {
    HR_FULL,           ///< 0 to the maximum value.
    HR_FULL_CHROMA,    ///< The same, around the centre.
    HR_LIMITED,        ///< 16 to 235, at a depth of 8.
    HR_LIMITED_CHROMA  ///< 16 to 240 around 128, at a depth of 8.
} hr_range;

/// The conversion of luma and chroma to red, green and blue.
typedef enum hr_matrix_kind {
    HR_MATRIX_UNKNOWN,
    HR_MATRIX_BT601,     ///< JFIF's matrix.
    HR_MATRIX_WEIGHTS,   ///< Other weights of red and blue.
    HR_MATRIX_IDENTITY,  ///< The planes are green, blue and red.
    HR_MATRIX_YCGCO
} hr_matrix_kind;

typedef struct hr_matrix {
    hr_matrix_kind kind;
    double red, blue;  ///< Weights of red and blue in luma.
} hr_matrix;

/// The matrix of code points of ITU-T H.273, MatrixCoefficients and ColourPrimaries.
hr_matrix hr_matrix_of(int coefficients, int primaries);

/// Copies the rectangle of `to`'s size whose top left sample is (x, y) as full-range samples of one byte, rounded.
/// Samples beyond the edge of `from` repeat the edge samples.
void hr_narrow(const hr_samples *_Nonnull from, hr_range range, int x, int y, const hr_target *_Nonnull to);

/// Converts three full-range planes of equal size to red, green and blue in place.
void hr_matrix_to_rgb(hr_matrix matrix, const hr_target *_Nonnull planes);

/// Divides a colour by the alpha with which it was multiplied.
void hr_unpremultiply(const hr_target *_Nonnull plane, const hr_plane *_Nonnull alpha);
