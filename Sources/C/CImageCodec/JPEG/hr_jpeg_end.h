#pragma once

#include "hr_jpeg_decoder.h"

/// Makes a decoder end the image before bytes that are no JPEG segments: trailers of phones, in files without an end of
/// image.
void hr_jpeg_end_before_trailer(hr_jpeg_decoder *decoder);

/// Gives the frame the height that a DNL segment states behind the first scan (T.81, B.2.5): in a copy of the file, because
/// libjpeg knows no such segment. False without memory.
bool hr_jpeg_read_height(hr_jpeg_decoder *decoder);
