#pragma once
// Faces from the sums of the heads.

#include "Pass.h"

/// The windows that reached the threshold, and the minimum sums that can reach it.
typedef struct {
    const hr_net_model *model;
    float threshold;
    int16_t least[HR_NET_HEADS][2];  // windows with lower class or objectness sums cannot reach the threshold
    hr_net_face *faces;              // [2 * HR_NET_MAX_WINDOWS]
    size_t count;
} hr_net_faces;

void hr_net_faces_begin(hr_net_faces *faces, const hr_net_model *model, float threshold, hr_net_face *memory);

/// Appends the faces of a row of a head.
void hr_net_faces_row(void *faces, int level, int y, const int16_t *sums, int width);

/// Sorts the faces by decreasing score and removes faces that overlap a better face by more than `overlap`.
void hr_net_faces_end(hr_net_faces *faces, float overlap);
