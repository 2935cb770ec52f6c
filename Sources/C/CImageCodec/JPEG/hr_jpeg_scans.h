#pragma once

#include "hr_jpeg_decoder.h"

/// Makes the decoder skip scans that its scale and components do not need. Call it after the scale is chosen, before
/// jpeg_start_decompress. Has no effect on incomplete files, or if any damage counts as an error.
void hr_jpeg_leave_out_scans(hr_jpeg_decoder *decoder);

/// Makes libjpeg read the file without the data of its scans, after hr_jpeg_leave_out_scans, because they are decoded.
void hr_jpeg_leave_out_data(hr_jpeg_decoder *decoder);

/// Whether all scans of the file are known, because it is complete, and have Huffman codes without restart markers.
bool hr_jpeg_has_plain_scans(const hr_jpeg_decoder *decoder);
