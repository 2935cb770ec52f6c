#include "FeatureGrid.h"

#include <string.h>

// Rows of windows in a strip. Feature rows shared with the next strip are moved, which costs less for higher strips.
// The features of 41 rows of 90 cells, for an image 640 pixels wide, take 590 KB.
enum { STRIP_ROWS = 32 };

int hr_cells(int pixels) { return (int)((float)pixels / (float)HR_HOG_CELL + 0.5); }

static void clear_cells(const hr_grid *grid, size_t first, size_t count)
{
    memset(grid->features + first * HR_HOG_PLANES, 0, count * HR_HOG_PLANES * sizeof(float));
    memset(grid->quantized + first * HR_HOG_PLANES, 0, count * HR_HOG_PLANES);
    memset(grid->energy + first, 0, count * sizeof(float));
}

static void move_cells(const hr_grid *grid, size_t to, size_t from, size_t count)
{
    memmove(grid->features + to * HR_HOG_PLANES, grid->features + from * HR_HOG_PLANES,
            count * HR_HOG_PLANES * sizeof(float));
    memmove(grid->quantized + to * HR_HOG_PLANES, grid->quantized + from * HR_HOG_PLANES, count * HR_HOG_PLANES);
    memmove(grid->energy + to, grid->energy + from, count * sizeof(float));
}

static int smaller(int a, int b) { return a < b ? a : b; }

/// The rows of a level, including its border.
static int total_rows(const hr_feature_grid *self) { return self->grid.rows + self->window_rows - 1; }

static int reserve(hr_feature_grid *self, int rows, int cell_columns)
{
    // A row of a window is read in pieces of 64 bytes, which may extend two cells beyond it.
    const size_t cells = (size_t)self->grid.stride * (size_t)rows + 2;
    const size_t blocks = ((size_t)cell_columns + 1 + HR_VOTING_BLOCKS - 1) / HR_VOTING_BLOCKS * HR_VOTING_BLOCKS;
    const size_t band_pixels = blocks * HR_HOG_CELL;
    int reserved = hr_block_reserve(&self->features, cells * HR_HOG_PLANES, sizeof(float)) &&
                   hr_block_reserve(&self->quantized, cells * HR_HOG_PLANES, 1) &&
                   hr_block_reserve(&self->energy, cells, sizeof(float)) &&
                   hr_block_reserve(&self->magnitude, band_pixels * HR_HOG_CELL, sizeof(float)) &&
                   hr_block_reserve(&self->orientation, band_pixels * HR_HOG_CELL, 1);
    for (int i = 0; i < 3; ++i) {
        reserved = reserved &&
                   hr_block_reserve(&self->histogram[i], (size_t)(cell_columns + 2) * HR_HOG_PLANES, sizeof(float)) &&
                   hr_block_reserve(&self->norm[i], (size_t)cell_columns, sizeof(float));
    }
    self->band = (hr_band){.magnitude = self->magnitude.bytes,
                           .orientation = self->orientation.bytes,
                           .band_stride = band_pixels};
    for (int i = 0; i < 3; ++i) {
        self->band.histogram[i] = self->histogram[i].bytes;
        self->band.norm[i] = self->norm[i].bytes;
    }
    self->grid.features = self->features.bytes;
    self->grid.quantized = self->quantized.bytes;
    self->grid.energy = self->energy.bytes;
    return reserved;
}

int hr_feature_grid_begin(hr_feature_grid *self, hr_level level, int window_columns, int window_rows)
{
    const int cell_columns = hr_cells(level.width), cell_rows = hr_cells(level.height);
    hr_grid *grid = &self->grid;
    grid->columns = cell_columns - 2;
    grid->rows = cell_rows - 2;
    grid->stride = grid->columns + window_columns - 1;
    grid->border = (window_columns - 1) / 2;
    self->level = level;
    self->window_rows = window_rows;
    self->held_rows = self->next_row = 0;
    if (grid->columns < 1 || grid->rows < 1)
        return 1;

    const int rows = smaller(total_rows(self), STRIP_ROWS + window_rows - 1);
    if (!reserve(self, rows, cell_columns))
        return 0;
    const size_t right = (size_t)(grid->border + grid->columns);
    for (int y = 0; y < rows; ++y) {
        const size_t row = (size_t)y * (size_t)grid->stride;
        clear_cells(grid, row, (size_t)grid->border);
        clear_cells(grid, row + right, (size_t)grid->stride - right);
    }
    return 1;
}

/// Appends rows of the level's border.
static void append_border(hr_feature_grid *self, int count)
{
    clear_cells(&self->grid, (size_t)self->held_rows * (size_t)self->grid.stride,
                (size_t)count * (size_t)self->grid.stride);
    self->held_rows += count;
    self->next_row += count;
}

int hr_feature_grid_next(hr_feature_grid *self, const hr_kernels *kernels)
{
    const hr_grid *grid = &self->grid;
    if (grid->columns < 1 || grid->rows < 1)
        return 0;
    const int overlap = self->window_rows - 1;
    const int above = overlap / 2, below = above + grid->rows;
    if (self->held_rows > 0) {
        move_cells(grid, 0, (size_t)(self->held_rows - overlap) * (size_t)grid->stride,
                   (size_t)overlap * (size_t)grid->stride);
        self->held_rows = overlap;
    }
    const int end = smaller(total_rows(self), self->next_row + STRIP_ROWS + overlap - self->held_rows);
    if (self->next_row < above)
        append_border(self, above - self->next_row);
    const int count = smaller(end, below) - self->next_row;
    if (count > 0) {
        kernels->features(&self->level, &self->band, grid, self->held_rows, count);
        self->held_rows += count;
        self->next_row += count;
    }
    if (self->next_row < end)
        append_border(self, end - self->next_row);
    return self->held_rows - overlap;
}

void hr_feature_grid_free(hr_feature_grid *self)
{
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
