#pragma once

#include "hr_jpeg_decoder.h"

/// Decodes the scans of a complete progressive file that are kept into the decoder's blocks, with the same coefficients
/// as libjpeg. False if the file is damaged or unusual; the blocks must then be cleared.
bool hr_jpeg_decode_bands(hr_jpeg_decoder *decoder);
