#pragma once

#include "Kernels.h"
#include "Memory.h"

/// The images of a pyramid in sequence: each level is computed from the previous level.
typedef struct {
    hr_block images[2];  // the current level and the previous one, alternating
    hr_block left, fraction, top, bottom;
    hr_level level;  // the current one
    int depth;       // 0 for the original image
} hr_pyramid;

/// Starts with the original image.
void hr_pyramid_begin(hr_pyramid *pyramid, hr_level image);

/// Advances to the next level, 5/6 as wide and high, from a level of at least 2 by 2 pixels; returns 0 if memory is
/// exhausted.
int hr_pyramid_next(hr_pyramid *pyramid, const hr_kernels *kernels);

void hr_pyramid_free(hr_pyramid *pyramid);
