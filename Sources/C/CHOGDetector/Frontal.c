// The filters of dlib's frontal face detector, as dlib applies them: 5 × 10 × 10 cells of HR_HOG_PLANES floats, from
// dlib/image_processing/frontal_face_detector.h (Boost Software License 1.0). A test compares them with dlib's own and
// can write the file anew.

#include "CHOGDetector.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is little-endian");

static const _Alignas(float) uint8_t bytes[] = {
#embed "frontal.dat"
};

const float *hr_hog_frontal_weights(size_t *count)
{
    *count = sizeof bytes / sizeof(float);
    return (const float *)(const void *)bytes;
}
