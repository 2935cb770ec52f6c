#pragma once
// NanoDet-Plus-m as a list of layers, and the table of its weights.
//
// Layout of the table, little-endian, without gaps: "HRSN", uint32 version (1), then the weights of each layer in
// order:
//
//   first, point  point sums, then activation
//   unit          point sums, window, activation
//   depth         uint16 channels, side; uint8 centre of the source [channels]; window, activation
//   head          point sums; float [outputs]: the unit of the sums
//   add           uint16 channels; int16 factor of the first input [channels], of the second input [channels], constant
//                 [channels]
//
//   point sums    uint16 inputs, outputs; int32 shift; int8 [outputs][inputs]; int32 bias [outputs]
//   window        int16 [channels][rows][columns], bias [channels]
//   activation    int16 gain [channels], leak [channels]; uint8 centre [channels]

#include "CSubjectNet.h"
#include "Layers.h"

/// Values between layers: bytes, [y][x][channel].
typedef enum {
    HR_POOLED,
    HR_INNER,
    HR_LEFT,    // the half of a stage's channels that passes through
    HR_PASSED,  // the same for every second unit
    HR_RIGHT,
    HR_MIXED,
    HR_STAGE_8,
    HR_STAGE_16,
    HR_STAGE_32,
    HR_DOWN_16,  // from coarse to fine
    HR_DOWN_8,
    HR_UP_16,  // from fine to coarse
    HR_UP_32,
    HR_GHOST,
    HR_SECOND,
    HR_WIDE,
    HR_SHORT,
    HR_NARROW,
    HR_TOWER,
    HR_LEVEL_8,
    HR_LEVEL_16,
    HR_LEVEL_32,
    HR_LEVEL_64,
    HR_TENSORS
} hr_tensor;

/// Channels of a tensor: `count` starting at `start`; pixels are `pitch` bytes apart.
typedef struct {
    uint8_t tensor;
    uint16_t start, count, pitch;
} hr_view;

typedef enum {
    HR_LAYER_FIRST,  // 3 × 3 pixels of every second row and column, then the maximum of 3 × 3 at every second result
    HR_LAYER_POINT,
    HR_LAYER_DEPTH,  // a window
    HR_LAYER_UNIT,   // point, then a window
    HR_LAYER_MIX,    // alternates channels; the first half goes to `out`, the second to `rest`
    HR_LAYER_JOIN,   // alternates channels
    HR_LAYER_UP,     // doubles the sides
    HR_LAYER_ADD,
    HR_LAYER_HEAD,  // point, whose sums are outputs of the network
} hr_layer_kind;

typedef struct {
    hr_layer_kind kind;
    hr_view in, other, out, rest;
    int side, stride;  // properties of a window
} hr_layer;

enum {
    HR_LAYERS = 117,
    HR_HEADS = 4,
    HR_BINS = 8,  // bins for each of a box's four sides
    HR_OUTPUTS = HR_SUBJECTS_CLASSES + 4 * HR_BINS,
    HR_COLOURS = 3,
    HR_WINDOW_BYTES = 32,    // 27 pixels of the first layer, plus the bytes after them that are read
    HR_MOST_CHANNELS = 464,  // inputs of a point layer
    HR_MOST_OUTPUTS = 240,
};

extern const hr_layer hr_subject_layers[HR_LAYERS];

/// The inputs of a layer's kernels.
typedef struct {
    hr_point point;
    hr_window window;
    hr_activation activation;
    hr_addition addition;
    int16_t *centre;  // 128 times the centre of a depth layer's source
    float *unit;      // unit of a head's sums
} hr_layer_weights;

struct hr_subjects_model {
    const hr_layer_kernels *kernels;
    hr_layer_weights layers[HR_LAYERS];
    void *memory;
};
