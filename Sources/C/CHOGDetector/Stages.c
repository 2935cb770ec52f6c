#include "CHOGStages.h"

#include <string.h>

#include "FeatureGrid.h"
#include "Pyramid.h"

int hr_hog_feature_cells(size_t pixels) { return hr_cells((int)pixels) - 2; }

hr_hog_status hr_hog_shrink(hr_hog_instructions instructions, const uint8_t *pixels, size_t width, size_t height,
                            size_t bytes_per_row, uint8_t *out)
{
    hr_pyramid pyramid = {0};
    hr_pyramid_begin(&pyramid, (hr_level){pixels, bytes_per_row, (int)width, (int)height});
    const int made = hr_pyramid_next(&pyramid, hr_kernels_for(instructions));
    if (made)
        memcpy(out, pyramid.level.pixels, (size_t)pyramid.level.width * (size_t)pyramid.level.height);
    hr_pyramid_free(&pyramid);
    return made ? HR_HOG_OK : HR_HOG_OUT_OF_MEMORY;
}

hr_hog_status hr_hog_features(hr_hog_instructions instructions, const uint8_t *pixels, size_t width, size_t height,
                              size_t bytes_per_row, float *out)
{
    const hr_level level = {pixels, bytes_per_row, (int)width, (int)height};
    hr_feature_grid self = {0};
    const hr_kernels *kernels = hr_kernels_for(instructions);
    const int made = hr_feature_grid_begin(&self, level, 1, 1);
    if (made) {
        for (int rows; (rows = hr_feature_grid_next(&self, kernels)) > 0;) {
            const size_t count = (size_t)rows * (size_t)self.grid.columns * HR_HOG_PLANES;
            memcpy(out, self.grid.features, count * sizeof(float));
            out += count;
        }
    }
    hr_feature_grid_free(&self);
    return made ? HR_HOG_OK : HR_HOG_OUT_OF_MEMORY;
}
