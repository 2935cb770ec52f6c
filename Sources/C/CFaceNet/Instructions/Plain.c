// Kernels for any processor, which define the results of all other kernels.

#include "Layers.h"
#include "NetKernels.h"

enum { HR_PLAIN_BLOCK = 16 };

static int saturated(int value) { return value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value; }

static uint8_t larger(uint8_t a, uint8_t b) { return a > b ? a : b; }

/// The upper 16 bits of a doubled product, rounded: `value` times `factor` / 32768. No factor is -32768.
static int scale(int value, int factor) { return (value * factor + 0x4000) >> 15; }

static uint8_t clamped(int value) { return (uint8_t)(value < 0 ? 0 : value > HR_NET_MOST ? HR_NET_MOST : value); }

static void first_row(const hr_net_first *first, const uint8_t *const *rows, uint8_t *out, int width)
{
    for (int x = 0; x < width; ++x) {
        for (int n = 0; n < HR_NET_FIRST; ++n) {
            int32_t sum = first->bias[n];
            for (int row = 0; row < 9; ++row)
                for (int i = 0; i < 4; ++i)
                    sum += first->weights[(row * HR_NET_FIRST + n) * 4 + i] * rows[row][2 * x + i];
            out[x * HR_NET_FIRST + n] = clamped(scale(saturated(sum >> first->shift), first->multiplier[n]));
        }
    }
}

static void pointwise_row(const hr_net_unit *unit, const uint8_t *in, int16_t *out, int width)
{
    for (int x = 0; x < width; ++x, in += unit->inputs, out += unit->outputs) {
        for (int n = 0; n < unit->outputs; ++n) {
            int32_t sum = unit->bias[n];
            for (int k = 0; k < unit->inputs; ++k)
                sum += unit->pointwise[(k / 4 * unit->outputs + n) * 4 + k % 4] * in[k];
            out[n] = (int16_t)saturated(sum >> unit->shift);
        }
    }
}

static int depthwise_sum(const hr_net_unit *unit, const int16_t *const *rows, int x, int n, int width)
{
    const int channels = unit->outputs;
    int sum = unit->sum_bias[n];
    for (int row = 0; row < 3; ++row)
        for (int column = x > 0 ? -1 : 0; column <= (x + 1 < width); ++column)
            sum +=
                scale(rows[row][(x + column) * channels + n], unit->depthwise[(3 * row + column + 1) * channels + n]);
    return sum;
}

static void depthwise_row(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *out, int width)
{
    for (int x = 0; x < width; ++x)
        for (int n = 0; n < unit->outputs; ++n)
            out[x * unit->outputs + n] = clamped(scale(depthwise_sum(unit, rows, x, n, width), unit->multiplier[n]));
}

static void depthwise_pooled_row(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *out, int width)
{
    for (int x = 0; x < width; ++x)
        for (int n = 0; n < unit->outputs; ++n) {
            uint8_t most = 0;
            for (int i = 0; i < 4; ++i) {
                const int sum = depthwise_sum(unit, rows + i / 2, 2 * x + i % 2, n, 2 * width);
                most = larger(most, clamped(scale(sum, unit->multiplier[n])));
            }
            out[x * unit->outputs + n] = most;
        }
}

static void head_row(const hr_net_unit *unit, const int16_t *const *rows, int16_t *out, int width)
{
    for (int x = 0; x < width; ++x)
        for (int n = 0; n < unit->outputs; ++n)
            out[x * unit->outputs + n] = (int16_t)depthwise_sum(unit, rows, x, n, width);
}

static void pool_row(const uint8_t *top, const uint8_t *bottom, uint8_t *out, int width, int channels)
{
    for (int x = 0; x < width; ++x, top += 2 * channels, bottom += 2 * channels, out += channels)
        for (int n = 0; n < channels; ++n)
            out[n] = larger(larger(top[n], top[n + channels]), larger(bottom[n], bottom[n + channels]));
}

static void add_row(const hr_net_sum *sum, const uint8_t *sharp, const uint8_t *coarse, uint8_t *out, int width)
{
    for (int x = 0; x < width; ++x)
        for (int n = 0; n < HR_NET_CHANNELS; ++n) {
            const int a = scale(sharp[x * HR_NET_CHANNELS + n] << 7, sum->sharp[n]);
            const int b = scale(coarse[x / 2 * HR_NET_CHANNELS + n] << 7, sum->coarse[n]);
            out[x * HR_NET_CHANNELS + n] = clamped(saturated(saturated(a + b) + 64) >> 7);
        }
}

const hr_net_kernels hr_net_kernels_plain = {
    0, 0, first_row, pointwise_row, depthwise_row, depthwise_pooled_row, head_row, pool_row, add_row};

static int activated(int sum, const hr_activation *to, int n)
{
    const int positive = scale(sum, to->gain[n]), negative = scale(sum, to->leak[n]);
    return saturated((positive > negative ? positive : negative) + to->centre[n]);
}

/// The 16-bit sum of an output.
static int point_sum(const hr_point *point, const uint8_t *in, int n)
{
    const int block = n / HR_PLAIN_BLOCK, left = point->outputs - block * HR_PLAIN_BLOCK;
    const int outputs = left < HR_PLAIN_BLOCK ? left : HR_PLAIN_BLOCK;
    const int8_t *weights = point->weights + (size_t)(block * HR_PLAIN_BLOCK) * (size_t)point->inputs;
    int32_t sum = point->bias[n];
    for (int k = 0; k < point->inputs; ++k)
        sum += weights[(k / 4 * outputs + n % HR_PLAIN_BLOCK) * 4 + k % 4] * in[k];
    return saturated(sum >> point->shift);
}

static void layer_point(const hr_point *point, const hr_activation *to, const uint8_t *in, size_t in_pitch,
                        uint8_t *out, size_t out_pitch, int count)
{
    for (int x = 0; x < count; ++x, in += in_pitch, out += out_pitch)
        for (int n = 0; n < point->outputs; ++n)
            out[n] = clamped(activated(point_sum(point, in, n), to, n));
}

static void layer_point_short(const hr_point *point, const uint8_t *in, size_t in_pitch, int16_t *out, int16_t leak,
                              int count)
{
    for (int x = 0; x < count; ++x, in += in_pitch, out += point->outputs)
        for (int n = 0; n < point->outputs; ++n) {
            const int sum = point_sum(point, in, n), less = scale(sum, leak);
            out[n] = (int16_t)(sum > less ? sum : less);
        }
}

static void layer_widen(const int16_t *centre, const uint8_t *in, size_t in_pitch, int16_t *out, int channels,
                        int count)
{
    for (int x = 0; x < count; ++x, in += in_pitch, out += channels)
        for (int n = 0; n < channels; ++n)
            out[n] = (int16_t)(in[n] * 128 - centre[n]);
}

static void layer_window(const hr_window *window, const hr_activation *to, const int16_t *const *rows, uint8_t *out,
                         size_t out_pitch, int stride, int width)
{
    const int side = window->side, channels = window->channels;
    for (int x = 0; x < width; ++x)
        for (int n = 0; n < channels; ++n) {
            int sum = window->bias[n];
            for (int i = 0; i < side * side; ++i)
                sum = saturated(sum + scale(rows[i / side][(x * stride + i % side) * channels + n],
                                            window->weights[i * channels + n]));
            out[(size_t)x * out_pitch + (size_t)n] = clamped(activated(sum, to, n));
        }
}

static void layer_add(const hr_addition *sum, const uint8_t *a, size_t a_pitch, const uint8_t *b, size_t b_pitch,
                      uint8_t *out, size_t out_pitch, int count)
{
    for (int x = 0; x < count; ++x, a += a_pitch, b += b_pitch, out += out_pitch)
        for (int n = 0; n < sum->channels; ++n) {
            const int left = saturated(scale(a[n] << 7, sum->one[n]) + sum->constant[n]);
            out[n] = clamped(saturated(saturated(left + scale(b[n] << 7, sum->other[n])) + 64) >> 7);
        }
}

#include "ByteKernels.h"

const hr_layer_kernels hr_layer_kernels_plain = {
    HR_PLAIN_BLOCK, 0,          0, layer_point, layer_point_short, layer_widen, layer_window, layer_add, hr_layer_pool,
    hr_layer_mix,   hr_layer_up};
