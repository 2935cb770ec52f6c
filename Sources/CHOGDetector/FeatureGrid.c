#include "FeatureGrid.h"

#include <string.h>

int hr_cells(int pixels) { return (int)((float)pixels / (float)HR_HOG_CELL + 0.5); }

static void clear_cells(const hr_grid *grid, size_t first, size_t count) {
    memset(grid->features + first * HR_HOG_PLANES, 0, count * HR_HOG_PLANES * sizeof(float));
    memset(grid->quantized + first * HR_HOG_PLANES, 0, count * HR_HOG_PLANES);
    memset(grid->energy + first, 0, count * sizeof(float));
}

/// Writes zeros around the features.
static void clear_border(const hr_grid *grid, int left, int above) {
    const size_t stride = (size_t)grid->stride;
    const size_t right = (size_t)(left + grid->columns);
    for (int y = 0; y < grid->total_rows; ++y) {
        const size_t row = (size_t)y * stride;
        if (y < above || y >= above + grid->rows) {
            clear_cells(grid, row, stride);
        } else {
            clear_cells(grid, row, (size_t)left);
            clear_cells(grid, row + right, stride - right);
        }
    }
}

int hr_feature_grid_compute(hr_feature_grid *self, const hr_kernels *kernels, const hr_level *level, int window_columns,
                            int window_rows) {
    const int cell_columns = hr_cells(level->width), cell_rows = hr_cells(level->height);
    hr_grid *grid = &self->grid;
    grid->columns = cell_columns - 2;
    grid->rows = cell_rows - 2;
    if (grid->columns < 1 || grid->rows < 1) return 1;
    grid->stride = grid->columns + window_columns - 1;
    grid->total_rows = grid->rows + window_rows - 1;

    // A row of a window is read in pieces of 64 bytes: two cells more than it may have.
    const size_t grid_cells = (size_t)grid->stride * (size_t)grid->total_rows + 2;
    const size_t blocks = ((size_t)cell_columns + 1 + HR_VOTING_BLOCKS - 1) / HR_VOTING_BLOCKS * HR_VOTING_BLOCKS;
    const size_t band_pixels = blocks * HR_HOG_CELL;
    int reserved = hr_block_reserve(&self->features, grid_cells * HR_HOG_PLANES, sizeof(float)) &&
                   hr_block_reserve(&self->quantized, grid_cells * HR_HOG_PLANES, 1) &&
                   hr_block_reserve(&self->energy, grid_cells, sizeof(float)) &&
                   hr_block_reserve(&self->magnitude, band_pixels * HR_HOG_CELL, sizeof(float)) &&
                   hr_block_reserve(&self->orientation, band_pixels * HR_HOG_CELL, 1);
    for (int i = 0; i < 3; ++i) {
        reserved = reserved &&
                   hr_block_reserve(&self->histogram[i], (size_t)(cell_columns + 2) * HR_HOG_PLANES, sizeof(float)) &&
                   hr_block_reserve(&self->norm[i], (size_t)cell_columns, sizeof(float));
    }
    if (!reserved) return 0;

    grid->features = self->features.bytes;
    grid->quantized = self->quantized.bytes;
    grid->energy = self->energy.bytes;
    clear_border(grid, (window_columns - 1) / 2, (window_rows - 1) / 2);
    hr_band band = {.magnitude = self->magnitude.bytes,
                    .orientation = self->orientation.bytes,
                    .band_stride = band_pixels};
    for (int i = 0; i < 3; ++i) {
        band.histogram[i] = self->histogram[i].bytes;
        band.norm[i] = self->norm[i].bytes;
    }
    kernels->features(level, &band, grid);
    return 1;
}

void hr_feature_grid_free(hr_feature_grid *self) {
    hr_block_free(&self->features);
    hr_block_free(&self->quantized);
    hr_block_free(&self->energy);
    hr_block_free(&self->magnitude);
    hr_block_free(&self->orientation);
    for (int i = 0; i < 3; ++i) {
        hr_block_free(&self->histogram[i]);
        hr_block_free(&self->norm[i]);
    }
}
