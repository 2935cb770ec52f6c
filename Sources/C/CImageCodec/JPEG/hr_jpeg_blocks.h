#pragma once

#include "hr_jpeg_decoder.h"

/// Provides zeroed memory for the coefficients of all components; false without memory, or above the limit.
bool hr_jpeg_take_blocks(hr_jpeg_decoder *decoder);

/// Makes jpeg_start_decompress() keep its coefficients in the decoder's blocks. If the decoder has decoded them, libjpeg
/// skips the data of all scans.
void hr_jpeg_use_blocks(hr_jpeg_decoder *decoder);

void hr_jpeg_give_blocks(hr_jpeg_decoder *decoder);
