#pragma once
// Trains the weights of CLandmarks: a ridge regression for each stage.

#include "CLandmarks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HR_TRAINER_SIDE = 288,  // side of a face's image, in pixels
    HR_TRAINER_BOX = 96,    // side of the detector's box, in the centre of the image, in pixels
};

/// A marked face.
typedef struct {
    const uint8_t *_Nonnull pixels;  // HR_TRAINER_SIDE rows of as many grey pixels
    hr_landmarks_point points[HR_LANDMARKS_POINTS];
    uint32_t pose;
} hr_trainer_face;

enum { HR_TRAINER_STAGES = 3 };

/// The training parameters of a stage; `turn`, `scale` and `shift` are standard deviations of random changes.
typedef struct {
    double size;   // size of the mean face in the patch, as a fraction of the patch's side
    double turn;   // in radians
    double scale;  // a natural logarithm
    double shift;  // across and down, in mean distances of the points from their centre
    double ridge;  // the penalty on the square of the weights
    double tail;   // factor of turn, scale and shift in one of four variants
} hr_trainer_stage;

typedef struct {
    uint32_t variants;  // per face and mirror image: rotated, moved, scaled, blurred and darkened at random
    hr_trainer_stage stages[HR_TRAINER_STAGES];
    uint32_t seed;
} hr_trainer_settings;

/// Draws the image of a face, HR_TRAINER_SIDE rows of as many pixels, from the detector's box in an image.
///
/// Returns 0 when out of memory.
int hr_trainer_cut(const uint8_t *_Nonnull pixels, size_t width, size_t height, size_t bytes_per_row, double centre_x,
                   double centre_y, double side, uint8_t *_Nonnull picture);

enum { HR_TRAINER_STARTS = 8 };

/// The points that the network found for a face, in an image that was rotated clockwise by `turn` radians.
typedef struct {
    hr_landmarks_point rough[HR_LANDMARKS_ROUGH];  // in the face's own image, which is not rotated
    double turn;
} hr_trainer_start;

typedef struct {
    hr_trainer_start all[HR_TRAINER_STARTS];  // the first one is for the unrotated image
    uint32_t count;                           // at least 1
} hr_trainer_starts;

/// A marked face that the network found, in its own image and in rotated and smaller images.
typedef struct {
    const uint8_t *_Nonnull pixels;  // like in hr_trainer_face
    hr_landmarks_point points[HR_LANDMARKS_POINTS];
    hr_trainer_starts starts;
} hr_trainer_near_face;

/// Trains the table for starts at the network's points; arguments and result are the same as for hr_trainer_run.
int hr_trainer_run_near(const hr_trainer_near_face *_Nonnull faces, size_t count,
                        const hr_trainer_settings *_Nonnull settings, uint8_t *_Nullable *_Nonnull out,
                        size_t *_Nonnull out_count, char *_Nonnull message, size_t message_size);

/// Trains all stages and writes their table.
///
/// `out` is set to memory that the caller frees. Returns 0 on failure, with a message.
int hr_trainer_run(const hr_trainer_face *_Nonnull faces, size_t count, const hr_trainer_settings *_Nonnull settings,
                   uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull out_count, char *_Nonnull message,
                   size_t message_size);

#ifdef __cplusplus
}
#endif
