// The one use of dlib's detector, compiled once for each instruction set: included by ScannerBaseline.cpp and
// ScannerAVX2.cpp after dlib's headers. `dlib` may be a macro that renames the whole library, see there.

#include <cstring>

#include "Scanner.hpp"

namespace headroom {
namespace {

class DlibScanner final : public Scanner {
public:
    explicit DlibScanner(const Model &model) {
        Pyramid pyramid;
        pyramid.set_cell_size(model.cell_size);
        pyramid.set_padding(model.padding);
        pyramid.set_detection_window_size(model.window_width, model.window_height);
        pyramid.set_max_pyramid_levels(model.max_pyramid_levels);
        pyramid.set_min_pyramid_layer_size(model.min_layer_width, model.min_layer_height);

        std::vector<dlib::matrix<double, 0, 1>> weights;
        for (const auto &vector : model.weights) {
            dlib::matrix<double, 0, 1> column(static_cast<long>(vector.size()));
            for (long i = 0; i < column.size(); ++i) column(i) = vector[static_cast<size_t>(i)];
            weights.push_back(column);
        }
        detector = Detector(pyramid, dlib::test_box_overlap(model.overlap_iou, model.overlap_covered), weights);
    }

    void detect(const uint8_t *pixels, size_t width, size_t height, size_t bytes_per_row, double threshold,
                std::vector<hr_dlib_detection> &found) override {
        image.set_size(static_cast<long>(height), static_cast<long>(width));
        for (size_t y = 0; y < height; ++y) {
            std::memcpy(&image[static_cast<long>(y)][0], pixels + y * bytes_per_row, width);
        }
        detector(image, raw, threshold);

        found.clear();
        for (const auto &one : raw) {
            found.push_back({one.rect.left(), one.rect.top(), static_cast<int64_t>(one.rect.width()),
                             static_cast<int64_t>(one.rect.height()), one.detection_confidence,
                             static_cast<uint32_t>(one.weight_index)});
        }
    }

private:
    using Pyramid = dlib::scan_fhog_pyramid<dlib::pyramid_down<6>>;
    using Detector = dlib::object_detector<Pyramid>;

    Detector detector;
    dlib::array2d<unsigned char> image;
    std::vector<dlib::rect_detection> raw;
};

}  // namespace
}  // namespace headroom
