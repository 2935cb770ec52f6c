#include "Cascade.h"

#include <math.h>

/// The turn and scale from the cascade's start to `shape`, by least squares; in `x` the cosine, in `y` the sine, both
/// times the scale.
static hr_point_f turn(const hr_point_f *start, const hr_point_f *shape)
{
    hr_point_f from = {0, 0}, to = {0, 0};
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        from.x += start[i].x / HR_LANDMARKS_POINTS;
        from.y += start[i].y / HR_LANDMARKS_POINTS;
        to.x += shape[i].x / HR_LANDMARKS_POINTS;
        to.y += shape[i].y / HR_LANDMARKS_POINTS;
    }
    float cosine = 0, sine = 0, square = 0;
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        const float x = start[i].x - from.x, y = start[i].y - from.y;
        const float u = shape[i].x - to.x, v = shape[i].y - to.y;
        cosine += x * u + y * v;
        sine += x * v - y * u;
        square += x * x + y * y;
    }
    return (hr_point_f){cosine / square, sine / square};
}

static void sample(const hr_cascade *cascade, const hr_level *level, const uint8_t *patch, int side, int box,
                   const hr_point_f *shape, int16_t *values)
{
    const hr_point_f by = turn(cascade->start, shape);
    const float unit = (float)box / HR_LANDMARKS_OFFSET_UNIT, left = (float)(side - box) / 2;
    for (uint32_t i = 0; i < cascade->features; ++i) {
        const hr_offset offset = level->offsets[i];
        const hr_point_f anchor = shape[level->anchors[i]];
        const float x = left + anchor.x * (float)box + unit * (by.x * offset.x - by.y * offset.y);
        const float y = left + anchor.y * (float)box + unit * (by.y * offset.x + by.x * offset.y);
        // Also false for what is not a number.
        const int inside = x >= 0 && y >= 0 && x < (float)side && y < (float)side;
        values[i] = inside ? patch[(int)y * side + (int)x] : 0;
    }
}

void hr_cascade_run(const hr_cascade *cascade, const uint8_t *patch, int side, int box, hr_shape *shapes, int count)
{
    int16_t values[HR_CASCADE_MAX_SHAPES][HR_LANDMARKS_MAX_FEATURES];
    const uint32_t inner = (1U << cascade->depth) - 1;
    for (uint32_t i = 0; i < cascade->level_count; ++i) {
        const hr_level *level = &cascade->levels[i];
        int32_t sums[HR_CASCADE_MAX_SHAPES][2 * HR_LANDMARKS_POINTS] = {{0}};
        for (int j = 0; j < count; ++j)
            sample(cascade, level, patch, side, box, shapes[j].points, values[j]);
        const hr_node *nodes = level->nodes;
        const int8_t *leaves = level->leaves;
        for (uint32_t tree = 0; tree < cascade->trees; ++tree) {
            uint32_t at[HR_CASCADE_MAX_SHAPES] = {0};
            for (uint32_t step = 0; step < cascade->depth; ++step)
                for (int j = 0; j < count; ++j) {
                    const hr_node node = nodes[at[j]];
                    at[j] = 2 * at[j] + 2 - (values[j][node.first] - values[j][node.second] > node.threshold);
                }
            for (int j = 0; j < count; ++j) {
                const int8_t *leaf = leaves + (at[j] - inner) * 2 * HR_LANDMARKS_POINTS;
                for (int k = 0; k < 2 * HR_LANDMARKS_POINTS; ++k)
                    sums[j][k] += leaf[k];
            }
            nodes += inner;
            leaves += (inner + 1) * 2 * HR_LANDMARKS_POINTS;
        }
        for (int j = 0; j < count; ++j)
            for (int k = 0; k < HR_LANDMARKS_POINTS; ++k) {
                shapes[j].points[k].x += level->unit * (float)sums[j][2 * k];
                shapes[j].points[k].y += level->unit * (float)sums[j][2 * k + 1];
            }
    }
}
