#include "Stages.h"

#include <stdlib.h>

#include "FeatureGrid.h"
#include "Model.h"
#include "Pyramid.h"

const char *const hr_stage_names[HR_STAGES] = {"levels", "features", "quantized", "energy",
                                               "screen", "scores",   "findings"};

/// 64-bit FNV-1a.
static void digest(uint64_t *into, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        *into = (*into ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
}

static void needs(int holds)
{
    if (!holds)
        abort();
}

/// The scores of all windows in a row, in 8 bits and exact.
static void run_row(const hr_hog_model *model, const hr_kernels *kernels, const hr_grid *grid, int at,
                    hr_outcome *outcome)
{
    const hr_hog_settings *settings = &model->settings;
    const size_t corner = (size_t)at * (size_t)grid->stride, row_floats = (size_t)settings->columns * HR_HOG_PLANES;
    const size_t count = (size_t)(settings->filter_count * grid->columns);
    int32_t *scores = malloc(count * sizeof *scores);
    needs(scores != NULL);
    kernels->screen(&model->screen, grid->quantized + corner * HR_HOG_PLANES, (size_t)grid->stride * HR_HOG_PLANES,
                    grid->columns, scores);
    digest(&outcome->digests[HR_STAGE_SCREEN], scores, count * sizeof *scores);
    free(scores);
    for (int x = 0; x < grid->columns; x += 7) {
        const float score = kernels->score(model->weights, grid->features + (corner + (size_t)x) * HR_HOG_PLANES,
                                           settings->rows, row_floats, (size_t)grid->stride * HR_HOG_PLANES);
        digest(&outcome->digests[HR_STAGE_SCORES], &score, sizeof score);
    }
}

static void run_level(const hr_hog_model *model, const hr_kernels *kernels, hr_level level, hr_outcome *outcome)
{
    for (int y = 0; y < level.height; ++y)
        digest(&outcome->digests[HR_STAGE_LEVELS], level.pixels + (size_t)y * level.bytes_per_row, (size_t)level.width);
    hr_feature_grid self = {0};
    needs(hr_feature_grid_begin(&self, level, model->settings.columns, model->settings.rows));
    const hr_grid *grid = &self.grid;
    for (int rows; (rows = hr_feature_grid_next(&self, kernels)) > 0;) {
        const size_t cells = (size_t)self.held_rows * (size_t)grid->stride;
        digest(&outcome->digests[HR_STAGE_FEATURES], grid->features, cells * HR_HOG_PLANES * sizeof(float));
        digest(&outcome->digests[HR_STAGE_QUANTIZED], grid->quantized, cells * HR_HOG_PLANES);
        digest(&outcome->digests[HR_STAGE_ENERGY], grid->energy, cells * sizeof(float));
        for (int i = 0; i < rows; ++i)
            run_row(model, kernels, grid, i, outcome);
    }
    hr_feature_grid_free(&self);
}

static void digest_detections(uint64_t *into, const hr_hog_detection *detections, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const hr_hog_detection *one = &detections[i];
        const int64_t box[] = {one->x, one->y, one->width, one->height, one->filter};
        digest(into, box, sizeof box);
        digest(into, &one->confidence, sizeof one->confidence);
    }
}

hr_outcome hr_run_stages(const hr_hog_model *model, hr_hog_instructions instructions, const uint8_t *pixels,
                         size_t width, size_t height, size_t bytes_per_row, double threshold)
{
    hr_outcome outcome = {0};
    for (int i = 0; i < HR_STAGES; ++i)
        outcome.digests[i] = 0xcbf29ce484222325;
    const hr_kernels *kernels = hr_kernels_for(instructions);
    hr_pyramid pyramid = {0};
    hr_pyramid_begin(&pyramid, (hr_level){pixels, bytes_per_row, (int)width, (int)height});
    run_level(model, kernels, pyramid.level, &outcome);
    while (pyramid.level.width >= 4 && pyramid.level.height >= 4) {
        needs(hr_pyramid_next(&pyramid, kernels));
        run_level(model, kernels, pyramid.level, &outcome);
    }
    hr_pyramid_free(&pyramid);

    hr_hog_detector *detector = NULL;
    hr_hog_findings findings;
    needs(hr_hog_detector_make(model, instructions, &detector) == HR_HOG_OK);
    needs(hr_hog_detect(detector, pixels, width, height, bytes_per_row, threshold, 0, &findings) == HR_HOG_OK);
    digest_detections(&outcome.digests[HR_STAGE_FINDINGS], findings.objects, findings.object_count);
    digest_detections(&outcome.digests[HR_STAGE_FINDINGS], findings.windows, findings.window_count);
    outcome.windows = findings.window_count;
    outcome.objects = findings.object_count;
    outcome.best = findings.object_count ? findings.objects[0].confidence : 0;
    hr_hog_detector_free(detector);
    return outcome;
}
