#pragma once

#ifdef HR_HEIC

#include <stdbool.h>
#include <stdint.h>

#include <libde265/de265.h>

/// The fill of a decoder's images before decoding.
typedef struct hr_hevc_fill {
    uint16_t inversion;  // bits of the noise that are inverted
    int pictures;        // number of filled images
    int most_width, most_height;
    bool is_refused;  // whether an image was too large, or there were too many
} hr_hevc_fill;

/// Makes libde265 fill its images. Call this once, before any decoder is used.
void hr_hevc_prepare_fills(void);

/// Sets the fill of a decoder's images, which must outlive it.
void hr_hevc_set_fill(de265_decoder_context *context, hr_hevc_fill *fill);

/// Whether any block of an image still contains the noise of its fill.
bool hr_hevc_keeps_noise(const struct de265_image *image, const hr_hevc_fill *fill);

#endif
