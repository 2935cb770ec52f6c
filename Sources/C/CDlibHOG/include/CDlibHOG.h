#pragma once
// dlib's HOG object detector, object_detector<scan_fhog_pyramid<pyramid_down<6>>>, in plain C.
//
// No exception leaves these functions: each returns a status, and fills in a message on failure.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    HR_DLIB_OK = 0,
    HR_DLIB_UNREADABLE_FILE,  // cannot be opened or read; the message contains the reason
    HR_DLIB_INVALID_MODEL,    // not a detector saved by dlib's trainer, or invalid values
    HR_DLIB_INVALID_IMAGE,    // no pixels, or a side over HR_DLIB_MAX_SIDE
    HR_DLIB_OUT_OF_MEMORY,
    HR_DLIB_FAILED,  // dlib threw; the message contains its text
} hr_dlib_status;

enum { HR_DLIB_MAX_SIDE = 32768 };

typedef struct {
    char text[256];  // terminated by NUL
} hr_dlib_message;

/// The weights of a detector and its settings. Immutable: threads may share it.
typedef struct hr_dlib_model hr_dlib_model;

/// A model with its own working memory, for one thread at a time.
typedef struct hr_dlib_detector hr_dlib_detector;

typedef struct {
    int64_t x, y, width, height;  // in pixels of the given image; may extend beyond its edges
    double confidence;            // distance from the sub-detector's own threshold
    uint32_t weight_index;        // index of the sub-detector
} hr_dlib_detection;

/// dlib's frontal face detector, which is compiled into its header. Decoding it takes about 0.2 s.
hr_dlib_status hr_dlib_model_frontal(hr_dlib_model *_Nullable *_Nonnull out, hr_dlib_message *_Nonnull message);

/// A detector saved by dlib's trainer (".svm"), with one or more sub-detectors of one window size.
hr_dlib_status hr_dlib_model_read(const char *_Nonnull path, hr_dlib_model *_Nullable *_Nonnull out,
                                  hr_dlib_message *_Nonnull message);

void hr_dlib_model_free(hr_dlib_model *_Nullable model);

/// The shorter side of the detection window in pixels: no smaller object is found.
uint32_t hr_dlib_model_smallest_side(const hr_dlib_model *_Nonnull model);

/// The parameters of a model, for an evaluation without dlib.
typedef struct {
    int32_t cell_size;                          // pixels on a side of a cell
    int32_t columns, rows;                      // the window, in cells
    int32_t padding;                            // cells of the window on each side that are not part of the box
    int32_t max_levels;                         // the maximum for the pyramid
    int32_t min_layer_width, min_layer_height;  // size of the smallest level of the pyramid, in pixels
    int32_t filter_count;
    double overlap_iou;  // boxes that exceed one of these overlaps are the same object
    double overlap_covered;
} hr_dlib_settings;

enum { HR_DLIB_PLANES = 32 };  // floats in a cell of a filter: one for each of FHOG's 31 planes, and a 0

void hr_dlib_model_settings(const hr_dlib_model *_Nonnull model, hr_dlib_settings *_Nonnull out);

/// Writes the filters as dlib applies them, without their small singular values.
///
/// `weights` has room for [filter_count][rows][columns][HR_DLIB_PLANES], `thresholds` for [filter_count].
hr_dlib_status hr_dlib_model_filters(const hr_dlib_model *_Nonnull model, float *_Nonnull weights,
                                     double *_Nonnull thresholds, hr_dlib_message *_Nonnull message);

/// The widest instruction set that a detector may use.
typedef enum {
    HR_DLIB_BASELINE,  // the compiler's target, SSE2 on x86-64
    HR_DLIB_AVX2,      // AVX2 and FMA
} hr_dlib_instructions;

/// The best instruction set that this processor supports.
hr_dlib_instructions hr_dlib_best_instructions(void);

/// Creates a detector. The processor must support `instructions`. The model may be freed before the detector.
hr_dlib_status hr_dlib_detector_make(const hr_dlib_model *_Nonnull model, hr_dlib_instructions instructions,
                                     hr_dlib_detector *_Nullable *_Nonnull out, hr_dlib_message *_Nonnull message);

void hr_dlib_detector_free(hr_dlib_detector *_Nullable detector);

/// Finds objects in 8-bit grey pixels.
///
/// `threshold` is added to the threshold of each sub-detector: 0 is the trainer's choice; lower values find more
/// objects and more false positives. `detections` points to memory of the detector that is valid until its next call;
/// the highest confidence is first.
hr_dlib_status hr_dlib_detect(hr_dlib_detector *_Nonnull detector, const uint8_t *_Nonnull pixels, size_t width,
                              size_t height, size_t bytes_per_row, double threshold,
                              const hr_dlib_detection *_Nullable *_Nonnull detections, size_t *_Nonnull count,
                              hr_dlib_message *_Nonnull message);

#ifdef __cplusplus
}
#endif
