#pragma once

#include "Kernels.h"
#include "Memory.h"

/// The features of one level, a strip of it at a time: from top to bottom, as many rows as some rows of windows need.
///
/// So features are read while a cache near the processor has them, and take little memory however large the level is.
typedef struct {
    hr_block features, quantized, energy;
    hr_block magnitude, orientation;
    hr_block histogram[3], norm[3];
    hr_grid grid;
    hr_band band;
    hr_level level;
    int window_rows;
    int held_rows;          // of the grid, border included
    int next_row;           // of the level, border included
} hr_feature_grid;

/// Cells on a side of so many pixels, as dlib counts them: half a cell is one.
int hr_cells(int pixels);

/// Starts at the top of a level with windows of the given size; 0 when memory runs out.
///
/// The grid has no rows or no columns when the level is too small for any.
int hr_feature_grid_begin(hr_feature_grid *grid, hr_level level, int window_columns, int window_rows);

/// Moves on to the next strip, and returns how many rows of windows it has, the first at the grid's top; 0 at the end.
int hr_feature_grid_next(hr_feature_grid *grid, const hr_kernels *kernels);

void hr_feature_grid_free(hr_feature_grid *grid);
