#pragma once

#include "hr_types.h"

/// The samples of row `y`.
static inline const uint8_t *hr_row(const hr_plane *plane, int y) { return plane->data + (size_t)y * plane->stride; }

/// The samples of row `y` of a plane that is written.
static inline uint8_t *hr_target_row(const hr_target *plane, int y) { return plane->data + (size_t)y * plane->stride; }
