#pragma once
// The rotation and scale between two sets of landmarks.

#include "CLandmarks.h"

/// A rotation times a scale (cosine and sine), and the centres of both sets of points.
typedef struct {
    double cosine, sine;
    hr_landmarks_point from, to;
} hr_similarity;

/// The similarity that moves the `count` points `from` as near as possible to `to`, by least squares.
static inline hr_similarity hr_similarity_fitted(const hr_landmarks_point *from, const hr_landmarks_point *to,
                                                 int count)
{
    hr_similarity fitted = {0};
    for (int i = 0; i < count; ++i) {
        fitted.from.x += from[i].x / count;
        fitted.from.y += from[i].y / count;
        fitted.to.x += to[i].x / count;
        fitted.to.y += to[i].y / count;
    }
    double cosine = 0, sine = 0, square = 0;
    for (int i = 0; i < count; ++i) {
        const double x = from[i].x - fitted.from.x, y = from[i].y - fitted.from.y;
        const double u = to[i].x - fitted.to.x, v = to[i].y - fitted.to.y;
        cosine += x * u + y * v;
        sine += x * v - y * u;
        square += x * x + y * y;
    }
    fitted.cosine = cosine / square;
    fitted.sine = sine / square;
    return fitted;
}
