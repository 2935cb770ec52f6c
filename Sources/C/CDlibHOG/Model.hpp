#pragma once
// A detector's weights and settings, without types of dlib: shared by the compiled variants.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

struct Model {
    int cell_size = 0;
    unsigned long padding = 0;
    unsigned long window_width = 0;
    unsigned long window_height = 0;
    unsigned long max_pyramid_levels = 0;
    unsigned long min_layer_width = 0;
    unsigned long min_layer_height = 0;
    double overlap_iou = 0;
    double overlap_covered = 0;
    // One entry for each sub-detector: the filter of each plane, row by row, then the threshold.
    std::vector<std::vector<double>> weights;
};

struct UnreadableFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct InvalidModel : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Columns and rows of the window, in cells.
std::pair<int, int> window_cells(const Model &model);

/// Writes the filters as dlib applies them: [filter][row][column][HR_DLIB_PLANES], and the thresholds: [filter].
void write_filters(const Model &model, float *weights, double *thresholds);

Model read_frontal_model();
Model read_model_file(const std::string &path);

}  // namespace headroom
