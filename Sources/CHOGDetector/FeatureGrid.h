#pragma once

#include "Kernels.h"
#include "Memory.h"

/// The features of one level at a time, and the memory that they are computed in.
typedef struct {
    hr_block features, quantized, energy;
    hr_block magnitude, orientation;
    hr_block histogram[3], norm[3];
    hr_grid grid;
} hr_feature_grid;

/// Cells on a side of so many pixels, as dlib counts them: half a cell is one.
int hr_cells(int pixels);

/// Computes the features of a level for windows of the given size. The grid has no rows or no columns when the level
/// is too small for any; 0 when memory runs out.
int hr_feature_grid_compute(hr_feature_grid *grid, const hr_kernels *kernels, const hr_level *level, int window_columns,
                            int window_rows);

void hr_feature_grid_free(hr_feature_grid *grid);
