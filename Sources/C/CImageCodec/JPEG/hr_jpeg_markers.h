#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// Makes a decoder keep the first EXIF block and the parts of a profile in its `marker_list`, in linear time. For a source
/// in memory.
void hr_jpeg_keep_markers(j_decompress_ptr cinfo);

/// Puts the profile together from the markers that were kept, in memory that the caller frees; `*icc` is NULL without one.
/// False without memory.
///
/// Of parts with the same number, which files with two copies of a profile have, the first one counts. If the numbers make
/// no whole, the parts count in their order, up to the size that the profile states.
bool hr_jpeg_read_profile(j_decompress_ptr cinfo, uint8_t **icc, size_t *count);
