#pragma once

#include "hr_jpeg_decoder.h"

/// Makes the decoder leave out scans that its scale and components do not need. Called once the scale is chosen, before
/// jpeg_start_decompress. Does nothing to files that are not complete, or in which every damage counts.
void hr_jpeg_leave_out_scans(hr_jpeg_decoder *decoder);
