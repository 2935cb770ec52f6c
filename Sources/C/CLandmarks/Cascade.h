#pragma once
// The evaluation of one cascade in one patch, as by dlib's shape_predictor, without rounding to pixels.

#include "Weights.h"

typedef struct {
    hr_point_f points[HR_LANDMARKS_POINTS];  // in shares of the box, which is centred in the patch
} hr_shape;

enum { HR_CASCADE_MAX_SHAPES = 8 };

/// Moves each of `count` shapes from where it starts to the points of the face in the patch.
///
/// The byte after the patch's `side` × `side` pixels is the value of everything outside of it, 0.
///
/// All of them take each step together, so that a tree is loaded once.
void hr_cascade_run(const hr_cascade *cascade, const uint8_t *patch, int side, int box, hr_shape *shapes, int count);
