#pragma once

#include "hr_jpeg.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

enum { HR_JPEG_MAX_SCANS_LEFT_OUT = 64 };  // a file with more scans is decoded completely

/// A scan: a band of coefficients of some components, and the bits that it contains.
typedef struct hr_jpeg_scan {
    size_t start, end;     // from its marker up to the next one, in bytes of the file
    uint32_t components;   // bit c for component c
    int first, last;       // coefficients in the order of the file
    int earlier_bit, bit;  // the lowest bit in earlier scans, 0 for none, and in this scan
    bool kept;
} hr_jpeg_scan;

/// The coefficients of a component, in whole MCUs. A bit of `nonzero` is set for each coefficient of a block that is not
/// 0, in the order of the file.
typedef struct hr_jpeg_blocks {
    JBLOCK *blocks;
    uint64_t *nonzero;
    size_t columns, rows;
    JBLOCKROW *starts;  // of each row
} hr_jpeg_blocks;

/// The start of libjpeg's private struct jpeg_entropy_decoder, the same since version 5.
typedef struct hr_jpeg_entropy_decoder {
    void (*start_pass)(j_decompress_ptr);
    boolean (*decode_mcu)(j_decompress_ptr, JBLOCKROW *);
} hr_jpeg_entropy_decoder;

static inline hr_jpeg_entropy_decoder *hr_jpeg_entropy_of(j_decompress_ptr cinfo)
{
    return (hr_jpeg_entropy_decoder *)(void *)cinfo->entropy;
}

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
    const uint8_t *bytes;
    size_t count;
    uint8_t *amended;  // a copy of the file with the height of its frame, or NULL
    int (*read_markers)(j_decompress_ptr);
    // The scans of the file if some are skipped, and the first scan that was not yet passed.
    hr_jpeg_scan scans[HR_JPEG_MAX_SCANS_LEFT_OUT];
    int scan_count, next_scan;
    boolean (*fill_at_end)(j_decompress_ptr);
    // The coefficients of a file with several scans.
    hr_jpeg_blocks blocks[MAX_COMPONENTS];
    int requested;    // the number of components whose coefficients libjpeg has requested
    bool is_decoded;  // whether the coefficients are decoded, so that libjpeg skips the data of all scans
    void (*start_pass)(j_decompress_ptr);
    bool at_end;  // the data ended
    bool damaged;
    // The loss in the first scan, after damage was found (hr_jpeg_loss.c).
    boolean (*decode_mcu)(j_decompress_ptr, JBLOCKROW *);
    int64_t lost_mcus;
    bool mcu_is_lost;  // the MCU that is being decoded
};
