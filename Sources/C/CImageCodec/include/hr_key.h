#pragma once

#include "hr_types.h"

/// The parameters for making a key colour transparent.
typedef struct hr_key {
    float red, green, blue;  ///< The key, from 0 to 255; not grey.
    /// Fractions of the key in a pixel: at or below `opaque` it is opaque, at or above `clear` transparent.
    float opaque, clear;
    float spill;  ///< The fraction of the key that is removed from visible pixels, from 0 to 1.
} hr_key;

/// Makes the pixels of a key colour transparent, and removes the key colour from all other pixels.
///
/// @param from Red, green and blue.
/// @param alpha Their straight alpha, or NULL; the output's alpha is the product.
/// @param to Red, green, blue and straight alpha, of the same size.
void hr_key_out(const hr_plane *_Nonnull from, const hr_plane *_Nullable alpha, const hr_target *_Nonnull to,
                const hr_key *_Nonnull key);
