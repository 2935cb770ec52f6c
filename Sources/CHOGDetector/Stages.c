#include "CHOGStages.h"

#include <string.h>

#include "FeatureGrid.h"
#include "Pyramid.h"

int hr_hog_feature_cells(size_t pixels) { return hr_cells((int)pixels) - 2; }

hr_hog_status hr_hog_shrink(hr_hog_instructions instructions, const uint8_t *pixels, size_t width, size_t height,
                            size_t bytes_per_row, uint8_t *out) {
    hr_pyramid pyramid = {0};
    hr_pyramid_begin(&pyramid, (hr_level){pixels, bytes_per_row, (int)width, (int)height});
    const int made = hr_pyramid_next(&pyramid, hr_kernels_for(instructions));
    if (made) memcpy(out, pyramid.level.pixels, (size_t)pyramid.level.width * (size_t)pyramid.level.height);
    hr_pyramid_free(&pyramid);
    return made ? HR_HOG_OK : HR_HOG_OUT_OF_MEMORY;
}

hr_hog_status hr_hog_features(hr_hog_instructions instructions, const uint8_t *pixels, size_t width, size_t height,
                              size_t bytes_per_row, float *out) {
    const hr_level level = {pixels, bytes_per_row, (int)width, (int)height};
    hr_feature_grid self = {0};
    const int made = hr_feature_grid_compute(&self, hr_kernels_for(instructions), &level, 1, 1);
    const hr_grid *grid = &self.grid;
    if (made && grid->columns > 0 && grid->rows > 0) {
        memcpy(out, grid->features,
               (size_t)grid->rows * (size_t)grid->columns * HR_HOG_PLANES * sizeof(float));
    }
    hr_feature_grid_free(&self);
    return made ? HR_HOG_OK : HR_HOG_OUT_OF_MEMORY;
}
