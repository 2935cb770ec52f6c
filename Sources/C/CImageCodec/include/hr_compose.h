#pragma once

#include "hr_types.h"

/// Blends red, green, blue and straight alpha over the same four planes of equal size.
void hr_compose_over(const hr_plane *_Nonnull frame, const hr_target *_Nonnull canvas);

/// A rectangle of pixels; empty if its width is 0.
typedef struct hr_box {
    int x, y, width, height;
} hr_box;

/// Finds the smallest rectangle around all samples in which `count` planes differ from other planes of the same size.
void hr_find_change(const hr_plane *_Nonnull planes, const hr_plane *_Nonnull others, int count, hr_box *_Nonnull box);
