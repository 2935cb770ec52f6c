#pragma once

#include "hr_jpeg.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

/// A compressor that writes to a buffer. libjpeg's errors jump to `escape`, with the reason in `error`.
typedef struct hr_jpeg_writer {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf escape;
    hr_error *error;
    hr_buffer *out;
} hr_jpeg_writer;

/// Must be called first; afterwards jpeg_destroy_compress is allowed. Does not jump.
void hr_jpeg_writer_prepare(hr_jpeg_writer *writer, hr_buffer *out, hr_error *error);

/// Creates the compressor; must be called after setjmp.
void hr_jpeg_writer_create(hr_jpeg_writer *writer);
