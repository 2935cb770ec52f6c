#pragma once
// Finds objects of the 80 classes of COCO with NanoDet-Plus-m, a small convolutional network, in 8-bit integers.
// docs/contributing/subject-network.md describes the network, its weights and their origin.
//
// All instruction sets give equal results to the last bit.

#include "CFaceNet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HR_SUBJECTS_CLASSES = 80,
    HR_SUBJECTS_MAX_SIDE = 512,   // pixels of the input
    HR_SUBJECTS_MAX_COUNT = 100,  // objects that a call returns
};

/// An object, in pixels of the image: 0 is the left or top edge of the first pixel. The box may extend beyond the
/// image's edges.
typedef struct {
    float left, top, right, bottom;
    float score;   // probability of the class, 0 ... 1
    int32_t kind;  // index of the class
} hr_subject;

/// Sorted by decreasing score. An empty list is NULL.
typedef struct {
    const hr_subject *_Nullable subjects;
    size_t count;
} hr_subject_findings;

/// The prepared weights for one instruction set. Immutable: threads may share it.
typedef struct hr_subjects_model hr_subjects_model;

/// A model with its own working memory, for one thread at a time.
typedef struct hr_subjects hr_subjects;

/// The table of weights that is part of the program, with 0 bytes in a build without HR_SUBJECTS.
const uint8_t *_Nonnull hr_subjects_weights(size_t *_Nonnull count);

/// Reads a table of weights, which is copied.
hr_net_status hr_subjects_model_make(const uint8_t *_Nonnull bytes, size_t count, hr_hog_instructions instructions,
                                     hr_subjects_model *_Nullable *_Nonnull out);

void hr_subjects_model_free(hr_subjects_model *_Nullable model);

/// Creates a detector; `model` must outlive it.
hr_net_status hr_subjects_make(const hr_subjects_model *_Nonnull model, hr_subjects *_Nullable *_Nonnull out);

void hr_subjects_free(hr_subjects *_Nullable subjects);

/// The size in bytes of a detector's working memory after an image of this size; 0 if the size is invalid.
size_t hr_subjects_memory(size_t width, size_t height);

/// Finds objects in an image whose sides have at most HR_SUBJECTS_MAX_SIDE pixels.
///
/// Objects with a score of at least `threshold` are found. If the intersection of two objects of the same class is more
/// than `overlap` of their union, only the object with the higher score is kept. The image is centred on grey with
/// sides that are multiples of 32. `findings` points to memory of the detector that is valid until its next call.
/// Nothing is allocated after the detector has processed an image of the same size.
hr_net_status hr_subjects_detect(hr_subjects *_Nonnull subjects, const hr_net_image *_Nonnull image, float threshold,
                                 float overlap, hr_subject_findings *_Nonnull findings);

#ifdef __cplusplus
}
#endif
