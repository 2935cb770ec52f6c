#pragma once
// The weights of a stage, as CLandmarks reads them.

#include "Samples.hpp"

namespace headroom {

/// A stage's start and its weights; the unit is the largest weight divided by 127.
struct Regression {
    std::array<float, HR_LANDMARKS_VALUES> start;
    float unit;
    std::vector<int8_t> weights;  // [feature][value]
    std::vector<float> rough;     // the weights of the network's points, if the samples have these points

    /// The weights that minimise the squares of the errors plus `ridge` times the squares of the weights.
    Regression(const Samples &samples, double ridge);
};

}  // namespace headroom
