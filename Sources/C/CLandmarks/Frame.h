#pragma once
// A frame is the position of a square patch in an image.

#include "CLandmarks.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The rotation, scale and position of a patch. A point of the patch, measured from its centre, is multiplied by
/// `cosine` and `sine`, and the centre is added. These include the scale, in pixels of the image per pixel of the
/// patch.
typedef struct {
    double centre_x, centre_y;
    double cosine, sine;
} hr_frame;

hr_landmarks_point hr_frame_to_image(const hr_frame *frame, int side, hr_landmarks_point point);

/// The frame that maps the points `found` of an image as near as possible to `canonical` in its patch: a similarity by
/// least squares.
hr_frame hr_frame_fitted(const hr_landmarks_point *found, const hr_landmarks_point *canonical, int side);

/// The part of an image around a face, with the image's edges repeated outside. It is halved until its pixels are more
/// than half as large as the patch's pixels.
typedef struct {
    uint8_t *pixels;
    int side;
    double x, y;   // position of its top left corner, in pixels of the image
    double scale;  // pixels of the image for one of its pixels
} hr_region;

/// Cuts out the square that extends `reach` pixels of the image to each side of a point; `step` is the size of a pixel
/// of the patch.
///
/// Returns 0 when out of memory.
int hr_region_make(const uint8_t *pixels, size_t width, size_t height, size_t bytes_per_row, double centre_x,
                   double centre_y, double reach, double step, hr_region *out);

void hr_region_free(hr_region *region);

/// Draws the patch of `side` × `side` pixels at the position of a frame in an image, by linear interpolation.
void hr_frame_draw(const hr_frame *frame, const hr_region *region, int side, uint8_t *patch);

#ifdef __cplusplus
}
#endif
