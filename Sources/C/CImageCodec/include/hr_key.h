#pragma once

#include "hr_types.h"

/// How a key colour becomes transparent.
typedef struct hr_key {
    float red, green, blue;  ///< The key, from 0 to 255; not grey.
    /// Shares of the key in a pixel: from `opaque` down it is opaque, from `clear` up transparent.
    float opaque, clear;
    float spill;  ///< The part of the key that is taken out of visible pixels, from 0 to 1.
} hr_key;

/// Makes the pixels of a key colour transparent, and takes the key out of the others.
///
/// @param from Red, green and blue.
/// @param alpha Their straight alpha, or NULL; the result's is the product.
/// @param to Red, green, blue and straight alpha, of the same size.
void hr_key_out(const hr_plane *_Nonnull from, const hr_plane *_Nullable alpha, const hr_target *_Nonnull to,
                const hr_key *_Nonnull key);
