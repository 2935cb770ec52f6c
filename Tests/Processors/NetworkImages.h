#pragma once
// Functions that the programs for the networks share: random images, digests, and time.

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "CFaceNet.h"
#include "TestImages.h"

static const char *const set_names[HR_HOG_INSTRUCTIONS] = {"plain", "sse4", "avx2", "avx512", "neon", "neon-dot"};

static uint64_t state;

/// Steps of a linear congruential generator; only the upper bits are used.
static size_t random_below(size_t limit)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (size_t)(state >> 33) % limit;
}

/// An image whose planes are three drawn images, or three copies of one image; the caller frees the planes.
typedef struct {
    hr_net_image view;
    uint8_t *planes[3];
} image;

static image draw(size_t width, size_t height)
{
    image drawn = {.view = {.width = width, .height = height}};
    const int is_grey = random_below(4) == 0;
    const hr_content content = (hr_content)random_below(HR_CONTENTS);
    const uint64_t seed = random_below(1000000);
    for (int i = 0; i < 3; ++i) {
        const size_t bytes_per_row = width + random_below(3) * 5;
        if (i > 0 && is_grey) {
            drawn.view.planes[i] = drawn.view.planes[0];
            drawn.view.bytes_per_row[i] = drawn.view.bytes_per_row[0];
            continue;
        }
        // Faces have the same position in all planes.
        drawn.planes[i] =
            hr_test_image(content, width, height, bytes_per_row, content == HR_FACES ? seed : seed + (uint64_t)i);
        drawn.view.planes[i] = drawn.planes[i];
        drawn.view.bytes_per_row[i] = bytes_per_row;
    }
    return drawn;
}

static void discard(image *drawn)
{
    for (int i = 0; i < 3; ++i)
        free(drawn->planes[i]);
}

/// FNV-1a.
static uint64_t digest(const void *values, size_t count)
{
    uint64_t hash = 14695981039346656037U;
    const uint8_t *bytes = values;
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ bytes[i]) * 1099511628211U;
    return hash;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
