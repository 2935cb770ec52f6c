#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// Makes a decoder keep the first EXIF block and the parts of a profile in its `marker_list`, in linear time. The
/// source must be in memory.
void hr_jpeg_keep_markers(j_decompress_ptr cinfo);

/// Assembles the profile from the kept markers, in memory that the caller frees; `*icc` is NULL if there is no profile.
/// False if memory is exhausted.
///
/// Files with two copies of a profile contain several parts with the same number; the first of them is used. If the
/// numbers are incomplete, the parts are used in file order, up to the size that the profile states.
bool hr_jpeg_read_profile(j_decompress_ptr cinfo, uint8_t **icc, size_t *count);
