#pragma once
// Finds faces with YuNet-s, a small convolutional network (Wu, Peng and Yu, "YuNet: A Tiny Millisecond-level Face
// Detector", 2023), in 8-bit integers. docs/contributing/face-network.md describes the network, its weights and their
// licence.
//
// All instruction sets give equal results to the last bit.

#include <stddef.h>
#include <stdint.h>

#include "CHOGDetector.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HR_NET_MAX_SIDE = 4096,    // pixels
    HR_NET_POINTS = 5,         // the eyes, the tip of the nose, the mouth's corners; each pair from the viewer's left
    HR_NET_MAX_WINDOWS = 4096  // maximum number of compared windows; the windows with the highest scores are kept
};

typedef enum {
    HR_NET_OK = 0,
    HR_NET_INVALID_IMAGE,    // no pixels, a side over HR_NET_MAX_SIDE, or rows shorter than the width
    HR_NET_INVALID_LIMIT,    // a threshold or an overlap outside 0 ... 1
    HR_NET_INVALID_WEIGHTS,  // not a table of weights
    HR_NET_UNSUPPORTED,      // instructions that this processor lacks
    HR_NET_OUT_OF_MEMORY,
} hr_net_status;

/// Upright pixels of 8 bits: planes of red, green and blue with the transfer function of sRGB. For a grey image, all
/// three are the same plane. The planes are borrowed for the call.
typedef struct {
    const uint8_t *_Nonnull planes[3];
    size_t bytes_per_row[3];
    size_t width, height;
} hr_net_image;

typedef struct {
    float x, y;
} hr_net_point;

/// A face, in pixels of the image: 0 is the left or top edge of the first pixel. The box may extend beyond the image's
/// edges.
typedef struct {
    float x, y, width, height;
    float score;  // 0 ... 1: the root of the product of the face's and the object's probability
    hr_net_point points[HR_NET_POINTS];
} hr_net_face;

/// Sorted by decreasing score. An empty list is NULL.
typedef struct {
    const hr_net_face *_Nullable faces;
    size_t count;
} hr_net_findings;

/// The prepared weights for one instruction set. Immutable: threads may share it.
typedef struct hr_net_model hr_net_model;

/// A model with its own working memory, for one thread at a time.
typedef struct hr_net_detector hr_net_detector;

/// The table of weights that is part of the program, with 0 bytes in a build without HR_YUNET. Weights.h describes its
/// layout.
const uint8_t *_Nonnull hr_net_weights(size_t *_Nonnull count);

/// Reads a table of weights, which is copied.
hr_net_status hr_net_model_make(const uint8_t *_Nonnull bytes, size_t count, hr_hog_instructions instructions,
                                hr_net_model *_Nullable *_Nonnull out);

void hr_net_model_free(hr_net_model *_Nullable model);

/// Creates a detector; `model` must outlive it.
hr_net_status hr_net_detector_make(const hr_net_model *_Nonnull model, hr_net_detector *_Nullable *_Nonnull out);

void hr_net_detector_free(hr_net_detector *_Nullable detector);

/// The size in bytes of a detector's working memory after an image of this size; 0 if the size is invalid.
size_t hr_net_memory(size_t width, size_t height);

/// Finds faces of about 10 to 300 pixels.
///
/// Faces with a score of at least `threshold` are found. If the intersection of two faces is more than `overlap` of
/// their union, only the face with the higher score is kept. Sides are padded with black to multiples of 32. `findings`
/// points to memory of the detector that is valid until its next call. Nothing is allocated after the detector has
/// processed an image of the same size. A call cannot be cancelled: with AVX-512 it takes 6 ns per pixel.
hr_net_status hr_net_detect(hr_net_detector *_Nonnull detector, const hr_net_image *_Nonnull image, float threshold,
                            float overlap, hr_net_findings *_Nonnull findings);

#ifdef __cplusplus
}
#endif
