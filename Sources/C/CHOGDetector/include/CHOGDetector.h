#pragma once
// Evaluates detectors trained with dlib, object_detector<scan_fhog_pyramid<pyramid_down<6>>> with cells of 8 pixels,
// several times faster than dlib and with the same results.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HR_HOG_CELL = 8,     // pixels on a side of a cell
    HR_HOG_PLANES = 32,  // floats a cell: the 31 planes of FHOG, and a 0
    HR_HOG_MAX_SIDE = 32768,
    HR_HOG_MAX_WINDOW = 64,  // cells on a side of the window
};

typedef enum {
    HR_HOG_OK = 0,
    HR_HOG_INVALID_IMAGE,  // no pixels, or a side over HR_HOG_MAX_SIDE
    HR_HOG_INVALID_MODEL,  // a window without cells or over HR_HOG_MAX_WINDOW, no filters, or min_layer under 4
    HR_HOG_OUT_OF_MEMORY,
} hr_hog_status;

/// The parameters of a trained detector, as in dlib.
typedef struct {
    int32_t columns, rows;                      // the window, in cells
    int32_t padding;                            // cells of the window on each side that are not part of the box
    int32_t max_levels;                         // maximum for the pyramid
    int32_t min_layer_width, min_layer_height;  // size of the smallest level of the pyramid, in pixels
    int32_t filter_count;
    double overlap_iou;  // boxes that exceed one of these overlaps are the same object
    double overlap_covered;
} hr_hog_settings;

/// The prepared weights of a detector. Immutable: threads may share it.
typedef struct hr_hog_model hr_hog_model;

/// A model with its own working memory, for one thread at a time.
typedef struct hr_hog_detector hr_hog_detector;

typedef struct {
    int64_t x, y, width, height;  // in pixels of the given image; may extend beyond its edges
    double confidence;            // distance from the filter's own threshold
    uint32_t filter;
} hr_hog_detection;

/// Both lists are sorted by decreasing confidence. An empty list is NULL.
typedef struct {
    const hr_hog_detection *_Nullable objects;  // windows that do not overlap a window with a higher confidence
    size_t object_count;
    const hr_hog_detection *_Nullable windows;  // every window that reached the threshold
    size_t window_count;
} hr_hog_findings;

enum { HR_HOG_FRONTAL_FILTERS = 5 };

/// dlib's frontal face detector, from dlib/image_processing/frontal_face_detector.h.
typedef struct {
    hr_hog_settings settings;
    double thresholds[HR_HOG_FRONTAL_FILTERS];
    const float *_Nonnull weights;  // [filter][row][column][HR_HOG_PLANES]
    size_t weight_count;
} hr_hog_frontal;

hr_hog_frontal hr_hog_frontal_detector(void);

/// Copies `weights`, [filter][row][column][HR_HOG_PLANES] with zeros in the last plane, and `thresholds`, [filter].
hr_hog_status hr_hog_model_make(const hr_hog_settings *_Nonnull settings, const float *_Nonnull weights,
                                const double *_Nonnull thresholds, hr_hog_model *_Nullable *_Nonnull out);

void hr_hog_model_free(hr_hog_model *_Nullable model);

typedef enum {
    HR_HOG_PLAIN,     // the compiler's target
    HR_HOG_SSE4,      // x86-64: SSSE3 and SSE4.1
    HR_HOG_AVX2,      // AVX2 and FMA
    HR_HOG_AVX512,    // AVX-512 F, BW, DQ, VL and VNNI
    HR_HOG_NEON,      // arm64: supported by every processor
    HR_HOG_NEON_DOT,  // dot products of 8 bits
} hr_hog_instructions;

enum { HR_HOG_INSTRUCTIONS = HR_HOG_NEON_DOT + 1 };

/// Whether this processor supports an instruction set: 1 or 0.
int hr_hog_supports(hr_hog_instructions instructions);

/// The best instruction set that this processor supports.
hr_hog_instructions hr_hog_best_instructions(void);

/// Creates a detector; `model` must outlive it. The processor must support `instructions`.
hr_hog_status hr_hog_detector_make(const hr_hog_model *_Nonnull model, hr_hog_instructions instructions,
                                   hr_hog_detector *_Nullable *_Nonnull out);

void hr_hog_detector_free(hr_hog_detector *_Nullable detector);

/// Finds objects in 8-bit grey pixels.
///
/// `threshold` is added to the threshold of each filter. Levels of the pyramid whose window covers less than `smallest`
/// pixels on its shorter side are skipped; 0 skips none. `findings` points to memory of the detector that is valid
/// until its next call. Nothing is allocated after the detector has processed an image of the same size.
hr_hog_status hr_hog_detect(hr_hog_detector *_Nonnull detector, const uint8_t *_Nonnull pixels, size_t width,
                            size_t height, size_t bytes_per_row, double threshold, double smallest,
                            hr_hog_findings *_Nonnull findings);

#ifdef __cplusplus
}
#endif
