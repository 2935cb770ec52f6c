#pragma once

#include <lcms2.h>

#include "hr_color.h"

/// Memory that the colour library may use for one conversion, profiles included.
enum { HR_COLOR_MAX_MEMORY = 32 << 20 };

/// A context of the colour library with a memory limit.
typedef struct hr_color_context {
    size_t used;
    cmsContext _Nullable lcms;
} hr_color_context;

/// False if memory is exhausted. The context must not be moved until it is closed.
bool hr_color_context_open(hr_color_context *_Nonnull context);

void hr_color_context_close(hr_color_context *_Nonnull context);

/// Opens a profile that can be the source of a conversion; NULL if it is damaged, or not for `space`.
cmsHPROFILE _Nullable hr_color_open_profile(const hr_color_context *_Nonnull context, const uint8_t *_Nonnull profile,
                                            size_t count, hr_color_space space);

/// Appends the bytes of a profile.
hr_status hr_color_save_profile(cmsHPROFILE _Nonnull profile, hr_buffer *_Nonnull out, hr_error *_Nonnull error);
