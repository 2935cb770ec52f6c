#include "Weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the table is little-endian");
_Static_assert(sizeof(hr_node) == 6 && sizeof(hr_offset) == 4, "nodes and offsets are copied as they are");

typedef struct {
    const uint8_t *bytes;
    size_t left;
    int failed;
} reader;

static const uint8_t *take(reader *from, size_t count)
{
    if (from->failed || count > from->left) {
        from->failed = 1;
        return NULL;
    }
    const uint8_t *bytes = from->bytes;
    from->bytes += count;
    from->left -= count;
    return bytes;
}

static void copy(reader *from, void *to, size_t count)
{
    const uint8_t *bytes = take(from, count);
    if (bytes)
        memcpy(to, bytes, count);
}

static uint32_t number(reader *from, uint32_t most)
{
    uint32_t value = 0;
    copy(from, &value, sizeof value);
    if (value < 1 || value > most)
        from->failed = 1;
    return value;
}

/// A copy, since the table's rows are not aligned.
static void *copied(reader *from, size_t count)
{
    const uint8_t *bytes = take(from, count);
    void *to = bytes ? malloc(count) : NULL;
    if (to)
        memcpy(to, bytes, count);
    else
        from->failed = 1;
    return to;
}

static int is_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!(fabsf(values[i]) < 1e4F))
            return 0;
    return 1;
}

static void read_level(reader *from, hr_cascade *cascade, hr_level *level)
{
    copy(from, &level->unit, sizeof level->unit);
    level->offsets = copied(from, cascade->features * sizeof(hr_offset));
    level->anchors = copied(from, cascade->features);
    const size_t nodes = (((size_t)1 << cascade->depth) - 1) * cascade->trees;
    const size_t leaves = ((size_t)1 << cascade->depth) * cascade->trees * HR_LANDMARKS_POINTS * 2;
    level->nodes = copied(from, nodes * sizeof(hr_node));
    level->leaves = (const int8_t *)take(from, leaves);
    if (from->failed)
        return;
    for (size_t i = 0; i < cascade->features; ++i)
        if (level->anchors[i] >= HR_LANDMARKS_POINTS)
            from->failed = 1;
    for (size_t i = 0; i < nodes; ++i)
        if (level->nodes[i].first >= cascade->features || level->nodes[i].second >= cascade->features)
            from->failed = 1;
    if (!is_finite(&level->unit, 1))
        from->failed = 1;
}

static void read_cascade(reader *from, hr_cascade *cascade)
{
    cascade->level_count = number(from, HR_LANDMARKS_MAX_LEVELS);
    cascade->features = number(from, HR_LANDMARKS_MAX_FEATURES);
    cascade->trees = number(from, HR_LANDMARKS_MAX_TREES);
    cascade->depth = number(from, HR_LANDMARKS_MAX_DEPTH);
    copy(from, cascade->start, sizeof cascade->start);
    if (from->failed || !is_finite(&cascade->start[0].x, 2 * HR_LANDMARKS_POINTS)) {
        from->failed = 1;
        cascade->level_count = 0;
        return;
    }
    for (uint32_t i = 0; i < cascade->level_count; ++i)
        read_level(from, cascade, &cascade->levels[i]);
}

hr_landmarks_status hr_landmarks_model_make(const uint8_t *bytes, size_t count, hr_landmarks_model **out)
{
    *out = NULL;
    hr_landmarks_model *model = calloc(1, sizeof *model);
    if (!model)
        return HR_LANDMARKS_OUT_OF_MEMORY;
    reader from = {bytes, count, 0};
    const uint8_t *mark = take(&from, 4);
    if (!mark || memcmp(mark, "HRLM", 4) != 0 || number(&from, 1) != 1)
        from.failed = 1;
    model->patch = (int)number(&from, HR_LANDMARKS_MAX_PATCH);
    model->box = (int)number(&from, HR_LANDMARKS_MAX_PATCH);
    copy(&from, model->poses, sizeof model->poses);
    float mean[2 * HR_LANDMARKS_POINTS] = {0};
    copy(&from, mean, sizeof mean);
    if (!is_finite(&model->poses[0].turn, 4 * HR_LANDMARKS_POSES) || !is_finite(mean, 2 * HR_LANDMARKS_POINTS))
        from.failed = 1;
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i)
        model->mean[i] = (hr_landmarks_point){mean[2 * i], mean[2 * i + 1]};
    for (int i = 0; i < 2 && !from.failed; ++i)
        read_cascade(&from, &model->cascades[i]);
    if (from.failed || from.left > 0) {
        hr_landmarks_model_free(model);
        return HR_LANDMARKS_INVALID_WEIGHTS;
    }
    *out = model;
    return HR_LANDMARKS_OK;
}

void hr_landmarks_model_free(hr_landmarks_model *model)
{
    if (!model)
        return;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < HR_LANDMARKS_MAX_LEVELS; ++j) {
            free(model->cascades[i].levels[j].offsets);
            free(model->cascades[i].levels[j].anchors);
            free(model->cascades[i].levels[j].nodes);
        }
    free(model);
}
