#pragma once
// Trains the weights of CLandmarks with dlib's shape_predictor_trainer.

#include "CLandmarks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HR_TRAINER_SIDE = 288,  // pixels on a side of a picture of a face
    HR_TRAINER_BOX = 96,    // pixels on a side of the detector's box in its middle
};

/// A marked face.
typedef struct {
    const uint8_t *_Nonnull pixels;  // HR_TRAINER_SIDE rows of as many grey pixels
    hr_landmarks_point points[HR_LANDMARKS_POINTS];
    uint32_t pose;
} hr_trainer_face;

typedef struct {
    uint32_t variants;  // of each face and its mirror image: turned, moved, scaled, blurred, darkened at random
    uint32_t starts;    // random starts for each variant
    uint32_t levels, trees, depth, features;
    double shrinkage;           // dlib's nu: the share of its value that a tree counts
    double turn, scale, shift;  // standard deviations of the variants: degrees, a natural logarithm, shares of the box
    double second_turn, second_scale, second_shift;  // the same for the second cascade: the errors of the first
    uint32_t seed;
    uint32_t threads;
} hr_trainer_settings;

/// Draws the picture of a face, HR_TRAINER_SIDE rows of as many pixels, from the detector's box in an image.
///
/// Returns 0 when out of memory.
int hr_trainer_cut(const uint8_t *_Nonnull pixels, size_t width, size_t height, size_t bytes_per_row, double centre_x,
                   double centre_y, double side, uint8_t *_Nonnull picture);

/// Trains both cascades and writes their table.
///
/// `out` is set to memory that the caller frees. Returns 0 on failure, with a message.
int hr_trainer_run(const hr_trainer_face *_Nonnull faces, size_t count, const hr_trainer_settings *_Nonnull settings,
                   uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull out_count, char *_Nonnull message,
                   size_t message_size);

#ifdef __cplusplus
}
#endif
