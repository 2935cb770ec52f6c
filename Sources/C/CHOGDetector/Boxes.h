#pragma once

#include "CHOGDetector.h"

/// Detections, growing as needed.
typedef struct {
    hr_hog_detection *items;
    size_t count, capacity;
} hr_detections;

/// Appends a detection; returns 0 if memory is exhausted.
int hr_detections_append(hr_detections *detections, hr_hog_detection detection);

/// Sorts windows by confidence, and copies windows that do not overlap a better window to `kept`; returns 0 if memory
/// is exhausted.
int hr_detections_suppress(hr_detections *windows, hr_detections *kept, double overlap_iou, double overlap_covered);

/// The number of levels of dlib's pyramid_down<6> for an image.
int hr_pyramid_levels(const hr_hog_settings *settings, size_t width, size_t height);

/// The box of a window in pixels of the image. The top left cell of the window is (column, row) on a level of the
/// pyramid.
hr_hog_detection hr_window_box(const hr_hog_settings *settings, int column, int row, int level);
