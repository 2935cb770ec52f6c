#include "Weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "NetKernels.h"
#include "Table.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the table is little-endian");

#ifdef HR_YUNET
static const uint8_t table[] = {
#embed "facenet.dat"
};
static const size_t table_bytes = sizeof table;
#else
// No weights, which hr_net_model_make() rejects.
static const uint8_t table[1];
static const size_t table_bytes = 0;
#endif

const uint8_t *hr_net_weights(size_t *count)
{
    *count = table_bytes;
    return table;
}

static void read_first(hr_table *from, hr_net_first *first, const hr_net_kernels *kernels)
{
    int8_t weights[HR_NET_FIRST][9][3];
    hr_table_take(from, weights, sizeof weights);
    int32_t bias[HR_NET_FIRST];
    hr_table_bias(from, bias, HR_NET_FIRST, 0);
    first->shift = hr_table_shift(from);
    first->weights = hr_table_room(from, 9 * HR_NET_FIRST * 4);
    for (int n = 0; n < HR_NET_FIRST; ++n) {
        const int to = hr_table_place(n, HR_NET_FIRST, kernels->lanes);
        first->bias[to] = bias[n] + ((1 << first->shift) >> 1);
        for (int row = 0; row < 9; ++row) {
            const int8_t *w = weights[n][row];
            hr_table_require(from, abs(w[0]) + abs(w[1]) <= HR_NET_SHARED && w[0] > INT8_MIN && w[1] > INT8_MIN &&
                                       w[2] > INT8_MIN);
            first->bias[to] += kernels->centre * (w[0] + w[1] + w[2]);
            memcpy(first->weights + (row * HR_NET_FIRST + to) * 4, w, 3);
        }
    }
    hr_table_factors(from, first->multiplier, HR_NET_FIRST);
}

static void read_pointwise(hr_table *from, hr_net_unit *unit, const hr_net_kernels *kernels)
{
    const int outputs = unit->outputs, inputs = unit->inputs;
    int8_t weights[HR_NET_CHANNELS][HR_NET_CHANNELS];
    for (int n = 0; n < outputs; ++n)
        hr_table_take(from, weights[n], (size_t)inputs);
    unit->pointwise = hr_table_room(from, (size_t)(inputs * outputs));
    for (int n = 0; n < outputs; ++n) {
        const int8_t *w = weights[n];
        for (int k = 0; k < inputs; k += 2)
            hr_table_require(from,
                             abs(w[k]) + abs(w[k + 1]) <= HR_NET_SHARED && w[k] > INT8_MIN && w[k + 1] > INT8_MIN);
        for (int k = 0; k < inputs; ++k)
            unit->pointwise[(k / 4 * outputs + hr_table_place(n, outputs, kernels->lanes)) * 4 + k % 4] = w[k];
    }
    int32_t bias[HR_NET_CHANNELS];
    hr_table_bias(from, bias, outputs, unit->shift);
    unit->bias = hr_table_room(from, (size_t)outputs * sizeof *unit->bias);
    for (int n = 0; n < outputs; ++n) {
        int sum = 0;
        for (int k = 0; k < inputs; ++k)
            sum += weights[n][k];
        unit->bias[hr_table_place(n, outputs, kernels->lanes)] = bias[n] + kernels->centre * sum;
    }
}

static void read_depthwise(hr_table *from, hr_net_unit *unit)
{
    const int outputs = unit->outputs;
    int16_t weights[HR_NET_CHANNELS * 9];
    hr_table_factors(from, weights, outputs * 9);
    unit->depthwise = hr_table_room(from, (size_t)(9 * outputs) * sizeof *weights);
    unit->sum_bias = hr_table_room(from, (size_t)outputs * sizeof *weights);
    hr_table_factors(from, unit->sum_bias, outputs);
    for (int n = 0; n < outputs; ++n) {
        int most = abs(unit->sum_bias[n]) + 9;
        for (int i = 0; i < 9; ++i) {
            most += abs(weights[9 * n + i]);
            unit->depthwise[i * outputs + n] = weights[9 * n + i];
        }
        hr_table_require(from, most <= INT16_MAX);
    }
}

static int is_width(int channels) { return channels == 16 || channels == 32 || channels == 64; }

static void read_unit(hr_table *from, hr_net_unit *unit, const hr_net_kernels *kernels, int is_head)
{
    uint16_t sides[2];
    hr_table_take(from, sides, sizeof sides);
    if (!is_width(sides[0]) || !is_width(sides[1])) {
        from->failed = 1;
        return;
    }
    unit->inputs = sides[0];
    unit->outputs = sides[1];
    unit->shift = hr_table_shift(from);
    read_pointwise(from, unit, kernels);
    read_depthwise(from, unit);
    const size_t count = (size_t)unit->outputs;
    if (is_head) {
        unit->unit = hr_table_room(from, count * sizeof *unit->unit);
        hr_table_take(from, unit->unit, count * sizeof *unit->unit);
        // Ensures that offsets and logarithms are within the range of a float.
        for (size_t i = 0; i < count; ++i)
            hr_table_require(from, fabsf(unit->unit[i]) < 0.1F);
    } else {
        unit->multiplier = hr_table_room(from, count * sizeof *unit->multiplier);
        hr_table_factors(from, unit->multiplier, unit->outputs);
        for (size_t i = 0; i < count; ++i)
            hr_table_require(from, unit->multiplier[i] >= 0);
    }
}

/// Whether the inputs of each unit equal the outputs of the previous unit.
static int is_connected(const hr_net_unit *units)
{
    int channels = HR_NET_FIRST;
    for (int i = 0; i < HR_NET_UNITS; ++i) {
        const int behind_body = i >= HR_NET_UNITS - 2 * HR_NET_HEADS;
        if (units[i].inputs != (behind_body ? HR_NET_CHANNELS : channels))
            return 0;
        channels = units[i].outputs;
        const int wanted = i >= HR_NET_UNITS - HR_NET_HEADS ? 16 : i >= 6 ? HR_NET_CHANNELS : channels;
        if (channels != wanted)
            return 0;
    }
    return 1;
}

hr_net_status hr_net_model_make(const uint8_t *bytes, size_t count, hr_hog_instructions instructions,
                                hr_net_model **out)
{
    *out = NULL;
    if (!hr_hog_supports(instructions))
        return HR_NET_UNSUPPORTED;
    enum { MOST_BYTES_OF_A_UNIT = 64 * 64 + 64 * (4 + 9 * 2 + 2 + 4) };
    const size_t size = 1024 + (size_t)HR_NET_UNITS * MOST_BYTES_OF_A_UNIT;
    hr_net_model *model = calloc(1, sizeof *model);
    void *memory = aligned_alloc(64, size);
    if (!model || !memory) {
        free(model);
        free(memory);
        return HR_NET_OUT_OF_MEMORY;
    }
    model->memory = memory;
    memset(memory, 0, size);
    model->kernels = hr_net_kernels_for(instructions);

    hr_table from = {bytes, count, 0, memory};
    uint8_t mark[8];
    hr_table_take(&from, mark, sizeof mark);
    hr_table_require(&from, memcmp(mark, "HRFN\1\0\0\0", 8) == 0);
    read_first(&from, &model->first, model->kernels);
    for (int i = 0; i < HR_NET_UNITS && !from.failed; ++i) {
        const int sum = i - (HR_NET_UNITS - HR_NET_HEADS - HR_NET_SUMS);
        if (sum >= 0 && sum < HR_NET_SUMS) {
            hr_table_factors(&from, model->sums[sum].sharp, HR_NET_CHANNELS);
            hr_table_factors(&from, model->sums[sum].coarse, HR_NET_CHANNELS);
        }
        read_unit(&from, &model->units[i], model->kernels, i >= HR_NET_UNITS - HR_NET_HEADS);
    }
    if (from.failed || from.left > 0 || !is_connected(model->units)) {
        hr_net_model_free(model);
        return HR_NET_INVALID_WEIGHTS;
    }
    *out = model;
    return HR_NET_OK;
}

void hr_net_model_free(hr_net_model *model)
{
    if (!model)
        return;
    free(model->memory);
    free(model);
}
