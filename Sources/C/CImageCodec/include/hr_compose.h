#pragma once

#include "hr_types.h"

/// Blends red, green, blue and straight alpha over the same four planes of equal size.
void hr_compose_over(const hr_plane *_Nonnull frame, const hr_plane *_Nonnull canvas);
