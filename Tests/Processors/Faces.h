#pragma once
// Whole results: landmarks of faces that the detector finds.

#include "CHOGDetector.h"

/// Prints the landmarks of each face in a drawn image, to the last bit.
void hr_print_landmarks(const hr_hog_model *model);
