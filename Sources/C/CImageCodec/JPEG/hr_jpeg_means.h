#pragma once

#include "hr_jpeg_decoder.h"

/// Decodes the means of the blocks of a complete progressive file, which are its samples at 1/8 of the size. False if
/// any component has another size, or if the file is unusual in any way; libjpeg has then read nothing.
bool hr_jpeg_decode_means(hr_jpeg_decoder *decoder, const hr_target *planes, int components);
