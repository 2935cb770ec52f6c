#pragma once

#include "hr_jpeg_decoder.h"

/// Makes a decoder end the image before bytes that are not JPEG segments: trailers that phones append to files without
/// an end of image.
void hr_jpeg_end_before_trailer(hr_jpeg_decoder *decoder);

/// Sets the height of the frame to the height in a DNL segment after the first scan (T.81, B.2.5). The height is
/// written to a copy of the file, because libjpeg does not support DNL. False if memory is exhausted.
bool hr_jpeg_read_height(hr_jpeg_decoder *decoder);
