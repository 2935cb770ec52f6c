#pragma once

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

/// Makes a decoder keep the first EXIF block and the parts of a profile in its `marker_list`, in linear time. For a source
/// in memory.
void hr_jpeg_keep_markers(j_decompress_ptr cinfo);
