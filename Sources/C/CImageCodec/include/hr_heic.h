#pragma once

#include "hr_heif.h"

/// A decoded HEVC image, which owns its samples.
typedef struct hr_heic_picture hr_heic_picture;

/// Decodes one HEVC image on the calling thread, from the content of its `hvcC` box and the data of its item.
///
/// Its size is `width` by `height`, each 1 to 65535, from its `ispe` box. A coded image may be up to 63 pixels wider or
/// higher because of its blocks; it is then cut at its right and lower edges. Other sizes are rejected. Sets the size,
/// the subsampling, the depth and the coded colours of `info`.
hr_status hr_heic_decode(const uint8_t *_Nonnull configuration, size_t configuration_count,
                         const uint8_t *_Nonnull data, size_t count, int width, int height,
                         hr_heic_picture *_Nullable *_Nonnull out, hr_heif_info *_Nonnull info,
                         hr_heif_image *_Nonnull picture, hr_error *_Nonnull error);

void hr_heic_free(hr_heic_picture *_Nullable picture);
