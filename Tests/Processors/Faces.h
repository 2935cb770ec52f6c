#pragma once
// Complete results: landmarks of the faces that the detector finds.

#include "CHOGDetector.h"

/// Prints the landmarks of each face in a drawn image, with all bits.
void hr_print_landmarks(const hr_hog_model *model);
