#pragma once

#include "hr_types.h"

/// Writes row `y` of 1 to 4 planes from interleaved samples.
void hr_unpack_row(const uint8_t *_Nonnull packed, const hr_target *_Nonnull planes, int channels, int y);

/// Writes interleaved samples from row `y` of 1 to 4 planes.
void hr_pack_row(const hr_plane *_Nonnull planes, int channels, int y, uint8_t *_Nonnull packed);

/// Copies the rectangle of `to`'s size whose top left sample is (x, y).
void hr_copy(const hr_plane *_Nonnull from, int x, int y, const hr_target *_Nonnull to);

void hr_fill(const hr_target *_Nonnull plane, uint8_t value);

bool hr_is_filled(const hr_plane *_Nonnull plane, uint8_t value);

/// Orients a plane by EXIF orientation 1 to 8. For 5 to 8, the sides of `to` are the sides of `from` exchanged.
void hr_orient(const hr_plane *_Nonnull from, int orientation, const hr_target *_Nonnull to);

/// Blends `from` over white by `alpha`; `to` may be `from`.
void hr_flatten(const hr_plane *_Nonnull from, const hr_plane *_Nonnull alpha, const hr_target *_Nonnull to);

/// Blends `from` over the content of `to`, by `alpha`.
void hr_blend(const hr_plane *_Nonnull from, const hr_plane *_Nonnull alpha, const hr_target *_Nonnull to);

/// Luma of BT.601 from red, green and blue, rounded as in libjpeg.
void hr_luma(const hr_plane *_Nonnull rgb, const hr_target *_Nonnull to);

/// Red, green or blue from its ink and black, both stored so that 255 means without ink: `light * key / 255`.
void hr_multiply(const hr_plane *_Nonnull light, const hr_plane *_Nonnull key, const hr_target *_Nonnull to);

void hr_invert(const hr_plane *_Nonnull from, const hr_target *_Nonnull to);

/// The kinds of samples in a plane of alpha.
typedef struct hr_alpha_uses {
    bool transparent;  ///< Some sample is 0.
    bool translucent;  ///< Some sample is neither 0 nor 255.
} hr_alpha_uses;

hr_alpha_uses hr_find_alpha_uses(const hr_plane *_Nonnull alpha);

/// Copies a plane, with 255 wherever alpha of the same size is 0.
void hr_hide(const hr_plane *_Nonnull from, const hr_plane *_Nonnull alpha, const hr_target *_Nonnull to);

/// Whether 1 to 3 planes of colours are a drawing: uniform areas of few colours, or smooth gradients, which take few
/// bytes in lossless files. Chroma planes may be smaller.
bool hr_is_drawn(const hr_plane *_Nonnull planes, int count);

/// The number of samples that differ by more than `tolerance` between two planes of the same size.
size_t hr_count_changes(const hr_plane *_Nonnull plane, const hr_plane *_Nonnull other, uint8_t tolerance);
