// The filters of dlib's frontal face detector, as dlib applies them: 5 × 10 × 10 cells of HR_HOG_PLANES floats, from
// dlib/image_processing/frontal_face_detector.h (Boost Software License 1.0). A test compares them with dlib's own
// filters, and can regenerate the file.

#include "CHOGDetector.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is little-endian");

static const _Alignas(float) uint8_t bytes[] = {
#embed "frontal.dat"
};

hr_hog_frontal hr_hog_frontal_detector(void)
{
    return (hr_hog_frontal){
        .settings = {.columns = 10,
                     .rows = 10,
                     .padding = 0,
                     .max_levels = 1000,
                     .min_layer_width = 64,
                     .min_layer_height = 64,
                     .filter_count = HR_HOG_FRONTAL_FILTERS,
                     .overlap_iou = 0.33008212188056446,
                     .overlap_covered = 0.7885714285714286},
        .thresholds = {3.2744957766996508, 3.986821636074024, 3.8959356750348184, 3.5148690352596796,
                       3.558029025830369},
        .weights = (const float *)(const void *)bytes,
        .weight_count = sizeof bytes / sizeof(float),
    };
}
