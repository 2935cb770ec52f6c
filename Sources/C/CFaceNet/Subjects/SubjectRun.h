#pragma once
// One evaluation of the subject network, layer by layer.

#include "SubjectLayers.h"

/// Memory that is shared out from its start; with `base` NULL only the size is computed.
typedef struct {
    uint8_t *base;
    size_t used;
} hr_subject_memory;

/// Receives sums of a head: [count][HR_OUTPUTS] of the cells from `first` on, in rows of `width`.
typedef struct {
    void (*cells)(void *context, int head, int first, int width, const int16_t *sums, const float *unit, int count);
    void *context;
} hr_subject_sink;

typedef struct {
    const hr_subjects_model *model;
    hr_subject_sink sink;
    int width, height;              // of the image with its margins, multiples of 32
    int left, top;                  // margins
    uint8_t *lines[3][HR_COLOURS];  // of the image with its margins, from the pixel left of the first on
    uint8_t *margin[HR_COLOURS];    // such a line outside of the image
    uint8_t *windows;               // of a row of the first layer, [x][HR_WINDOW_BYTES]
    uint8_t *conv[3];               // rows of the first layer before its maxima, from the pixel left of the first on
    uint8_t *black;                 // such a row of 0
    int16_t *sums;                  // of some rows or cells of a point layer
    int16_t *ring[5];               // rows of a window's values, with margins
    int16_t *zeros;                 // such a row of 0
    uint8_t *tensors[HR_TENSORS];
    int widths[HR_TENSORS], heights[HR_TENSORS];
} hr_subject_run;

/// Shares out the memory of a run over an image of these sides.
void hr_subject_run_begin(hr_subject_run *run, const hr_subjects_model *model, size_t width, size_t height,
                          hr_subject_memory *memory);

void hr_subject_evaluate(hr_subject_run *run, const hr_net_image *image);
