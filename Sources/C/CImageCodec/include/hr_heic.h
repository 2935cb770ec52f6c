#pragma once

#include "hr_heif.h"

typedef struct hr_heic_decoder hr_heic_decoder;

/// Reads the boxes of a HEIF file with HEVC pictures. `bytes` must outlive the decoder. Close `*out` whenever it is not
/// NULL. The size of the crop is that after crop and orientation, which decoding applies; the subsampling is
/// left to the caller.
hr_status hr_heic_open(const uint8_t *_Nonnull bytes, size_t count, hr_heif_limits limits,
                       hr_heic_decoder *_Nullable *_Nonnull out, hr_heif_info *_Nonnull info, hr_error *_Nonnull error);

/// Decodes the picture on the calling thread. `info` is that of hr_heic_open; the call adds what only the coded picture
/// states: colours if the boxes have none, and the subsampling if it differs from the expected one.
hr_status hr_heic_decode(hr_heic_decoder *_Nonnull decoder, hr_heif_info *_Nonnull info,
                         hr_heif_picture *_Nonnull picture, hr_error *_Nonnull error);

/// Decodes one coded picture of a grid, without turning it. `info` and `picture` are as in hr_heic_decode; width,
/// height and depth become those of the tile. Its samples live until the next call.
hr_status hr_heic_decode_tile(hr_heic_decoder *_Nonnull decoder, uint32_t item, hr_heif_info *_Nonnull info,
                              hr_heif_picture *_Nonnull picture, hr_error *_Nonnull error);

void hr_heic_close(hr_heic_decoder *_Nullable decoder);
