#pragma once

#include "hr_heif.h"

typedef struct hr_avif_decoder hr_avif_decoder;

/// Reads the boxes of an AVIF file. `bytes` must outlive the decoder. Close `*out` whenever it is not NULL.
hr_status hr_avif_open(const uint8_t *_Nonnull bytes, size_t count, hr_heif_limits limits,
                       hr_avif_decoder *_Nullable *_Nonnull out, hr_heif_info *_Nonnull info, hr_error *_Nonnull error);

/// The number of pictures; 1 for a still one.
int hr_avif_frames(const hr_avif_decoder *_Nonnull decoder);

/// The time of picture `index`, from 0, in seconds; 0 if it has none.
double hr_avif_seconds(const hr_avif_decoder *_Nonnull decoder, int index);

/// Decodes the first picture, or the one after the last, on the calling thread.
hr_status hr_avif_decode(hr_avif_decoder *_Nonnull decoder, hr_heif_picture *_Nonnull picture,
                         hr_error *_Nonnull error);

void hr_avif_close(hr_avif_decoder *_Nullable decoder);
