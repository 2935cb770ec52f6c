#pragma once

#include "hr_heif.h"

typedef struct hr_avif_decoder hr_avif_decoder;

/// Reads the boxes of an AVIF file. `bytes` must outlive the decoder. Close `*out` whenever it is not NULL.
hr_status hr_avif_open(const uint8_t *_Nonnull bytes, size_t count, hr_heif_limits limits,
                       hr_avif_decoder *_Nullable *_Nonnull out, hr_heif_info *_Nonnull info, hr_error *_Nonnull error);

/// The number of pictures, 1 for a still one, and their time in seconds.
void hr_avif_sequence(const hr_avif_decoder *_Nonnull decoder, int *_Nonnull frames, double *_Nonnull seconds);

/// Decodes the first picture, or the one after the last, on the calling thread.
hr_status hr_avif_decode(hr_avif_decoder *_Nonnull decoder, hr_heif_picture *_Nonnull picture,
                         hr_error *_Nonnull error);

/// The time of the decoded picture.
double hr_avif_seconds(const hr_avif_decoder *_Nonnull decoder);

void hr_avif_close(hr_avif_decoder *_Nullable decoder);
