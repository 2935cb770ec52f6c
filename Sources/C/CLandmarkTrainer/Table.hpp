#pragma once
// The table of weights that CLandmarks reads, from what dlib trained.

#include "Samples.hpp"

#include <cstdint>
#include <vector>

namespace headroom {

/// Writes the table; its layout is in CLandmarks' Weights.h.
std::vector<uint8_t> table(const Geometry &geometry, const dlib::shape_predictor &first,
                           const dlib::shape_predictor &second);

}  // namespace headroom
