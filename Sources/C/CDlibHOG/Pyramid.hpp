#pragma once
// dlib's scanner with the settings of a model. Included after dlib's headers, by each compiled variant of them.

#include "Model.hpp"

namespace headroom {
namespace {

constexpr unsigned long fhog_planes = 31;

using Pyramid = dlib::scan_fhog_pyramid<dlib::pyramid_down<6>>;

inline void configure(Pyramid &pyramid, const Model &model)
{
    pyramid.set_cell_size(model.cell_size);
    pyramid.set_padding(model.padding);
    pyramid.set_detection_window_size(model.window_width, model.window_height);
    pyramid.set_max_pyramid_levels(model.max_pyramid_levels);
    pyramid.set_min_pyramid_layer_size(model.min_layer_width, model.min_layer_height);
}

inline dlib::matrix<double, 0, 1> column(const std::vector<double> &values)
{
    dlib::matrix<double, 0, 1> column(static_cast<long>(values.size()));
    for (long i = 0; i < column.size(); ++i)
        column(i) = values[static_cast<size_t>(i)];
    return column;
}

}  // namespace
}  // namespace headroom
