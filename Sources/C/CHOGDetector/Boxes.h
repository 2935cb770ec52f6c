#pragma once

#include "CHOGDetector.h"

/// Detections, growing as needed.
typedef struct {
    hr_hog_detection *items;
    size_t count, capacity;
} hr_detections;

/// Appends one; returns 0 if memory is exhausted.
int hr_detections_append(hr_detections *detections, hr_hog_detection detection);

/// Sorts windows by confidence, and copies to `kept` those that overlap no better one; returns 0 without memory.
int hr_detections_suppress(hr_detections *windows, hr_detections *kept, double overlap_iou, double overlap_covered);

/// The number of levels of dlib's pyramid_down<6> for an image.
int hr_pyramid_levels(const hr_hog_settings *settings, size_t width, size_t height);

/// The box, in pixels of the image, of the window whose top left cell is (column, row) on a level of the pyramid.
hr_hog_detection hr_window_box(const hr_hog_settings *settings, int column, int row, int level);
