#pragma once
// Grey images computed with integers only, so that every processor draws the same pixels.

#include <stddef.h>
#include <stdint.h>

typedef enum { HR_RANDOM, HR_BLOCKS, HR_RAMPS, HR_EXTREMES, HR_FACES, HR_CONTENTS } hr_content;

extern const char *const hr_content_names[HR_CONTENTS];

/// Draws `content`; bytes between rows are filled with junk. The caller frees the memory, which ends after the last
/// pixel.
uint8_t *hr_test_image(hr_content content, size_t width, size_t height, size_t bytes_per_row, uint64_t seed);
