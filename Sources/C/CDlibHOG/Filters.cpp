#include "DlibHeaders.hpp"

#include <algorithm>

#include "CDlibHOG.h"
#include "Pyramid.hpp"

namespace headroom {

std::pair<int, int> window_cells(const Model &model)
{
    Pyramid pyramid;
    configure(pyramid, model);
    return {static_cast<int>(pyramid.get_fhog_window_width()), static_cast<int>(pyramid.get_fhog_window_height())};
}

void write_filters(const Model &model, float *weights, double *thresholds)
{
    Pyramid pyramid;
    configure(pyramid, model);
    for (const auto &vector : model.weights) {
        const auto bank = pyramid.build_fhog_filterbank(column(vector));
        const long rows = bank.filters[0].nr(), columns = bank.filters[0].nc();
        // As in dlib's apply_filters_to_fhog().
        const bool separable = bank.num_separable_filters() <= bank.filters.size() * std::min(rows, columns) / 3.0;

        std::fill(weights, weights + rows * columns * HR_DLIB_PLANES, 0.0f);
        for (size_t plane = 0; plane < fhog_planes; ++plane) {
            for (long y = 0; y < rows; ++y) {
                for (long x = 0; x < columns; ++x) {
                    double value = separable ? 0 : bank.filters[plane](y, x);
                    for (size_t i = 0; separable && i < bank.row_filters[plane].size(); ++i) {
                        value += static_cast<double>(bank.col_filters[plane][i](y)) * bank.row_filters[plane][i](x);
                    }
                    weights[(y * columns + x) * HR_DLIB_PLANES + static_cast<long>(plane)] = static_cast<float>(value);
                }
            }
        }
        weights += rows * columns * HR_DLIB_PLANES;
        *thresholds++ = vector.back();
    }
}

}  // namespace headroom
