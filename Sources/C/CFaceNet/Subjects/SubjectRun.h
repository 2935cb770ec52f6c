#pragma once
// One evaluation of the subject network, layer by layer.

#include "SubjectLayers.h"

/// Memory that is handed out from its start; if `base` is NULL, only the size is computed.
typedef struct {
    uint8_t *base;
    size_t used;
} hr_subject_memory;

/// Receives sums of a head: [count][HR_OUTPUTS] of the cells starting at `first`, in rows of `width`.
typedef struct {
    void (*cells)(void *context, int head, int first, int width, const int16_t *sums, const float *unit, int count);
    void *context;
} hr_subject_sink;

typedef struct {
    const hr_subjects_model *model;
    hr_subject_sink sink;
    int width, height;              // size of the image with its margins, multiples of 32
    int left, top;                  // margins
    uint8_t *lines[3][HR_COLOURS];  // lines of the image with its margins, starting left of the first pixel
    uint8_t *margin[HR_COLOURS];    // a line outside the image
    uint8_t *windows;               // windows of a row of the first layer, [x][HR_WINDOW_BYTES]
    uint8_t *conv[3];               // rows of the first layer before its maxima, starting left of the first pixel
    uint8_t *black;                 // a row of 0
    int16_t *sums;                  // sums of some rows or cells of a point layer
    int16_t *ring[5];               // rows of a window's values, with margins
    int16_t *zeros;                 // a row of 0
    uint8_t *tensors[HR_TENSORS];
    int widths[HR_TENSORS], heights[HR_TENSORS];
} hr_subject_run;

/// Divides the memory of a run over an image of these sides.
void hr_subject_run_begin(hr_subject_run *run, const hr_subjects_model *model, size_t width, size_t height,
                          hr_subject_memory *memory);

void hr_subject_evaluate(hr_subject_run *run, const hr_net_image *image);
