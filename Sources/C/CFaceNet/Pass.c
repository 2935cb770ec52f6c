#include "Pass.h"

#include <string.h>

enum { NONE = -1 };

/// A unit's place in the network, in the order of the table of weights.
typedef struct {
    int channels;  // of its output
    int stride;    // of its output before pooling
    int pooled;    // whether only the maximum of 2 × 2 pixels is passed on
    int map;       // the map that keeps the output: first the levels of the body, then of the neck
    int next;      // the unit that receives the output
} place;

enum { BODY = 0, NECK = 11, HEADS = 14 };

static const place places[HR_NET_UNITS] = {
    {16, 2, 1, NONE, 1},     {16, 4, 0, NONE, 2},   {32, 4, 0, NONE, 3},    {32, 4, 0, NONE, 4},
    {64, 4, 1, NONE, 5},     {64, 8, 0, NONE, 6},   {64, 8, 1, 0, 7},       {64, 16, 0, NONE, 8},
    {64, 16, 1, 1, 9},       {64, 32, 0, NONE, 10}, {64, 32, 0, 2, NONE},   {64, 32, 0, 2, 16},
    {64, 16, 0, 1, 15},      {64, 8, 0, NONE, 14},  {16, 8, 0, NONE, NONE}, {16, 16, 0, NONE, NONE},
    {16, 32, 0, NONE, NONE},
};

static void *take(hr_net_memory_block *memory, size_t bytes)
{
    uint8_t *at = memory->base ? memory->base + memory->used : NULL;
    memory->used += (bytes + 63) / 64 * 64;
    return at;
}

/// Allocates a row, or `rows` rows, of `bytes` for each pixel, plus the slack that kernels may access.
static void *take_rows(hr_net_memory_block *memory, int width, int rows, size_t bytes)
{
    return take(memory, ((size_t)width * (size_t)rows + HR_NET_SLACK) * bytes);
}

static int padded(size_t side) { return (int)((side + 31) / 32 * 32); }

void hr_net_pass_begin(hr_net_pass *pass, const hr_net_model *model, size_t width, size_t height,
                       hr_net_memory_block *memory)
{
    *pass = (hr_net_pass){.model = model, .width = padded(width), .height = padded(height)};
    const size_t line = (size_t)pass->width + 4;
    for (int i = 0; i < 9; ++i)
        pass->lines[i / 3][i % 3] = take(memory, line);
    pass->blank = take(memory, line);
    pass->first = take_rows(memory, pass->width / 2, 1, HR_NET_FIRST);
    pass->pooled = take_rows(memory, pass->width / 4, 1, HR_NET_CHANNELS);
    pass->zeros = take_rows(memory, pass->width / 4, 1, HR_NET_CHANNELS * sizeof *pass->zeros);
    for (int i = 0; i < HR_NET_HEADS; ++i) {
        const int columns = pass->width >> (3 + i), rows = pass->height >> (3 + i);
        pass->maps[i] = take_rows(memory, columns, rows, HR_NET_CHANNELS);
        if (i > 0)
            pass->coarse[i] = take_rows(memory, columns, rows, HR_NET_CHANNELS);
    }
    for (int i = 0; i < HR_NET_UNITS; ++i) {
        hr_net_stage *stage = &pass->stages[i];
        const size_t channels = (size_t)places[i].channels;
        stage->width = pass->width / places[i].stride;
        stage->height = pass->height / places[i].stride;
        for (int j = 0; j < HR_NET_INNER_ROWS; ++j)
            stage->inner[j] = take_rows(memory, stage->width, 1, channels * sizeof(int16_t));
        if (i >= HEADS)
            stage->sums = take_rows(memory, stage->width, 1, channels * sizeof(int16_t));
        else if (places[i].map == NONE && !places[i].pooled)
            stage->row = take_rows(memory, stage->width, 1, channels);
    }
}

/// The place where a unit writes a row of its output.
static uint8_t *result_row(hr_net_pass *pass, int unit, int y)
{
    const hr_net_stage *stage = &pass->stages[unit];
    if (places[unit].map == NONE)
        return stage->row;
    uint8_t *const *maps = unit >= NECK ? pass->coarse : pass->maps;
    return maps[places[unit].map] + (size_t)y * (size_t)stage->width * (size_t)places[unit].channels;
}

static void push(hr_net_pass *pass, int unit, const uint8_t *row);

/// The inner values of a row; rows outside the image are black.
static const int16_t *inner_row(const hr_net_pass *pass, int unit, int y)
{
    const hr_net_stage *stage = &pass->stages[unit];
    return y < 0 || y >= stage->height ? pass->zeros : stage->inner[y % HR_NET_INNER_ROWS];
}

/// Completes rows `y` and `y` + 1 of a unit with a pooled output, and passes on the pooled row.
static void complete_pooled(hr_net_pass *pass, int unit, int y)
{
    const int16_t *const rows[4] = {inner_row(pass, unit, y - 1), inner_row(pass, unit, y),
                                    inner_row(pass, unit, y + 1), inner_row(pass, unit, y + 2)};
    pass->model->kernels->depthwise_pooled(&pass->model->units[unit], rows, pass->pooled, pass->stages[unit].width / 2);
    push(pass, places[unit].next, pass->pooled);
}

/// Completes row `y` of a unit, and passes it on.
static void complete(hr_net_pass *pass, int unit, int y)
{
    const hr_net_kernels *kernels = pass->model->kernels;
    const hr_net_unit *weights = &pass->model->units[unit];
    hr_net_stage *stage = &pass->stages[unit];
    const int16_t *const rows[3] = {inner_row(pass, unit, y - 1), inner_row(pass, unit, y),
                                    inner_row(pass, unit, y + 1)};
    if (unit >= HEADS) {
        kernels->head(weights, rows, stage->sums, stage->width);
        pass->sink.row(pass->sink.context, unit - HEADS, y, stage->sums, stage->width);
        return;
    }
    uint8_t *out = result_row(pass, unit, y);
    kernels->depthwise(weights, rows, out, stage->width);
    const int next = places[unit].next;
    if (next == NONE)
        return;
    if (!places[unit].pooled) {
        push(pass, next, out);
    } else if (y % 2 == 1) {
        kernels->pool(result_row(pass, unit, y - 1), out, pass->pooled, stage->width / 2, places[unit].channels);
        push(pass, next, pass->pooled);
    }
}

/// Passes the next row to a unit.
static void push(hr_net_pass *pass, int unit, const uint8_t *row)
{
    hr_net_stage *stage = &pass->stages[unit];
    int16_t *inner = stage->inner[stage->received % HR_NET_INNER_ROWS];
    pass->model->kernels->pointwise(&pass->model->units[unit], row, inner, stage->width);
    ++stage->received;
    if (places[unit].pooled && places[unit].map == NONE) {
        if (stage->received > 1 && stage->received % 2 == 1)
            complete_pooled(pass, unit, stage->received - 3);
        if (stage->received == stage->height)
            complete_pooled(pass, unit, stage->received - 2);
        return;
    }
    if (stage->received >= 2)
        complete(pass, unit, stage->received - 2);
    if (stage->received == stage->height)
        complete(pass, unit, stage->received - 1);
}

static void copy_line(hr_net_pass *pass, const hr_net_image *image, int y)
{
    for (int channel = 0; channel < 3; ++channel) {
        uint8_t *to = pass->lines[y % 3][channel] + 1;
        if ((size_t)y < image->height)
            memcpy(to, image->planes[channel] + (size_t)y * image->bytes_per_row[channel], image->width);
        else
            memset(to, 0, image->width);
    }
}

static void run_body(hr_net_pass *pass, const hr_net_image *image)
{
    for (int y = 0; y < pass->height; y += 2) {
        copy_line(pass, image, y);
        copy_line(pass, image, y + 1);
        const uint8_t *rows[9];
        for (int i = 0; i < 9; ++i) {
            const int at = y - 1 + i / 3;
            rows[i] = at < 0 ? pass->blank : pass->lines[at % 3][i % 3];
        }
        pass->model->kernels->first(&pass->model->first, rows, pass->first, pass->width / 2);
        push(pass, BODY, pass->first);
    }
}

static void run_neck(hr_net_pass *pass)
{
    for (int level = HR_NET_HEADS - 1; level >= 0; --level) {
        const int unit = NECK + HR_NET_HEADS - 1 - level;
        const hr_net_stage *stage = &pass->stages[unit];
        const size_t row = (size_t)stage->width * HR_NET_CHANNELS;
        for (int y = 0; y < stage->height; ++y) {
            const uint8_t *sharp = pass->maps[level] + (size_t)y * row;
            if (level == HR_NET_HEADS - 1) {
                push(pass, unit, sharp);
                continue;
            }
            pass->model->kernels->add(&pass->model->sums[HR_NET_HEADS - 2 - level], sharp,
                                      pass->coarse[level + 1] + (size_t)(y / 2) * (row / 2), pass->pooled,
                                      stage->width);
            push(pass, unit, pass->pooled);
        }
    }
}

void hr_net_pass_run(hr_net_pass *pass, const hr_net_image *image)
{
    // Lines start and end with black pixels.
    for (int i = 0; i < 9; ++i)
        memset(pass->lines[i / 3][i % 3], 0, (size_t)pass->width + 4);
    memset(pass->blank, 0, (size_t)pass->width + 4);
    memset(pass->zeros, 0, (size_t)pass->width / 4 * HR_NET_CHANNELS * sizeof *pass->zeros);
    for (int i = 0; i < HR_NET_UNITS; ++i)
        pass->stages[i].received = 0;
    run_body(pass, image);
    run_neck(pass);
}
