#pragma once
// Detector files as dlib itself writes them, for tests that read them.

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Saves dlib's frontal detector: all five sub-detectors for -1, else the one with that index. False when it cannot.
bool hr_fixture_save_frontal(const char *_Nonnull path, int index);

/// Trains a detector of bright discs on drawn pictures and saves it, as a stranger would train one for dogs.
bool hr_fixture_train_discs(const char *_Nonnull path);

#ifdef __cplusplus
}
#endif
