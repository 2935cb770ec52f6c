#pragma once
// Variants of marked faces: features of their patches, and the positions of the points in them.

#include "CLandmarkTrainer.h"
#include "DlibHeaders.hpp"

#include <array>
#include <vector>

#include "Frame.h"
#include "Stage.h"

namespace headroom {

using Points = std::array<hr_landmarks_point, HR_LANDMARKS_POINTS>;

/// A face or its mirror image, with coordinates in its image of HR_TRAINER_SIDE pixels.
struct Face {
    std::vector<uint8_t> pixels;
    Points points;
    uint32_t pose;

    Face(const hr_trainer_face &face, bool isMirrored);
};

/// The positions of faces: the positions in the detector's box for each pose, and the mean face, as in the table of
/// weights.
struct Geometry {
    std::array<std::array<hr_point_f, HR_LANDMARKS_POINTS>, HR_LANDMARKS_POSES> poses;
    std::array<hr_point_f, HR_LANDMARKS_POINTS> mean;

    explicit Geometry(const std::vector<Face> &faces);

    /// The points of the pose, in the image of a face.
    Points start(uint32_t pose) const;
};

/// A face with the network's points, or its mirror image.
struct NearFace {
    std::vector<uint8_t> pixels;
    Points points;
    std::vector<hr_trainer_start> starts;

    NearFace(const hr_trainer_near_face &face, bool isMirrored);

    /// The weight of the face. Errors are measured in eye distances, and marks that are far from the network's points
    /// are often wrong.
    double importance() const;
};

/// The mean face, and the weights of the start, as in the table of weights for the network's points.
struct NearGeometry {
    std::array<hr_point_f, HR_LANDMARKS_POINTS> mean;
    std::array<std::array<float, HR_LANDMARKS_VALUES>, HR_LANDMARKS_LEADS> leads;

    explicit NearGeometry(const std::vector<NearFace> &faces);

    /// The start points of the first stage.
    Points start(const hr_trainer_start &from) const;
};

struct Samples {
    /// A row for each variant.
    dlib::matrix<double> features, places;
    /// The weight of each row; their mean is 1.
    std::vector<double> importance;

    /// Draws the patches of a stage, the first one around the starts, the others around the true points.
    Samples(const std::vector<NearFace> &faces, const NearGeometry &geometry, const hr_trainer_stage &stage,
            bool isFirst, uint32_t variants, uint32_t seed);

    /// Draws the patches of a stage, the first one around the points of the pose, the others around the true points.
    Samples(const std::vector<Face> &faces, const Geometry &geometry, const hr_trainer_stage &stage, bool isFirst,
            uint32_t variants, uint32_t seed);
};

}  // namespace headroom
