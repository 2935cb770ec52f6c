// The detector: it computes features for each level of the pyramid, and then the scores of all windows.
//
// Scores are computed twice. With weights and features of 8 bits, every window gets a score with a bounded error, which
// is about 1 in most windows. The few windows that could reach the threshold are scored again in single precision. The
// 8 bits therefore cost no accuracy: no window that dlib finds is missed, and all scores are exact.

#include <math.h>
#include <stdlib.h>

#include "Boxes.h"
#include "FeatureGrid.h"
#include "Model.h"
#include "Pyramid.h"

// Operations are not fused, so every processor rounds in the same way.
#pragma clang fp contract(off)

// A second level with more pixels is freed after each image, because it is rarely needed again. For example, the finest
// pass over an image of 12 megapixels, at 2667 x 2000 pixels, has a second level of 3.7 million pixels.
enum { MOST_LEVEL_BYTES_KEPT = 6 << 20 };

struct hr_hog_detector {
    const hr_hog_model *model;
    const hr_kernels *kernels;
    hr_pyramid pyramid;
    hr_feature_grid grid;
    hr_block scores;         // scores of a row of windows, [filter][column]
    hr_block column_energy;  // energy of each column of cells in a row of windows
    hr_block norm;           // norm of the features in each window of a row
    hr_detections windows;   // all windows that reached the threshold
    hr_detections found;     // one for each object
};

hr_hog_status hr_hog_detector_make(const hr_hog_model *model, hr_hog_instructions instructions, hr_hog_detector **out)
{
    hr_hog_detector *detector = calloc(1, sizeof *detector);
    if (!detector)
        return HR_HOG_OUT_OF_MEMORY;
    detector->model = model;
    detector->kernels = hr_kernels_for(instructions);
    *out = detector;
    return HR_HOG_OK;
}

void hr_hog_detector_free(hr_hog_detector *detector)
{
    if (!detector)
        return;
    hr_pyramid_free(&detector->pyramid);
    hr_feature_grid_free(&detector->grid);
    hr_block_free(&detector->scores);
    hr_block_free(&detector->column_energy);
    hr_block_free(&detector->norm);
    free(detector->windows.items);
    free(detector->found.items);
    free(detector);
}

/// The norm of the features in each window of a row of the grid, including the largest rounding error.
static void window_norms(const hr_hog_detector *detector, int row, float *norms)
{
    const hr_hog_settings *settings = &detector->model->settings;
    const hr_grid *grid = &detector->grid.grid;
    float *columns = detector->column_energy.bytes;
    for (int x = 0; x < grid->stride; ++x)
        columns[x] = 0;
    for (int y = 0; y < settings->rows; ++y) {
        const float *energy = grid->energy + (size_t)(row + y) * (size_t)grid->stride;
        for (int x = 0; x < grid->stride; ++x)
            columns[x] += energy[x];
    }
    for (int x = 0; x < grid->columns; ++x) {
        float sum = 0;
        for (int i = 0; i < settings->columns; ++i)
            sum += columns[x + i];
        norms[x] = sqrtf(sum) + detector->model->norm_error;
    }
}

/// Scores the windows of one row, which starts at row `at` of the grid, and keeps the windows that reach the threshold;
/// returns 0 if memory is exhausted.
static int detect_row(hr_hog_detector *detector, int row, int at, double threshold)
{
    const hr_hog_model *model = detector->model;
    const hr_hog_settings *settings = &model->settings;
    const hr_grid *grid = &detector->grid.grid;
    const size_t corner = (size_t)at * (size_t)grid->stride;
    const size_t row_floats = (size_t)settings->columns * HR_HOG_PLANES;
    int32_t *scores = detector->scores.bytes;
    float *norms = detector->norm.bytes;

    window_norms(detector, at, norms);
    detector->kernels->screen(&model->screen, grid->quantized + corner * HR_HOG_PLANES,
                              (size_t)grid->stride * HR_HOG_PLANES, grid->columns, scores);

    for (int f = 0; f < settings->filter_count; ++f) {
        const hr_filter_error error = model->errors[f];
        const double limit = model->thresholds[f] + threshold;
        // Includes a margin for rounding in the comparison itself.
        const float possible = (float)limit - error.feature_error - 1e-3f;
        for (int x = 0; x < grid->columns; ++x) {
            const float rough = (float)scores[f * grid->columns + x] * error.unit;
            if (rough + error.weight_error * norms[x] < possible)
                continue;

            const float score =
                detector->kernels->score(model->weights + (size_t)(f * settings->rows) * row_floats,
                                         grid->features + (corner + (size_t)x) * HR_HOG_PLANES, settings->rows,
                                         row_floats, (size_t)grid->stride * HR_HOG_PLANES);
            if (score < limit)
                continue;

            hr_hog_detection detection = hr_window_box(settings, x, row, detector->pyramid.depth);
            detection.confidence = score - model->thresholds[f];
            detection.filter = (uint32_t)f;
            if (!hr_detections_append(&detector->windows, detection))
                return 0;
        }
    }
    return 1;
}

static int detect_level(hr_hog_detector *detector, double threshold)
{
    const hr_hog_settings *settings = &detector->model->settings;
    const hr_grid *grid = &detector->grid.grid;
    if (!hr_feature_grid_begin(&detector->grid, detector->pyramid.level, settings->columns, settings->rows))
        return 0;
    if (grid->columns < 1 || grid->rows < 1)
        return 1;
    if (!hr_block_reserve(&detector->scores, (size_t)settings->filter_count * (size_t)grid->columns, sizeof(int32_t)) ||
        !hr_block_reserve(&detector->column_energy, (size_t)grid->stride, sizeof(float)) ||
        !hr_block_reserve(&detector->norm, (size_t)grid->columns, sizeof(float))) {
        return 0;
    }
    int row = 0;
    for (int count; (count = hr_feature_grid_next(&detector->grid, detector->kernels)) > 0; row += count) {
        for (int i = 0; i < count; ++i) {
            if (!detect_row(detector, row + i, i, threshold))
                return 0;
        }
    }
    return 1;
}

hr_hog_status hr_hog_detect(hr_hog_detector *detector, const uint8_t *pixels, size_t width, size_t height,
                            size_t bytes_per_row, double threshold, double smallest, hr_hog_findings *findings)
{
    if (width == 0 || height == 0 || width > HR_HOG_MAX_SIDE || height > HR_HOG_MAX_SIDE || bytes_per_row < width) {
        return HR_HOG_INVALID_IMAGE;
    }
    const hr_hog_settings *settings = &detector->model->settings;
    const int shorter = settings->columns < settings->rows ? settings->columns : settings->rows;
    double window = (shorter - 2 * settings->padding) * HR_HOG_CELL;

    detector->windows.count = 0;
    hr_pyramid_begin(&detector->pyramid, (hr_level){pixels, bytes_per_row, (int)width, (int)height});
    const int levels = hr_pyramid_levels(settings, width, height);
    for (int level = 0; level < levels; ++level, window *= 6.0 / 5) {
        if (level > 0 && !hr_pyramid_next(&detector->pyramid, detector->kernels))
            return HR_HOG_OUT_OF_MEMORY;
        if (window < smallest)
            continue;
        if (!detect_level(detector, threshold))
            return HR_HOG_OUT_OF_MEMORY;
    }
    if (detector->pyramid.images[0].capacity > MOST_LEVEL_BYTES_KEPT)
        hr_pyramid_free(&detector->pyramid);
    if (!hr_detections_suppress(&detector->windows, &detector->found, settings->overlap_iou,
                                settings->overlap_covered)) {
        return HR_HOG_OUT_OF_MEMORY;
    }
    *findings = (hr_hog_findings){
        .objects = detector->found.items,
        .object_count = detector->found.count,
        .windows = detector->windows.items,
        .window_count = detector->windows.count,
    };
    return HR_HOG_OK;
}
