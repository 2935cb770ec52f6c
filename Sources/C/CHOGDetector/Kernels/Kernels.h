#pragma once
// The inner loops. They are written once, in the *Kernel.h files, and compiled once for each instruction set by the
// files in Instructions; hr_kernels_for() picks one set at run time. All sets give equal results to the last bit,
// because sums are computed in the same order, and multiplications and additions are never fused.

#include <stddef.h>
#include <stdint.h>

#include "CHOGDetector.h"

enum {
    HR_ORIENTATIONS = 18,
    HR_PADDED_ORIENTATIONS = 20,
    HR_FEATURE_STEPS = 127,  // steps of a quantised feature
    HR_PIECE = 64,           // bytes of a window's row that are multiplied at a time: two cells
    // Column blocks that vote concurrently, so that additions do not depend on each other.
    HR_VOTING_BLOCKS = 8,
};

/// A grey image; one level of the pyramid.
typedef struct {
    const uint8_t *pixels;
    size_t bytes_per_row;
    int width, height;
} hr_level;

/// The FHOG features of some rows of a level, with a border of zeros wide enough for a window to be centred on any
/// cell.
///
/// The features of a cell are adjacent, so that the features of a window's row are contiguous in memory.
typedef struct {
    int columns, rows;   // windows that fit the level; the number of cells with features
    int stride;          // cells from one row to the next, border included
    int border;          // border cells on the left
    float *features;     // [held rows][stride][HR_HOG_PLANES]
    uint8_t *quantized;  // the same, in steps of hr_feature_step()
    float *energy;       // [held rows][stride], sum of the squares of a cell's features
} hr_grid;

/// Working memory for one band of rows, and its position in the level.
typedef struct {
    int next;              // band; 0 before the first
    float *magnitude;      // [HR_HOG_CELL][band_stride]
    uint8_t *orientation;  // the same
    size_t band_stride;
    float *histogram[3];  // rows of cells, [cells + 2][HR_HOG_PLANES], one cell of border on each side
    float *norm[3];       // [cells]
} hr_band;

/// One step of a pyramid: the sample positions in the larger level for a row of the smaller level.
typedef struct {
    int *left;              // [width + HR_SHRINK_SLACK] column to the left of the sample
    float *fraction;        // the same: the position of the sample between this column and the next, 0 to 1
    int rounded;            // columns with rounded values; the others are truncated
    uint8_t *top, *bottom;  // [source width + HR_SHRINK_SLACK] copies of the rows above and below the samples
} hr_shrink;

enum { HR_SHRINK_SLACK = 32 };

/// Weights in 8 bits.
typedef struct {
    int rows;          // rows of the window
    size_t row_bytes;  // bytes of a row of the window, a multiple of HR_PIECE
    int filter_count;
    int8_t *weights;  // [row][piece of it][filter][HR_PIECE]
} hr_screen;

typedef struct {
    /// Writes one row of a smaller level; `top` and `bottom` are the rows around it, and `fraction` is its position
    /// between them.
    void (*shrink_row)(const uint8_t *top, const uint8_t *bottom, int source_width, double fraction,
                       const hr_shrink *shrink, uint8_t *out, int width);

    /// Computes features of the next `count` rows of cells, and writes them to the rows of the grid starting at `at`.
    void (*features)(const hr_level *level, hr_band *band, const hr_grid *grid, int at, int count);

    /// Scores windows of one row with quantised weights. `scores` is [filter][count], and `at` is the first window's
    /// corner.
    void (*screen)(const hr_screen *screen, const uint8_t *at, size_t grid_row_bytes, int count, int32_t *scores);

    /// The exact score of one window. `weights` is [rows][row_floats], and `at` is the window's corner.
    float (*score)(const float *weights, const float *at, int rows, size_t row_floats, size_t grid_row_floats);
} hr_kernels;

extern const hr_kernels hr_kernels_plain;
#if defined(__x86_64__)
extern const hr_kernels hr_kernels_sse4;
extern const hr_kernels hr_kernels_avx2;
extern const hr_kernels hr_kernels_avx512;
#elif defined(__aarch64__)
extern const hr_kernels hr_kernels_neon;
extern const hr_kernels hr_kernels_neon_dot;
#endif

const hr_kernels *hr_kernels_for(hr_hog_instructions instructions);

/// The size of one step of a quantised feature.
///
/// The first 27 planes reach 0.4: four times the clipped maximum of a bin, 0.1. A texture plane sums 18 bins h that
/// were scaled by 0.5 / sqrt(E), E at least the sum of (h[o] + h[o + 9])² over 9: 0.4714 * 0.5 * sqrt(9) < 0.72.
static inline float hr_feature_step(int plane) { return (plane < 27 ? 0.4f : 0.72f) / HR_FEATURE_STEPS; }
