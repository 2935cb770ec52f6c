#pragma once
// The interface of a compiled variant of dlib.

#include <memory>
#include <vector>

#include "CDlibHOG.h"
#include "Model.hpp"

namespace headroom {

class Scanner {
public:
    virtual ~Scanner() = default;
    virtual void detect(const uint8_t *pixels, size_t width, size_t height, size_t bytes_per_row, double threshold,
                        std::vector<hr_dlib_detection> &found) = 0;
};

std::unique_ptr<Scanner> make_baseline_scanner(const Model &model);
std::unique_ptr<Scanner> make_avx2_scanner(const Model &model);

}  // namespace headroom
