#pragma once
// Finds eyes, nose and mouth in the box of a face, by steps of linear regression on features of its gradients (Xiong
// and De la Torre, "Supervised Descent Method and Its Applications to Face Alignment", 2013; the features are dlib's
// FHOG).
//
// Each stage draws a patch in which the current points are upright and have a fixed size, and moves them by a weighted
// sum of the patch's features. The first stage starts from the mean face of the pose in HOG's box, or from the five
// points of the face network; each start has separate weights.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    // The eyes' centres, the nose tip, the mouth's corners, the eyes' four corners, the chin; from the viewer's left to
    // the right. The last five stabilise the others.
    HR_LANDMARKS_POINTS = 10,
    HR_LANDMARKS_ROUGH = 5,  // the first five points, which the face network finds
    HR_LANDMARKS_POSES = 5,  // frontal, left, right, rotatedLeft, rotatedRight
    HR_LANDMARKS_MAX_SIDE = 32768,
};

typedef enum {
    HR_LANDMARKS_OK = 0,
    HR_LANDMARKS_INVALID_IMAGE,  // no pixels, or a side over HR_LANDMARKS_MAX_SIDE
    HR_LANDMARKS_INVALID_BOX,  // a box without area or far outside the image, an unknown pose, or all points in one place
    HR_LANDMARKS_INVALID_WEIGHTS,  // not a table of weights, or a table for another start
    HR_LANDMARKS_OUT_OF_MEMORY,
} hr_landmarks_status;

typedef struct {
    double x, y;
} hr_landmarks_point;

typedef struct {
    hr_landmarks_point
        points[HR_LANDMARKS_POINTS];  // in pixels of the image: 0 is the left or top edge of the first pixel
    double
        last_step;  // last movement of the points, as a fraction of the eye distance; a shorter step is more reliable
} hr_landmarks;

/// The prepared weights. Immutable: threads may share it.
typedef struct hr_landmarks_model hr_landmarks_model;

/// Reads a table of weights (Weights.h has its layout), which must stay valid as long as the model.
hr_landmarks_status hr_landmarks_model_make(const uint8_t *_Nonnull bytes, size_t count,
                                            hr_landmarks_model *_Nullable *_Nonnull out);

void hr_landmarks_model_free(hr_landmarks_model *_Nullable model);

/// The weights that are part of the program, for boxes.
const uint8_t *_Nonnull hr_landmarks_weights(size_t *_Nonnull count);

/// The weights that are part of the program, for the network's points.
const uint8_t *_Nonnull hr_landmarks_near_weights(size_t *_Nonnull count);

/// Finds the points of one face in 8-bit grey pixels.
///
/// `centre_x`, `centre_y` and `side` are the detector's box, in pixels; it may extend beyond the image's edges.
hr_landmarks_status hr_landmarks_find(const hr_landmarks_model *_Nonnull model, const uint8_t *_Nonnull pixels,
                                      size_t width, size_t height, size_t bytes_per_row, double centre_x,
                                      double centre_y, double side, uint32_t pose, hr_landmarks *_Nonnull out);

/// Finds the points of one face near the HR_LANDMARKS_ROUGH points of the face network, with weights for these.
hr_landmarks_status hr_landmarks_find_near(const hr_landmarks_model *_Nonnull model, const uint8_t *_Nonnull pixels,
                                           size_t width, size_t height, size_t bytes_per_row,
                                           const hr_landmarks_point *_Nonnull rough, hr_landmarks *_Nonnull out);

#ifdef __cplusplus
}
#endif
