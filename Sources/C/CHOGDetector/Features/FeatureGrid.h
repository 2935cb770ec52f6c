#pragma once

#include "Kernels.h"
#include "Memory.h"

/// The features of one level, in strips from top to bottom; each strip has the feature rows for some rows of windows.
///
/// Features are therefore read while they are in a fast cache, and they need little memory even for a large level.
typedef struct {
    hr_block features, quantized, energy;
    hr_block magnitude, orientation;
    hr_block histogram[3], norm[3];
    hr_grid grid;
    hr_band band;
    hr_level level;
    int window_rows;
    int held_rows;  // rows of the grid, border included
    int next_row;   // next row of the level, border included
} hr_feature_grid;

/// The number of cells on a side of `pixels`, as in dlib: half a cell counts as one.
int hr_cells(int pixels);

/// Starts at the top of a level with windows of the given size; returns 0 if memory is exhausted.
///
/// The grid has no rows or no columns if the level is too small.
int hr_feature_grid_begin(hr_feature_grid *grid, hr_level level, int window_columns, int window_rows);

/// Advances to the next strip, which starts at the grid's top. Returns its number of window rows; 0 at the end.
int hr_feature_grid_next(hr_feature_grid *grid, const hr_kernels *kernels);

void hr_feature_grid_free(hr_feature_grid *grid);
