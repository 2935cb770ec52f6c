#include "Model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Operations are not fused, so every processor rounds in the same way.
#pragma clang fp contract(off)

static int is_valid(const hr_hog_settings *settings)
{
    return settings->columns >= 1 && settings->columns <= HR_HOG_MAX_WINDOW && settings->rows >= 1 &&
           settings->rows <= HR_HOG_MAX_WINDOW && settings->padding >= 0 && 2 * settings->padding < settings->columns &&
           2 * settings->padding < settings->rows && settings->max_levels >= 1 && settings->min_layer_width >= 4 &&
           settings->min_layer_height >= 4 && settings->filter_count >= 1 && settings->filter_count <= 64;
}

/// The value of one step of a quantised score. It is chosen so that weights fit 8 bits and sums of products fit 16
/// bits.
static float quantization_unit(const hr_hog_settings *settings, const float *weights)
{
    const int row_length = settings->columns * HR_HOG_PLANES;
    float largest_weight = 0, largest_sum = 0;
    for (int row = 0; row < settings->rows; ++row, weights += row_length) {
        for (int piece = 0; piece < row_length; piece += HR_PIECE) {
            const int end = piece + HR_PIECE < row_length ? piece + HR_PIECE : row_length;
            for (int plane = 0; plane < HR_HOG_PLANES; plane += 2) {
                float sum = 0;
                for (int i = piece + plane; i < end; i += HR_HOG_PLANES) {
                    const float even = fabsf(weights[i]) * hr_feature_step(plane);
                    const float odd = fabsf(weights[i + 1]) * hr_feature_step(plane + 1);
                    largest_weight = fmaxf(largest_weight, fmaxf(even, odd));
                    sum += even + odd;
                }
                largest_sum = fmaxf(largest_sum, sum);
            }
        }
    }
    // Rounding may increase each of the four weights by one half.
    const float most = INT16_MAX / HR_FEATURE_STEPS - 2;
    const float unit = fmaxf(largest_weight / INT8_MAX, largest_sum / most);
    return unit > 0 ? unit : 1;
}

/// Rounds one filter to 8 bits, into pieces at a distance of `filter_count` pieces.
static hr_filter_error quantize(const hr_hog_settings *settings, const float *weights, const hr_screen *screen,
                                int filter)
{
    const int row_length = settings->columns * HR_HOG_PLANES;
    const int length = settings->rows * row_length;
    hr_filter_error error = {.unit = quantization_unit(settings, weights)};

    const size_t pieces = screen->row_bytes / HR_PIECE;
    double squares = 0;
    for (int i = 0; i < length; ++i) {
        const float step = hr_feature_step(i % HR_HOG_PLANES);
        const float rounded = rintf(weights[i] * step / error.unit);
        const size_t row = (size_t)(i / row_length), byte = (size_t)(i % row_length);
        const size_t piece = (row * pieces + byte / HR_PIECE) * (size_t)screen->filter_count + (size_t)filter;
        screen->weights[piece * HR_PIECE + byte % HR_PIECE] = (int8_t)rounded;

        const double missing = weights[i] - rounded * error.unit / step;
        squares += missing * missing;
        error.feature_error += fabsf(weights[i]) * step / 2;
    }
    error.weight_error = (float)sqrt(squares);
    return error;
}

hr_hog_status hr_hog_model_make(const hr_hog_settings *settings, const float *weights, const double *thresholds,
                                hr_hog_model **out)
{
    if (!is_valid(settings))
        return HR_HOG_INVALID_MODEL;

    hr_hog_model *model = calloc(1, sizeof *model);
    if (!model)
        return HR_HOG_OUT_OF_MEMORY;
    const size_t filters = (size_t)settings->filter_count;
    const size_t length = (size_t)(settings->rows * settings->columns) * HR_HOG_PLANES;
    hr_screen *screen = &model->screen;
    screen->rows = settings->rows;
    screen->row_bytes = ((size_t)settings->columns * HR_HOG_PLANES + HR_PIECE - 1) / HR_PIECE * HR_PIECE;
    screen->filter_count = settings->filter_count;
    const size_t screen_bytes = filters * (size_t)settings->rows * screen->row_bytes;

    model->settings = *settings;
    model->weights = malloc(filters * length * sizeof *weights);
    model->thresholds = malloc(filters * sizeof *thresholds);
    model->errors = malloc(filters * sizeof *model->errors);
    screen->weights = aligned_alloc(64, screen_bytes);
    if (!model->weights || !model->thresholds || !model->errors || !screen->weights) {
        hr_hog_model_free(model);
        return HR_HOG_OUT_OF_MEMORY;
    }

    memcpy(model->weights, weights, filters * length * sizeof *weights);
    memcpy(model->thresholds, thresholds, filters * sizeof *thresholds);
    memset(screen->weights, 0, screen_bytes);
    for (int f = 0; f < settings->filter_count; ++f) {
        model->errors[f] = quantize(settings, weights + (size_t)f * length, screen, f);
    }
    double squares = 0;
    for (int plane = 0; plane < HR_HOG_PLANES - 1; ++plane) {
        squares += hr_feature_step(plane) * hr_feature_step(plane) / 4;
    }
    model->norm_error = (float)sqrt(squares * settings->rows * settings->columns);
    *out = model;
    return HR_HOG_OK;
}

void hr_hog_model_free(hr_hog_model *model)
{
    if (!model)
        return;
    free(model->screen.weights);
    free(model->weights);
    free(model->thresholds);
    free(model->errors);
    free(model);
}
