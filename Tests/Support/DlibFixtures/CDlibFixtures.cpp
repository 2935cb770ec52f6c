#include "CDlibFixtures.h"

// With this order neither LAPACK nor BLAS is needed; Sources/C/CDlibHOG/DlibHeaders.hpp explains why.
#include <dlib/assert.h>
#include <dlib/algs.h>
#include <dlib/test_for_odr_violations.h>
#undef DLIB_USE_LAPACK
#undef DLIB_USE_BLAS
#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/svm/structural_object_detection_trainer.h>

#include <cmath>
#include <fstream>
#include <random>

using Scanner = dlib::scan_fhog_pyramid<dlib::pyramid_down<6>>;
using Detector = dlib::object_detector<Scanner>;

static bool save(const Detector &detector, const char *path)
{
    std::ofstream out(path, std::ios::binary);
    dlib::serialize(detector, out);
    return static_cast<bool>(out.flush());
}

bool hr_fixture_save_frontal(const char *path, int index)
{
    try {
        const auto all = dlib::get_frontal_face_detector();
        if (index < 0)
            return save(all, path);
        return save(Detector(all.get_scanner(), all.get_overlap_tester(), all.get_w(index)), path);
    } catch (...) {
        return false;
    }
}

bool hr_fixture_train_discs(const char *path)
{
    try {
        dlib::array<dlib::array2d<unsigned char>> images(4);
        std::vector<std::vector<dlib::rectangle>> boxes;
        for (long i = 0; i < 4; ++i) {
            const long side = 160, radius = 24 + 2 * i, x = 60 + 12 * i, y = 90 - 8 * i;
            images[i].set_size(side, side);
            for (long r = 0; r < side; ++r) {
                for (long c = 0; c < side; ++c) {
                    images[i][r][c] = std::hypot(c - x, r - y) <= radius ? 230 : 60;
                }
            }
            boxes.push_back({dlib::centered_rect(x, y, 2 * radius + 8, 2 * radius + 8)});
        }
        Scanner scanner;
        scanner.set_detection_window_size(56, 56);
        dlib::structural_object_detection_trainer<Scanner> trainer(scanner);
        trainer.set_num_threads(1);
        trainer.set_c(5);
        trainer.set_epsilon(0.05);
        return save(trainer.train(images, boxes), path);
    } catch (...) {
        return false;
    }
}

bool hr_fixture_save_random(const char *path, int width, int height, int padding, int filters)
{
    try {
        Scanner scanner;
        scanner.set_detection_window_size(width, height);
        scanner.set_padding(padding);
        scanner.set_min_pyramid_layer_size(24, 24);
        std::mt19937 random(7);
        std::vector<dlib::matrix<double, 0, 1>> all;
        for (int f = 0; f < filters; ++f) {
            dlib::matrix<double, 0, 1> weights(scanner.get_num_dimensions() + 1);
            const double scale = 4 / std::sqrt(static_cast<double>(weights.size()));
            for (long i = 0; i < weights.size(); ++i)
                weights(i) = scale * ((random() % 2001) / 1000.0 - 1);
            weights(weights.size() - 1) = 0.8;
            all.push_back(weights);
        }
        return save(Detector(scanner, dlib::test_box_overlap(0.4, 0.9), all), path);
    } catch (...) {
        return false;
    }
}
