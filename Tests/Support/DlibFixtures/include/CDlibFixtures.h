#pragma once
// Detector files as dlib itself writes them, for tests that read them.

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Saves dlib's frontal detector: all five sub-detectors for index -1, otherwise the sub-detector with this index.
/// Returns false on failure.
bool hr_fixture_save_frontal(const char *_Nonnull path, int index);

/// Trains a detector of bright discs on drawn images and saves it, in the same way as a user would train a detector for
/// dogs.
bool hr_fixture_train_discs(const char *_Nonnull path);

/// Saves a detector with random weights that sometimes fires: it has `filters` filters, for a window of `width` ×
/// `height` pixels with `padding` cells around it.
bool hr_fixture_save_random(const char *_Nonnull path, int width, int height, int padding, int filters);

#ifdef __cplusplus
}
#endif
