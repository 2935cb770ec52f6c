#pragma once
// Variants of marked faces, as patches for training.

#include "CLandmarkTrainer.h"
#include "DlibHeaders.hpp"

#include <array>
#include <vector>

#include "Frame.h"
#include "Weights.h"

namespace headroom {

enum { Patch = 128, Box = 64 };

using Points = std::array<hr_landmarks_point, HR_LANDMARKS_POINTS>;

/// A face or its mirror image, with coordinates in its picture of HR_TRAINER_SIDE pixels.
struct Face {
    std::vector<uint8_t> pixels;
    Points points;
    uint32_t pose;

    Face(const hr_trainer_face &face, bool mirrored);
};

/// The first frame of each pose, and the mean face in it.
struct Geometry {
    std::array<hr_pose_frame, HR_LANDMARKS_POSES> poses;
    Points mean;

    explicit Geometry(const std::vector<Face> &faces);

    /// The frame of a detector's box.
    hr_frame first(const Face &face) const;
    /// The frame in which the true points are upright and of one size.
    hr_frame second(const Face &face) const;
};

/// Standard deviations of random changes: radians, a natural logarithm, shares of the box.
struct Jitter {
    double turn, scale, shift;
};

struct Samples {
    dlib::array<dlib::array2d<unsigned char>> images;
    std::vector<std::vector<dlib::full_object_detection>> objects;

    /// Draws `variants` patches of every face; the first of each is unchanged.
    Samples(const std::vector<Face> &faces, const Geometry &geometry, bool isSecond, uint32_t variants, Jitter jitter,
            uint32_t seed);
};

}  // namespace headroom
