#pragma once

#include "hr_types.h"

#ifdef HR_TIFF

#include <tiffio.h>

/// The conversion of samples to pixels.
typedef enum hr_tiff_kind {
    HR_TIFF_BY_LIBRARY,  ///< libtiff converts them.
    HR_TIFF_GRAY,
    HR_TIFF_RGB,
    HR_TIFF_PALETTE,
    HR_TIFF_CMYK,
    HR_TIFF_LAB,
} hr_tiff_kind;

/// The samples of an image that libtiff does not convert, or converts without alpha.
typedef struct hr_tiff_samples {
    hr_tiff_kind kind;
    int depth, count;  ///< Bits of a sample, 1 to 16, and samples of a pixel.
    int alpha;         ///< The index of alpha; 0 if there is none.
    bool is_premultiplied, is_separate;
    bool is_inverted;               ///< Grey: 0 is white.
    bool is_icc_lab;                ///< L*a*b*: a* and b* are offset instead of signed.
    uint16_t *_Nullable colors[3];  ///< Colours of a palette; they belong to libtiff.
    bool has_wide_colors;
    uint8_t *_Nullable buffer;  ///< A strip or tile; one for each plane if they are separate.
    size_t block_bytes;
} hr_tiff_samples;

/// Selects the conversion of samples to pixels.
///
/// HR_UNSUPPORTED for samples that neither libtiff nor this file converts.
hr_status hr_tiff_find_samples(TIFF *_Nonnull tiff, hr_tiff_samples *_Nonnull out, hr_error *_Nonnull error);

/// The number of colour planes: 1, 3, or 4 for inks.
int hr_tiff_color_planes(const hr_tiff_samples *_Nonnull samples);

/// Allocates the memory for a block; false if memory is exhausted.
bool hr_tiff_begin_samples(TIFF *_Nonnull tiff, hr_tiff_samples *_Nonnull samples);

/// Decodes the strip or tile that starts at (x, y); false if it is damaged.
bool hr_tiff_read_samples(TIFF *_Nonnull tiff, hr_tiff_samples *_Nonnull samples, uint32_t x, uint32_t y,
                          const hr_target *_Nonnull planes);

void hr_tiff_end_samples(hr_tiff_samples *_Nonnull samples);

#endif
