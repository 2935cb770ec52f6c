#include "Weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the table is little-endian");

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

/// Copies numbers from -most to most.
static void copy(reader *from, float *to, size_t count, float most)
{
    const uint8_t *bytes = take(from, count * sizeof *to);
    if (!bytes)
        return;
    memcpy(to, bytes, count * sizeof *to);
    for (size_t i = 0; i < count; ++i)
        if (!(fabsf(to[i]) <= most))
            from->failed = 1;
}

static void read_stage(reader *from, hr_stage *stage, int is_near)
{
    copy(from, &stage->size, 1, 1);
    copy(from, stage->start, HR_LANDMARKS_VALUES, HR_LANDMARKS_PATCH);
    // Ensures that no stage moves a point further than 64-bit positions can hold.
    copy(from, &stage->unit, 1, 0.1F);
    stage->weights = (const int8_t *)take(from, HR_LANDMARKS_FEATURES * HR_LANDMARKS_VALUES);
    if (!(stage->size > 0.01F))
        from->failed = 1;
    if (is_near)
        copy(from, &stage->rough[0][0], HR_LANDMARKS_ROUGH_VALUES * HR_LANDMARKS_VALUES, 10 * HR_LANDMARKS_PATCH);
}

hr_landmarks_status hr_landmarks_model_make(const uint8_t *bytes, size_t count, hr_landmarks_model **out)
{
    *out = NULL;
    hr_landmarks_model *model = calloc(1, sizeof *model);
    if (!model)
        return HR_LANDMARKS_OUT_OF_MEMORY;
    reader from = {bytes, count, 0};
    const uint8_t *mark = take(&from, 8);
    model->is_near = mark && memcmp(mark, "HRLN\1\0\0\0", 8) == 0;
    if (!mark || (!model->is_near && memcmp(mark, "HRLM\2\0\0\0", 8) != 0))
        from.failed = 1;
    if (model->is_near)
        copy(&from, &model->leads[0][0], HR_LANDMARKS_LEADS * HR_LANDMARKS_VALUES, 100);
    else
        copy(&from, &model->poses[0][0].x, HR_LANDMARKS_POSES * HR_LANDMARKS_VALUES, 10);
    copy(&from, &model->mean[0].x, HR_LANDMARKS_VALUES, 10);
    for (int i = 0; i < HR_LANDMARKS_STAGES; ++i)
        read_stage(&from, &model->stages[i], model->is_near);
    if (from.failed || from.left > 0) {
        hr_landmarks_model_free(model);
        return HR_LANDMARKS_INVALID_WEIGHTS;
    }
    *out = model;
    return HR_LANDMARKS_OK;
}

void hr_landmarks_model_free(hr_landmarks_model *model) { free(model); }
