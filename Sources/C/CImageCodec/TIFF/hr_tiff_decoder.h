#pragma once

#include "hr_tiff.h"

#ifdef HR_TIFF

#include <tiffio.h>

#include "hr_tiff_samples.h"

struct hr_tiff_decoder {
    TIFF *tiff;
    const uint8_t *bytes;
    size_t count, position;
    // The first bytes of the file, with the offset of the directory that is read.
    uint8_t header[16];
    size_t header_count;
    hr_tiff_limits limits;
    hr_tiff_info info;
    hr_tiff_samples samples;
    TIFFRGBAImage image;
    bool has_image;
    bool damaged;
    char message[200];
};

#endif
