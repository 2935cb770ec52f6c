#include "Model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_LIMIT = 128 };  // 255 * 128 fits 16 bits: AVX2 adds two products at a time in 16 bits

static int is_valid(const hr_hog_settings *settings) {
    return settings->columns >= 1 && settings->columns <= HR_HOG_MAX_WINDOW && settings->rows >= 1 &&
           settings->rows <= HR_HOG_MAX_WINDOW && settings->padding >= 0 &&
           2 * settings->padding < settings->columns && 2 * settings->padding < settings->rows &&
           settings->max_levels >= 1 && settings->min_layer_width >= 4 && settings->min_layer_height >= 4 &&
           settings->filter_count >= 1 && settings->filter_count <= 64;
}

/// Rounds one filter so that no two neighbours exceed PAIR_LIMIT together, into 64-byte pieces that lie
/// `filter_count` pieces apart.
static hr_filter_error quantize(const hr_hog_settings *settings, const float *weights, const hr_screen *screen,
                                int filter) {
    const int row_length = settings->columns * HR_HOG_PLANES;
    const int length = settings->rows * row_length;

    float largest = 0;
    for (int i = 0; i < length; i += 2) {
        const float pair = fabsf(weights[i] * hr_feature_step(i % HR_HOG_PLANES)) +
                           fabsf(weights[i + 1] * hr_feature_step((i + 1) % HR_HOG_PLANES));
        if (pair > largest) largest = pair;
    }
    // Rounding may lift each of two neighbours by a half.
    hr_filter_error error = {.unit = largest > 0 ? largest / (PAIR_LIMIT - 1) : 1};

    const size_t pieces = screen->row_bytes / 64;
    double squares = 0;
    for (int i = 0; i < length; ++i) {
        const float step = hr_feature_step(i % HR_HOG_PLANES);
        const float rounded = rintf(weights[i] * step / error.unit);
        const size_t row = (size_t)(i / row_length), byte = (size_t)(i % row_length);
        const size_t piece = row * pieces + byte / 64;
        screen->weights[(piece * (size_t)screen->filter_count + (size_t)filter) * 64 + byte % 64] = (int8_t)rounded;

        const double missing = weights[i] - rounded * error.unit / step;
        squares += missing * missing;
        error.feature_error += fabsf(weights[i]) * step / 2;
    }
    error.weight_error = (float)sqrt(squares);
    return error;
}

hr_hog_status hr_hog_model_make(const hr_hog_settings *settings, const float *weights, const double *thresholds,
                                hr_hog_model **out) {
    if (!is_valid(settings)) return HR_HOG_INVALID_MODEL;

    hr_hog_model *model = calloc(1, sizeof *model);
    if (!model) return HR_HOG_OUT_OF_MEMORY;
    const size_t filters = (size_t)settings->filter_count;
    const size_t length = (size_t)(settings->rows * settings->columns) * HR_HOG_PLANES;
    hr_screen *screen = &model->screen;
    screen->rows = settings->rows;
    screen->row_bytes = ((size_t)settings->columns * HR_HOG_PLANES + 63) / 64 * 64;
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

void hr_hog_model_free(hr_hog_model *model) {
    if (!model) return;
    free(model->screen.weights);
    free(model->weights);
    free(model->thresholds);
    free(model->errors);
    free(model);
}
