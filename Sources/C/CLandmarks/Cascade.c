#include "Cascade.h"

#include "Similarity.h"
#include "Variants.h"

enum { VALUES = 2 * HR_LANDMARKS_POINTS };

/// The turn and scale from the cascade's start to `shape`; in `x` the cosine, in `y` the sine, both times the scale.
static hr_point_f turn(const hr_point_f *start, const hr_point_f *shape)
{
    hr_landmarks_point from[HR_LANDMARKS_POINTS], to[HR_LANDMARKS_POINTS];
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        from[i] = (hr_landmarks_point){start[i].x, start[i].y};
        to[i] = (hr_landmarks_point){shape[i].x, shape[i].y};
    }
    const hr_similarity fitted = hr_similarity_fitted(from, to);
    return (hr_point_f){(float)fitted.cosine, (float)fitted.sine};
}

/// The places of a level's features in a patch; `side * side` for those outside.
HR_LANDMARKS_INLINE void place_kernel(const hr_level *level, uint32_t count, int side, int box, hr_point_f by,
                                      const hr_point_f *shape, int32_t *places)
{
    const float unit = (float)box / HR_LANDMARKS_OFFSET_UNIT, left = (float)(side - box) / 2, end = (float)side;
    float across[HR_LANDMARKS_POINTS], down[HR_LANDMARKS_POINTS];
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        across[i] = left + shape[i].x * (float)box;
        down[i] = left + shape[i].y * (float)box;
    }
    const hr_offset *offsets = level->offsets;
    const uint8_t *anchors = level->anchors;
    for (uint32_t i = 0; i < count; ++i) {
        const float x = across[anchors[i]] + unit * (by.x * offsets[i].x - by.y * offsets[i].y);
        const float y = down[anchors[i]] + unit * (by.y * offsets[i].x + by.x * offsets[i].y);
        // Also false for what is not a number.
        const int inside = (x >= 0) & (y >= 0) & (x < end) & (y < end);
        places[i] = inside ? (int)(inside ? y : 0) * side + (int)(inside ? x : 0) : side * side;
    }
}

HR_LANDMARKS_INLINE void add(const int8_t *restrict leaf, int16_t *restrict sums)
{
    for (int k = 0; k < VALUES; ++k)
        sums[k] = (int16_t)(sums[k] + leaf[k]);
}

/// Adds the leaves that shapes reach in the trees of a level.
HR_LANDMARKS_INLINE void trees_kernel(const hr_cascade *cascade, const hr_level *level, const int16_t *values,
                                      int16_t *sums, const int count)
{
    const uint32_t inner = (1U << cascade->depth) - 1;
    const hr_node *nodes = level->nodes;
    const int8_t *leaves = level->leaves;
    for (uint32_t tree = 0; tree < cascade->trees; ++tree) {
        uint32_t at[HR_CASCADE_MAX_SHAPES] = {0};
        for (uint32_t step = 0; step < cascade->depth; ++step)
#pragma clang loop vectorize(disable) unroll(disable)
            for (int j = 0; j < count; ++j) {
                const hr_node node = nodes[at[j]];
                const int16_t *value = values + j * HR_LANDMARKS_MAX_FEATURES;
                at[j] = 2 * at[j] + 2 - (value[node.first] - value[node.second] > node.threshold);
            }
        for (int j = 0; j < count; ++j)
            add(leaves + (at[j] - inner) * VALUES, sums + j * VALUES);
        nodes += inner;
        leaves += (inner + 1) * VALUES;
    }
}

HR_LANDMARKS_INLINE void level_kernel(const hr_cascade *cascade, const hr_level *level, const uint8_t *patch, int side,
                                      int box, const hr_shape *shapes, int count, int16_t *sums)
{
    int16_t values[HR_CASCADE_MAX_SHAPES * HR_LANDMARKS_MAX_FEATURES];
    int32_t places[HR_LANDMARKS_MAX_FEATURES];
    for (int j = 0; j < count; ++j) {
        const hr_point_f by = turn(cascade->start, shapes[j].points);
        place_kernel(level, cascade->features, side, box, by, shapes[j].points, places);
        for (uint32_t i = 0; i < cascade->features; ++i)
            values[j * HR_LANDMARKS_MAX_FEATURES + i] = patch[places[i]];
    }
    trees_kernel(cascade, level, values, sums, count);
}

HR_LANDMARKS_AVX2 static void level_avx2(const hr_cascade *cascade, const hr_level *level, const uint8_t *patch,
                                         int side, int box, const hr_shape *shapes, int count, int16_t *sums)
{
    level_kernel(cascade, level, patch, side, box, shapes, count, sums);
}

static void level_plain(const hr_cascade *cascade, const hr_level *level, const uint8_t *patch, int side, int box,
                        const hr_shape *shapes, int count, int16_t *sums)
{
    level_kernel(cascade, level, patch, side, box, shapes, count, sums);
}

void hr_cascade_run(const hr_cascade *cascade, const uint8_t *patch, int side, int box, hr_shape *shapes, int count)
{
    for (uint32_t i = 0; i < cascade->level_count; ++i) {
        const hr_level *level = &cascade->levels[i];
        int16_t sums[HR_CASCADE_MAX_SHAPES * VALUES] = {0};
        (HR_LANDMARKS_HAS_AVX2() ? level_avx2 : level_plain)(cascade, level, patch, side, box, shapes, count, sums);
        for (int j = 0; j < count; ++j)
            for (int k = 0; k < HR_LANDMARKS_POINTS; ++k) {
                shapes[j].points[k].x += level->unit * (float)sums[j * VALUES + 2 * k];
                shapes[j].points[k].y += level->unit * (float)sums[j * VALUES + 2 * k + 1];
            }
    }
}
