#include "SubjectRun.h"

#include <string.h>

enum {
    CELLS = 96,    // cells that a point layer computes at a time if its sums stay in 16 bits
    MOST_PAD = 2,  // pixels next to a row that a window reaches
    POOLED = 32,   // channels of the first layer
};

/// The colour that becomes 0 after normalisation, rounded: red, green, blue.
static const uint8_t mean[HR_COLOURS] = {124, 116, 104};

static void *take(hr_subject_memory *memory, size_t bytes)
{
    void *at = memory->base ? memory->base + memory->used : NULL;
    memory->used += (bytes + 63) / 64 * 64;
    return at;
}

static int padded(size_t side) { return (int)((side + 31) / 32 * 32); }

static int halved(int side) { return (side + 1) / 2; }

static int rounded(int channels) { return (channels + 15) / 16 * 16; }

static int larger(int a, int b) { return a > b ? a : b; }

static void set_size(hr_subject_run *run, const hr_view *view, int width, int height)
{
    run->widths[view->tensor] = width;
    run->heights[view->tensor] = height;
}

/// Computes the sides of a layer's output; the sides of its source must be known.
static void measure(hr_subject_run *run, const hr_layer *layer)
{
    int width = run->widths[layer->in.tensor], height = run->heights[layer->in.tensor];
    if (layer->kind == HR_LAYER_FIRST) {
        width = run->width / 4;
        height = run->height / 4;
    } else if (layer->kind == HR_LAYER_UP) {
        width *= 2;
        height *= 2;
    } else if (layer->stride == 2) {
        width = halved(width);
        height = halved(height);
    }
    if (layer->kind == HR_LAYER_HEAD)
        return;
    set_size(run, &layer->out, width, height);
    if (layer->kind == HR_LAYER_MIX)
        set_size(run, &layer->rest, width, height);
}

void hr_subject_run_begin(hr_subject_run *run, const hr_subjects_model *model, size_t width, size_t height,
                          hr_subject_memory *memory)
{
    *run = (hr_subject_run){.model = model, .width = padded(width), .height = padded(height)};
    run->left = (run->width - (int)width) / 2;
    run->top = (run->height - (int)height) / 2;
    const size_t line = (size_t)run->width + 8;
    for (int i = 0; i < 9; ++i)
        run->lines[i / 3][i % 3] = take(memory, line);
    for (int i = 0; i < HR_COLOURS; ++i)
        run->margin[i] = take(memory, line);
    run->windows = take(memory, (size_t)(run->width / 2) * HR_WINDOW_BYTES + HR_LAYER_SLACK);
    for (int i = 0; i < 3; ++i)
        run->conv[i] = take(memory, (size_t)(run->width / 2 + 1) * POOLED + HR_LAYER_SLACK);
    run->black = take(memory, (size_t)(run->width / 2 + 1) * POOLED + HR_LAYER_SLACK);

    size_t bytes[HR_TENSORS] = {0}, row = 0, sums = 0;
    for (int i = 0; i < HR_LAYERS; ++i) {
        const hr_layer *layer = &hr_subject_layers[i];
        measure(run, layer);
        const int source_width = run->widths[layer->in.tensor];
        if (layer->side > 0) {
            const size_t values = (size_t)((source_width + 2 * MOST_PAD) * rounded(layer->out.count));
            row = values > row ? values : row;
        }
        if (layer->kind == HR_LAYER_UNIT || layer->kind == HR_LAYER_HEAD) {
            const int outputs = layer->kind == HR_LAYER_HEAD ? HR_OUTPUTS : rounded(layer->out.count);
            const size_t values = (size_t)(larger(CELLS, source_width) * outputs);
            sums = values > sums ? values : sums;
        }
        const hr_view *views[] = {&layer->out, &layer->rest};
        for (int j = 0; j < 2; ++j) {
            const int tensor = views[j]->tensor;
            const size_t size = (size_t)(run->widths[tensor] * run->heights[tensor]) * views[j]->pitch;
            bytes[tensor] = size > bytes[tensor] ? size : bytes[tensor];
        }
    }
    run->sums = take(memory, sums * sizeof *run->sums + HR_LAYER_SLACK);
    for (int i = 0; i < 5; ++i)
        run->ring[i] = take(memory, row * sizeof *run->sums + HR_LAYER_SLACK);
    run->zeros = take(memory, row * sizeof *run->sums + HR_LAYER_SLACK);
    for (int i = 0; i < HR_TENSORS; ++i)
        run->tensors[i] = take(memory, bytes[i] + HR_LAYER_SLACK);
}

static uint8_t *at(const hr_subject_run *run, const hr_view *view) { return run->tensors[view->tensor] + view->start; }

/// A row of a tensor.
static uint8_t *row_at(const hr_subject_run *run, const hr_view *view, int y)
{
    return at(run, view) + (size_t)(y * run->widths[view->tensor]) * view->pitch;
}

static int cells(const hr_subject_run *run, const hr_view *view)
{
    return run->widths[view->tensor] * run->heights[view->tensor];
}

// The first layer

static void copy_line(hr_subject_run *run, const hr_net_image *image, int y)
{
    const int inside = y - run->top;
    for (int i = 0; i < HR_COLOURS; ++i) {
        uint8_t *to = run->lines[y % 3][i];
        memcpy(to, run->margin[i], (size_t)run->width + 8);
        if (inside >= 0 && (size_t)inside < image->height)
            memcpy(to + 1 + run->left, image->planes[i] + (size_t)inside * image->bytes_per_row[i], image->width);
    }
}

/// 3 × 3 pixels of three colours around every second pixel of three lines: row, colour, column.
static void gather(const uint8_t *const *lines, uint8_t *out, int width)
{
    for (int x = 0; x < width; ++x, out += HR_WINDOW_BYTES)
        for (int i = 0; i < 9; ++i)
            memcpy(out + 3 * i, lines[i] + 2 * x, 4);
}

static void run_first(hr_subject_run *run, const hr_layer *layer, const hr_layer_weights *weights,
                      const hr_net_image *image)
{
    const hr_layer_kernels *kernels = run->model->kernels;
    const int width = run->width / 2, height = run->height / 2;
    for (int i = 0; i < HR_COLOURS; ++i)
        memset(run->margin[i], mean[i], (size_t)run->width + 8);
    memset(run->black, 0, (size_t)(width + 1) * POOLED);
    for (int i = 0; i < 3; ++i)
        memset(run->conv[i], 0, POOLED);
    for (int y = 0; y < height; ++y) {
        copy_line(run, image, 2 * y);
        copy_line(run, image, 2 * y + 1);
        const uint8_t *lines[9];
        for (int i = 0; i < 9; ++i) {
            const int from = 2 * y - 1 + i / 3;
            lines[i] = from < 0 ? run->margin[i % 3] : run->lines[from % 3][i % 3];
        }
        gather(lines, run->windows, width);
        kernels->point(&weights->point, &weights->activation, run->windows, HR_WINDOW_BYTES, run->conv[y % 3] + POOLED,
                       POOLED, width);
        if (y % 2 == 1) {
            const uint8_t *const rows[3] = {y > 1 ? run->conv[(y - 2) % 3] : run->black, run->conv[(y - 1) % 3],
                                            run->conv[y % 3]};
            kernels->pool(rows, row_at(run, &layer->out, y / 2), POOLED, width / 2);
        }
    }
}

// Windows

/// The source of the values in a window's rows.
typedef struct {
    const hr_layer *layer;
    const hr_layer_weights *weights;
    int channels, pad, width, height;
    int first, count;  // rows of `sums`
} hr_rows;

/// Computes row `y` of the values, between its margins.
static void fill_row(hr_subject_run *run, hr_rows *rows, int y)
{
    const hr_layer_kernels *kernels = run->model->kernels;
    const hr_view *in = &rows->layer->in;
    int16_t *to = run->ring[y % 5] + rows->pad * rows->channels;
    if (rows->layer->kind == HR_LAYER_DEPTH) {
        kernels->widen(rows->weights->centre, row_at(run, in, y), in->pitch, to, rows->channels, rows->width);
        return;
    }
    const size_t row = (size_t)(rows->width * rows->channels);
    if (y >= rows->first + rows->count) {
        const int most = larger(1, CELLS / rows->width), left = rows->height - y;
        rows->first = y;
        rows->count = left < most ? left : most;
        kernels->point_short(&rows->weights->point, row_at(run, in, y), in->pitch, run->sums, HR_LEAK,
                             rows->count * rows->width);
    }
    memcpy(to, run->sums + (size_t)(y - rows->first) * row, row * sizeof *to);
}

static void run_window(hr_subject_run *run, const hr_layer *layer, const hr_layer_weights *weights)
{
    hr_rows rows = {.layer = layer, .weights = weights, .channels = weights->window.channels, .pad = layer->side / 2};
    rows.width = run->widths[layer->in.tensor];
    rows.height = run->heights[layer->in.tensor];
    const size_t margin = (size_t)(rows.pad * rows.channels), inside = (size_t)(rows.width * rows.channels);
    for (int i = 0; i < 5; ++i) {
        memset(run->ring[i], 0, margin * sizeof(int16_t));
        memset(run->ring[i] + margin + inside, 0, margin * sizeof(int16_t));
    }
    memset(run->zeros, 0, (2 * margin + inside) * sizeof(int16_t));
    int filled = 0;
    for (int y = 0; y < run->heights[layer->out.tensor]; ++y) {
        const int16_t *seen[5];
        for (int i = 0; i < layer->side; ++i) {
            const int from = y * layer->stride + i - rows.pad;
            const int is_inside = from >= 0 && from < rows.height;
            while (is_inside && filled <= from)
                fill_row(run, &rows, filled++);
            seen[i] = is_inside ? run->ring[from % 5] : run->zeros;
        }
        run->model->kernels->window(&weights->window, &weights->activation, seen, row_at(run, &layer->out, y),
                                    layer->out.pitch, layer->stride, run->widths[layer->out.tensor]);
    }
}

// The other layers

static void run_mix(hr_subject_run *run, const hr_layer *layer)
{
    const hr_layer_kernels *kernels = run->model->kernels;
    const uint8_t *a = at(run, &layer->in), *b = at(run, &layer->other);
    const size_t pitch = layer->in.pitch;
    const int count = cells(run, &layer->in);
    if (layer->kind == HR_LAYER_JOIN) {
        kernels->mix(a, b, pitch, at(run, &layer->out), layer->out.pitch, layer->in.count, count);
        return;
    }
    const int half = layer->in.count / 2;
    kernels->mix(a, b, pitch, at(run, &layer->out), layer->out.pitch, half, count);
    kernels->mix(a + half, b + half, pitch, at(run, &layer->rest), layer->rest.pitch, half, count);
}

static void run_up(hr_subject_run *run, const hr_layer *layer)
{
    const int width = run->widths[layer->in.tensor], height = run->heights[layer->in.tensor];
    for (int y = 0; y < 2 * height; ++y) {
        const int near = y / 2, beside = y % 2 ? near + 1 : near - 1;
        const int far = beside < 0 || beside >= height ? near : beside;
        run->model->kernels->up(row_at(run, &layer->in, near), row_at(run, &layer->in, far), layer->in.pitch,
                                row_at(run, &layer->out, y), layer->out.pitch, layer->in.count, width);
    }
}

static void run_head(hr_subject_run *run, const hr_layer *layer, const hr_layer_weights *weights, int head)
{
    const int count = cells(run, &layer->in), width = run->widths[layer->in.tensor];
    for (int first = 0; first < count; first += CELLS) {
        const int some = count - first < CELLS ? count - first : CELLS;
        run->model->kernels->point_short(&weights->point, at(run, &layer->in) + (size_t)first * layer->in.pitch,
                                         layer->in.pitch, run->sums, HR_LINEAR, some);
        run->sink.cells(run->sink.context, head, first, width, run->sums, weights->unit, some);
    }
}

void hr_subject_evaluate(hr_subject_run *run, const hr_net_image *image)
{
    const hr_layer_kernels *kernels = run->model->kernels;
    int head = 0;
    for (int i = 0; i < HR_LAYERS; ++i) {
        const hr_layer *layer = &hr_subject_layers[i];
        const hr_layer_weights *weights = &run->model->layers[i];
        measure(run, layer);
        switch (layer->kind) {
        case HR_LAYER_FIRST:
            run_first(run, layer, weights, image);
            break;
        case HR_LAYER_POINT:
            kernels->point(&weights->point, &weights->activation, at(run, &layer->in), layer->in.pitch,
                           at(run, &layer->out), layer->out.pitch, cells(run, &layer->in));
            break;
        case HR_LAYER_DEPTH:
        case HR_LAYER_UNIT:
            run_window(run, layer, weights);
            break;
        case HR_LAYER_MIX:
        case HR_LAYER_JOIN:
            run_mix(run, layer);
            break;
        case HR_LAYER_UP:
            run_up(run, layer);
            break;
        case HR_LAYER_ADD:
            kernels->add(&weights->addition, at(run, &layer->in), layer->in.pitch, at(run, &layer->other),
                         layer->other.pitch, at(run, &layer->out), layer->out.pitch, cells(run, &layer->in));
            break;
        case HR_LAYER_HEAD:
            run_head(run, layer, weights, head++);
            break;
        }
    }
}
