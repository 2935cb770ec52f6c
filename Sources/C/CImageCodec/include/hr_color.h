#pragma once

#include "hr_types.h"

/// The samples of a pixel.
typedef enum hr_color_space {
    HR_COLOR_GRAY,
    HR_COLOR_RGB,
    HR_COLOR_CMYK  ///< 255 means without ink.
} hr_color_space;

/// The conversion of pixels to sRGB. It may be used on several threads at once.
typedef struct hr_transform hr_transform;

/// Builds the conversion from an ICC profile: relative colorimetric with black point compensation. If the `cicp` tag of
/// a profile contains PQ or HLG, colours are tone-mapped. HR_UNSUPPORTED if the profile is damaged, or is not for
/// `space`.
hr_status hr_transform_open(const uint8_t *_Nonnull profile, size_t count, hr_color_space space,
                            hr_transform *_Nullable *_Nonnull out, hr_error *_Nonnull error);

/// Whether any colour changes by more than rounding.
bool hr_transform_changes(const hr_transform *_Nonnull transform);

/// Memory of the conversion in bytes.
size_t hr_transform_bytes(const hr_transform *_Nonnull transform);

/// Converts planes of equal size: one grey plane to one grey plane, or three or four other planes to red, green and
/// blue.
hr_status hr_transform_run(const hr_transform *_Nonnull transform, const hr_plane *_Nonnull from,
                           const hr_target *_Nonnull to, hr_error *_Nonnull error);

void hr_transform_close(hr_transform *_Nullable transform);

/// Writes the ICC profile of code points of ITU-T H.273, ColourPrimaries and TransferCharacteristics. PQ and HLG are
/// written in a `cicp` tag. Writes nothing for sRGB. HR_UNSUPPORTED for code points without a definition.
hr_status hr_profile_of_code_points(int primaries, int transfer, bool gray, hr_buffer *_Nonnull out,
                                    hr_error *_Nonnull error);

/// Writes the ICC profile of samples that are light to the power of `gamma`, such as 0.45. The primaries are x and y of
/// white, red, green and blue, or the primaries of sRGB. Writes nothing for sRGB.
hr_status hr_profile_of_gamma(double gamma, const double *_Nullable chromaticities, bool gray, hr_buffer *_Nonnull out,
                              hr_error *_Nonnull error);

/// Writes a profile of the same colours for samples that are encoded with the sRGB curve. Does so only if the samples
/// of `profile` are nearly proportional to light, so that 8 bits would be too few for dark colours; otherwise writes
/// nothing.
hr_status hr_profile_of_encoded_light(const uint8_t *_Nonnull profile, size_t count, bool gray, hr_buffer *_Nonnull out,
                                      hr_error *_Nonnull error);

enum { HR_WIDE_LEVELS = 1 << 16 };

/// The sRGB curve from samples of 16 bits to samples of 8 bits.
void hr_encode_light(uint8_t table[_Nonnull HR_WIDE_LEVELS]);
