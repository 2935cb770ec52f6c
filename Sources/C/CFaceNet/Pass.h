#pragma once
// One evaluation of the network, row by row.
//
// Every unit keeps the last four rows between its two convolutions, and passes a row on as soon as it is complete. So
// the current rows stay in the second-level cache; they need 0.45 MB at 640 × 480. Only the results of strides 8, 16
// and 32 are stored completely, because they are needed for the additions.

#include "NetKernels.h"

// Two rows of a pooled output need four rows of inner values.
enum { HR_NET_INNER_ROWS = 4 };

/// Memory that is handed out from its start; if `base` is NULL, only the size is computed.
typedef struct {
    uint8_t *base;
    size_t used;
} hr_net_memory_block;

/// Receives a row of a head: [width][16] sums. `level` is 0 for stride 8, 1 for 16, 2 for 32.
typedef struct {
    void (*row)(void *context, int level, int y, const int16_t *sums, int width);
    void *context;
} hr_net_sink;

/// The current rows of one unit.
typedef struct {
    int16_t *inner[HR_NET_INNER_ROWS];
    int width, height;
    int received;   // number of rows
    uint8_t *row;   // a row of its output, for the next unit
    int16_t *sums;  // sums of a head
} hr_net_stage;

typedef struct {
    const hr_net_model *model;
    hr_net_sink sink;
    int width, height;  // size of the image, padded to multiples of 32
    hr_net_stage stages[HR_NET_UNITS];
    uint8_t *lines[3][3];           // lines of the padded image, [row % 3][channel], starting left of the first pixel
    uint8_t *blank;                 // a black line
    int16_t *zeros;                 // inner values outside the image
    uint8_t *first;                 // a row of the first convolution
    uint8_t *pooled;                // a row between units
    uint8_t *maps[HR_NET_HEADS];    // results of the body at strides 8, 16, 32
    uint8_t *coarse[HR_NET_HEADS];  // results of the neck at strides 16 and 32
} hr_net_pass;

/// Divides the memory of a pass over an image of these sides.
void hr_net_pass_begin(hr_net_pass *pass, const hr_net_model *model, size_t width, size_t height,
                       hr_net_memory_block *memory);

void hr_net_pass_run(hr_net_pass *pass, const hr_net_image *image);
