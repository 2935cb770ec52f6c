#pragma once

#include "hr_jpeg.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

/// An open file. libjpeg's errors jump to `escape`, with the reason in `error`.
struct hr_jpeg_decoder {
    struct jpeg_decompress_struct cinfo;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    hr_error *error;
    hr_jpeg_limits limits;
    uint8_t *icc;
    JSAMPLE *spare;  // receives unused rows
    bool first_only;
    // The rows of MCUs that are transformed.
    int64_t first_mcu_row, end_mcu_row;
    bool at_end;  // the data ended
    bool damaged;
    // Rows of MCUs of the first scan up to which nothing more can be lost, and how many before them are.
    int64_t judged_rows, lost_rows;
};
