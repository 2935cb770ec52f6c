#pragma once

#include "Kernels.h"
#include "Memory.h"

/// The images of a pyramid, one after the other: each level is made from the one before.
typedef struct {
    hr_block images[2];  // the level and the one before take turns
    hr_block left, fraction, top, bottom;
    hr_level level;      // the current one
    int depth;           // 0 for the image as it was given
} hr_pyramid;

/// Begins with the image as it is.
void hr_pyramid_begin(hr_pyramid *pyramid, hr_level image);

/// Goes on to the next level, 5/6 as wide and high, from one of at least 2 by 2 pixels; 0 when memory runs out.
int hr_pyramid_next(hr_pyramid *pyramid, const hr_kernels *kernels);

void hr_pyramid_free(hr_pyramid *pyramid);
