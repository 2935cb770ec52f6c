#include "SubjectLayers.h"

// clang-format off
#define ALL(tensor, channels) ((hr_view){tensor, 0, channels, ((channels) + 15) / 16 * 16})
#define PART(tensor, start, count, pitch) ((hr_view){tensor, start, count, pitch})

#define FIRST(to, channels) {.kind = HR_LAYER_FIRST, .out = ALL(to, channels)}
#define POINT(from, to) {.kind = HR_LAYER_POINT, .in = from, .out = to}
#define DEPTH(size, step, from, to) {.kind = HR_LAYER_DEPTH, .in = from, .out = to, .side = size, .stride = step}
#define UNIT(size, step, from, to) {.kind = HR_LAYER_UNIT, .in = from, .out = to, .side = size, .stride = step}
#define JOIN(a, b, half, to) {.kind = HR_LAYER_JOIN, .in = ALL(a, half), .other = ALL(b, half), .out = ALL(to, 2 * (half))}
#define UP(from, to) {.kind = HR_LAYER_UP, .in = from, .out = to}
#define ADD(a, b, to) {.kind = HR_LAYER_ADD, .in = a, .other = b, .out = to}
#define HEAD(from) {.kind = HR_LAYER_HEAD, .in = from}

// ShuffleNetV2. The first unit of a stage halves the sides; the other units pass half of the channels through.
#define HALVED(from, channels, half) \
    DEPTH(3, 2, ALL(from, channels), ALL(HR_INNER, channels)), \
    POINT(ALL(HR_INNER, channels), ALL(HR_LEFT, half)), \
    UNIT(3, 2, ALL(from, channels), ALL(HR_INNER, half)), \
    POINT(ALL(HR_INNER, half), ALL(HR_RIGHT, half))
#define SHUFFLED(here, there, half) \
    {.kind = HR_LAYER_MIX, .in = ALL(here, half), .other = ALL(HR_RIGHT, half), .out = ALL(there, half), \
     .rest = ALL(HR_MIXED, half)}, \
    UNIT(3, 1, ALL(HR_MIXED, half), ALL(HR_INNER, half)), \
    POINT(ALL(HR_INNER, half), ALL(HR_RIGHT, half))
#define SHUFFLED_TWICE(half) SHUFFLED(HR_LEFT, HR_PASSED, half), SHUFFLED(HR_PASSED, HR_LEFT, half)

// GhostPAN: half of the outputs come from a point layer, and the other half from a window over these.
#define GHOST_HALVES(from, to) \
    POINT(from, PART(to, 0, 48, 96)), \
    DEPTH(3, 1, PART(to, 0, 48, 96), PART(to, 48, 48, 96))
#define GHOST(from, to) \
    GHOST_HALVES(ALL(from, 192), HR_GHOST), \
    GHOST_HALVES(ALL(HR_GHOST, 96), HR_SECOND), \
    DEPTH(5, 1, ALL(from, 192), ALL(HR_WIDE, 192)), \
    POINT(ALL(HR_WIDE, 192), ALL(HR_SHORT, 96)), \
    ADD(ALL(HR_SECOND, 96), ALL(HR_SHORT, 96), to)
#define REDUCED(from, to) \
    DEPTH(5, 2, from, ALL(HR_NARROW, 96)), \
    POINT(ALL(HR_NARROW, 96), to)
#define TOWER(from) \
    DEPTH(5, 1, ALL(from, 96), ALL(HR_NARROW, 96)), \
    POINT(ALL(HR_NARROW, 96), ALL(HR_TOWER, 96))

#define COARSE PART(HR_UP_32, 96, 96, 192)
#define MIDDLE PART(HR_UP_16, 96, 96, 192)

const hr_layer hr_subject_layers[HR_LAYERS] = {
    FIRST(HR_POOLED, 24),
    HALVED(HR_POOLED, 24, 58),
    SHUFFLED_TWICE(58), SHUFFLED(HR_LEFT, HR_PASSED, 58),
    JOIN(HR_PASSED, HR_RIGHT, 58, HR_STAGE_8),
    HALVED(HR_STAGE_8, 116, 116),
    SHUFFLED_TWICE(116), SHUFFLED_TWICE(116), SHUFFLED_TWICE(116), SHUFFLED(HR_LEFT, HR_PASSED, 116),
    JOIN(HR_PASSED, HR_RIGHT, 116, HR_STAGE_16),
    HALVED(HR_STAGE_16, 232, 232),
    SHUFFLED_TWICE(232), SHUFFLED(HR_LEFT, HR_PASSED, 232),
    JOIN(HR_PASSED, HR_RIGHT, 232, HR_STAGE_32),

    POINT(ALL(HR_STAGE_32, 464), COARSE),
    UP(COARSE, PART(HR_DOWN_16, 0, 96, 192)),
    POINT(ALL(HR_STAGE_16, 232), PART(HR_DOWN_16, 96, 96, 192)),
    GHOST(HR_DOWN_16, MIDDLE),
    UP(MIDDLE, PART(HR_DOWN_8, 0, 96, 192)),
    POINT(ALL(HR_STAGE_8, 116), PART(HR_DOWN_8, 96, 96, 192)),
    GHOST(HR_DOWN_8, ALL(HR_LEVEL_8, 96)),
    REDUCED(ALL(HR_LEVEL_8, 96), PART(HR_UP_16, 0, 96, 192)),
    GHOST(HR_UP_16, ALL(HR_LEVEL_16, 96)),
    REDUCED(ALL(HR_LEVEL_16, 96), PART(HR_UP_32, 0, 96, 192)),
    GHOST(HR_UP_32, ALL(HR_LEVEL_32, 96)),
    REDUCED(COARSE, ALL(HR_SECOND, 96)),
    REDUCED(ALL(HR_LEVEL_32, 96), ALL(HR_SHORT, 96)),
    ADD(ALL(HR_SECOND, 96), ALL(HR_SHORT, 96), ALL(HR_LEVEL_64, 96)),

    TOWER(HR_LEVEL_8), TOWER(HR_TOWER), HEAD(ALL(HR_TOWER, 96)),
    TOWER(HR_LEVEL_16), TOWER(HR_TOWER), HEAD(ALL(HR_TOWER, 96)),
    TOWER(HR_LEVEL_32), TOWER(HR_TOWER), HEAD(ALL(HR_TOWER, 96)),
    TOWER(HR_LEVEL_64), TOWER(HR_TOWER), HEAD(ALL(HR_TOWER, 96)),
};
