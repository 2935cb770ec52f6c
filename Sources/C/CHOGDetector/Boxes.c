// Boxes as in dlib: corners are whole pixels that belong to the box, and every step rounds like dlib.

#include "Boxes.h"

#include <math.h>
#include <stdlib.h>

// Operations are not fused, so every processor rounds in the same way.
#pragma clang fp contract(off)

typedef struct {
    int64_t left, top, right, bottom;
} corners;

static double down(double value) { return (value - 0.3) * (5.0 / 6.0); }
static double up(double value) { return value * (6 / 5.0) + 0.3; }
static int64_t nearest(double value) { return (int64_t)floor(value + 0.5); }

int hr_pyramid_levels(const hr_hog_settings *settings, size_t width, size_t height)
{
    corners box = {0, 0, (int64_t)width - 1, (int64_t)height - 1};
    int levels = 0;
    do {
        box = (corners){nearest(down((double)box.left)), nearest(down((double)box.top)),
                        nearest(down((double)box.right)), nearest(down((double)box.bottom))};
        ++levels;
    } while (box.right - box.left + 1 >= settings->min_layer_width &&
             box.bottom - box.top + 1 >= settings->min_layer_height && levels < settings->max_levels);
    return levels;
}

/// Returns one coordinate of a cell's centre, in pixels of its level. `cell` counts cells of the grid with its border.
static int64_t cell_centre(int64_t cell, int window)
{
    const int64_t pixel = (cell + 1 - (window - 1) / 2) * HR_HOG_CELL + 1;
    return pixel + (pixel >= 0 ? HR_HOG_CELL / 2 : -HR_HOG_CELL / 2);
}

static int64_t to_image(int64_t pixel, int level)
{
    double value = (double)pixel;
    for (int i = 0; i < level; ++i)
        value = up(value);
    return nearest(value);
}

hr_hog_detection hr_window_box(const hr_hog_settings *settings, int column, int row, int level)
{
    const int64_t left = column + settings->padding, top = row + settings->padding;
    const int64_t right = left + settings->columns - 2 * settings->padding - 1;
    const int64_t bottom = top + settings->rows - 2 * settings->padding - 1;
    const int64_t x = to_image(cell_centre(left, settings->columns), level);
    const int64_t y = to_image(cell_centre(top, settings->rows), level);
    return (hr_hog_detection){
        .x = x,
        .y = y,
        .width = to_image(cell_centre(right, settings->columns), level) - x + 1,
        .height = to_image(cell_centre(bottom, settings->rows), level) - y + 1,
    };
}

int hr_detections_append(hr_detections *detections, hr_hog_detection detection)
{
    if (detections->count == detections->capacity) {
        const size_t capacity = detections->capacity ? 2 * detections->capacity : 64;
        hr_hog_detection *items = realloc(detections->items, capacity * sizeof *items);
        if (!items)
            return 0;
        detections->items = items;
        detections->capacity = capacity;
    }
    detections->items[detections->count++] = detection;
    return 1;
}

static int surer_first(const void *a, const void *b)
{
    const double x = ((const hr_hog_detection *)a)->confidence, y = ((const hr_hog_detection *)b)->confidence;
    return (x < y) - (x > y);
}

static double smaller(int64_t a, int64_t b) { return (double)(a < b ? a : b); }
static double larger(int64_t a, int64_t b) { return (double)(a > b ? a : b); }

/// Like dlib's test_box_overlap, which uses the smallest box around both as the union.
static int overlap(const hr_hog_detection *a, const hr_hog_detection *b, double iou, double covered)
{
    const double width = smaller(a->x + a->width, b->x + b->width) - larger(a->x, b->x);
    const double height = smaller(a->y + a->height, b->y + b->height) - larger(a->y, b->y);
    if (width <= 0 || height <= 0)
        return 0;
    const double inner = width * height;
    const double outer = (larger(a->x + a->width, b->x + b->width) - smaller(a->x, b->x)) *
                         (larger(a->y + a->height, b->y + b->height) - smaller(a->y, b->y));
    return inner / outer > iou || inner / ((double)a->width * (double)a->height) > covered ||
           inner / ((double)b->width * (double)b->height) > covered;
}

int hr_detections_suppress(hr_detections *windows, hr_detections *kept, double overlap_iou, double overlap_covered)
{
    kept->count = 0;
    if (!windows->count)
        return 1;
    qsort(windows->items, windows->count, sizeof *windows->items, surer_first);
    for (size_t i = 0; i < windows->count; ++i) {
        const hr_hog_detection *window = &windows->items[i];
        size_t other = 0;
        while (other < kept->count && !overlap(&kept->items[other], window, overlap_iou, overlap_covered))
            ++other;
        if (other == kept->count && !hr_detections_append(kept, *window))
            return 0;
    }
    return 1;
}
