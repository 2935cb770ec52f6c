#pragma once
// Detector files as dlib itself writes them, for tests that read them.

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Saves dlib's frontal detector: all five sub-detectors for -1, else the one with that index. False when it cannot.
bool hr_fixture_save_frontal(const char *_Nonnull path, int index);

/// Trains a detector of bright discs on drawn images and saves it, as a stranger would train one for dogs.
bool hr_fixture_train_discs(const char *_Nonnull path);

/// Saves a detector with random weights that fires now and then: `filters` of them, for a window of so many pixels with
/// so many cells of padding.
bool hr_fixture_save_random(const char *_Nonnull path, int width, int height, int padding, int filters);

#ifdef __cplusplus
}
#endif
