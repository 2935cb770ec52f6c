// The code that uses dlib's detector, compiled once for each instruction set. ScannerBaseline.cpp and ScannerAVX2.cpp
// include it after dlib's headers. `dlib` may be a macro that renames the whole library; see these files.

#include <cstring>

#include "Pyramid.hpp"
#include "Scanner.hpp"

namespace headroom {
namespace {

class DlibScanner final : public Scanner {
public:
    explicit DlibScanner(const Model &model)
    {
        Pyramid pyramid;
        configure(pyramid, model);
        std::vector<dlib::matrix<double, 0, 1>> weights;
        for (const auto &vector : model.weights)
            weights.push_back(column(vector));
        detector = Detector(pyramid, dlib::test_box_overlap(model.overlap_iou, model.overlap_covered), weights);
    }

    void detect(const uint8_t *pixels, size_t width, size_t height, size_t bytes_per_row, double threshold,
                std::vector<hr_dlib_detection> &found) override
    {
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
    using Detector = dlib::object_detector<Pyramid>;

    Detector detector;
    dlib::array2d<unsigned char> image;
    std::vector<dlib::rect_detection> raw;
};

}  // namespace
}  // namespace headroom
