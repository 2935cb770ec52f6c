#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "SubjectLayers.h"
#include "Table.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the table is little-endian");

enum { SHARED = 128 };  // 255 times this fits 16 bits: the maximum sum of two weights whose products share a sum

#ifdef HR_SUBJECTS
static const uint8_t table[] = {
#embed "../subjects.dat"
};
static const size_t table_bytes = sizeof table;
#else
// No weights, which hr_subjects_model_make() rejects.
static const uint8_t table[1];
static const size_t table_bytes = 0;
#endif

const uint8_t *hr_subjects_weights(size_t *count)
{
    *count = table_bytes;
    return table;
}

static int inputs_of(const hr_layer *layer)
{
    return layer->kind == HR_LAYER_FIRST ? 3 * 3 * HR_COLOURS : layer->in.count;
}

static int outputs_of(const hr_layer *layer) { return layer->kind == HR_LAYER_HEAD ? HR_OUTPUTS : layer->out.count; }

static int padded(int count, int to) { return (count + to - 1) / to * to; }

static int has_point(const hr_layer *layer)
{
    return layer->kind == HR_LAYER_FIRST || layer->kind == HR_LAYER_POINT || layer->kind == HR_LAYER_UNIT ||
           layer->kind == HR_LAYER_HEAD;
}

static int has_window(const hr_layer *layer) { return layer->kind == HR_LAYER_DEPTH || layer->kind == HR_LAYER_UNIT; }

/// An upper bound of the memory for the layer's arrays in hr_table_room().
static size_t bytes_of(const hr_layer *layer)
{
    const size_t inputs = (size_t)padded(inputs_of(layer), 8), outputs = (size_t)padded(outputs_of(layer), 16);
    const size_t gaps = 12 * 64, channels = outputs * sizeof(int16_t);
    size_t bytes = gaps + 4 * channels + outputs * sizeof(float);
    if (has_point(layer))
        bytes += inputs * outputs + outputs * sizeof(int32_t);
    if (has_window(layer))
        bytes += (size_t)(layer->side * layer->side + 2) * channels;
    return bytes;
}

/// Takes 16-bit factors of `count` channels, and pads them with 0 to a multiple of 16.
static int16_t *take_factors(hr_table *from, int count)
{
    int16_t *to = hr_table_room(from, (size_t)padded(count, 16) * sizeof *to);
    hr_table_factors(from, to, count);
    return to;
}

/// Takes bytes of `count` channels as 16 bits, multiplied by `factor`.
static int16_t *take_bytes(hr_table *from, int count, int factor)
{
    uint8_t bytes[HR_MOST_CHANNELS];
    hr_table_take(from, bytes, (size_t)count);
    int16_t *to = hr_table_room(from, (size_t)padded(count, 16) * sizeof *to);
    for (int i = 0; i < count; ++i)
        to[i] = (int16_t)(bytes[i] * factor);
    return to;
}

/// Takes two numbers, which must be equal to the numbers in the list of layers.
static void take_sides(hr_table *from, int first, int second)
{
    uint16_t sides[2];
    hr_table_take(from, sides, sizeof sides);
    hr_table_require(from, sides[0] == first && sides[1] == second);
}

static void take_point(hr_table *from, hr_point *point, int inputs, int outputs, const hr_layer_kernels *kernels)
{
    take_sides(from, inputs, outputs);
    point->inputs = padded(inputs, 8);
    point->outputs = padded(outputs, 16);
    point->shift = hr_table_shift(from);
    point->weights = hr_table_room(from, (size_t)point->inputs * (size_t)point->outputs);
    point->bias = hr_table_room(from, (size_t)point->outputs * sizeof *point->bias);
    int32_t sums[HR_MOST_OUTPUTS];
    for (int n = 0; n < outputs; ++n) {
        int8_t weights[HR_MOST_CHANNELS + 1] = {0};
        hr_table_take(from, weights, (size_t)inputs);
        const int first = n / kernels->block * kernels->block, left = point->outputs - first;
        const int block = left < kernels->block ? left : kernels->block;
        int8_t *to = point->weights + (size_t)first * (size_t)point->inputs;
        const int at = hr_table_place(n - first, block, kernels->lanes);
        sums[n] = 0;
        for (int k = 0; k < inputs; k += 2)
            hr_table_require(from, abs(weights[k]) + abs(weights[k + 1]) <= SHARED && weights[k] > INT8_MIN &&
                                       weights[k + 1] > INT8_MIN);
        for (int k = 0; k < inputs; ++k) {
            to[(k / 4 * block + at) * 4 + k % 4] = weights[k];
            sums[n] += weights[k];
        }
    }
    int32_t bias[HR_MOST_OUTPUTS];
    hr_table_bias(from, bias, outputs, point->shift);
    for (int n = 0; n < outputs; ++n) {
        const int first = n / kernels->block * kernels->block, left = point->outputs - first;
        const int at = hr_table_place(n - first, left < kernels->block ? left : kernels->block, kernels->lanes);
        point->bias[first + at] = bias[n] + kernels->centre * sums[n];
    }
}

static void take_window(hr_table *from, hr_window *window, int channels, int side)
{
    int16_t weights[HR_MOST_OUTPUTS * 25];
    const int taps = side * side;
    window->channels = padded(channels, 16);
    window->side = side;
    hr_table_factors(from, weights, channels * taps);
    window->weights = hr_table_room(from, (size_t)(taps * window->channels) * sizeof *weights);
    for (int n = 0; n < channels; ++n)
        for (int i = 0; i < taps; ++i)
            window->weights[i * window->channels + n] = weights[taps * n + i];
    window->bias = take_factors(from, channels);
}

static void take_activation(hr_table *from, hr_activation *to, int channels)
{
    to->gain = take_factors(from, channels);
    to->leak = take_factors(from, channels);
    to->centre = take_bytes(from, channels, 1);
}

static void take_addition(hr_table *from, hr_addition *to, int channels)
{
    uint16_t count;
    hr_table_take(from, &count, sizeof count);
    hr_table_require(from, count == channels);
    to->channels = channels;
    to->one = take_factors(from, channels);
    to->other = take_factors(from, channels);
    to->constant = take_factors(from, channels);
}

static void take_layer(hr_table *from, const hr_layer *layer, hr_layer_weights *to, const hr_layer_kernels *kernels)
{
    const int outputs = outputs_of(layer);
    if (has_point(layer))
        take_point(from, &to->point, inputs_of(layer), outputs, kernels);
    if (layer->kind == HR_LAYER_DEPTH) {
        take_sides(from, outputs, layer->side);
        to->centre = take_bytes(from, outputs, 128);
    }
    if (has_window(layer))
        take_window(from, &to->window, outputs, layer->side);
    if (layer->kind == HR_LAYER_HEAD) {
        to->unit = hr_table_room(from, (size_t)outputs * sizeof *to->unit);
        hr_table_take(from, to->unit, (size_t)outputs * sizeof *to->unit);
        // Ensures that logits are within the range of a float.
        for (int i = 0; i < outputs; ++i)
            hr_table_require(from, fabsf(to->unit[i]) < 0.1F);
    } else if (has_point(layer) || has_window(layer)) {
        take_activation(from, &to->activation, outputs);
    } else if (layer->kind == HR_LAYER_ADD) {
        take_addition(from, &to->addition, outputs);
    }
}

hr_net_status hr_subjects_model_make(const uint8_t *bytes, size_t count, hr_hog_instructions instructions,
                                     hr_subjects_model **out)
{
    *out = NULL;
    if (!hr_hog_supports(instructions))
        return HR_NET_UNSUPPORTED;
    size_t size = 0;
    for (int i = 0; i < HR_LAYERS; ++i)
        size += bytes_of(&hr_subject_layers[i]);
    size = (size + 63) / 64 * 64;
    hr_subjects_model *model = calloc(1, sizeof *model);
    void *memory = aligned_alloc(64, size);
    if (!model || !memory) {
        free(model);
        free(memory);
        return HR_NET_OUT_OF_MEMORY;
    }
    model->memory = memory;
    memset(memory, 0, size);
    model->kernels = hr_layer_kernels_for(instructions);

    hr_table from = {bytes, count, 0, memory};
    uint8_t mark[8];
    hr_table_take(&from, mark, sizeof mark);
    hr_table_require(&from, memcmp(mark, "HRSN\1\0\0\0", 8) == 0);
    for (int i = 0; i < HR_LAYERS && !from.failed; ++i)
        take_layer(&from, &hr_subject_layers[i], &model->layers[i], model->kernels);
    if (from.failed || from.left > 0) {
        hr_subjects_model_free(model);
        return HR_NET_INVALID_WEIGHTS;
    }
    *out = model;
    return HR_NET_OK;
}

void hr_subjects_model_free(hr_subjects_model *model)
{
    if (!model)
        return;
    free(model->memory);
    free(model);
}
