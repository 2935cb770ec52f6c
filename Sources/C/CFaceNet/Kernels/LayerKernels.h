// The inner loops of the layers of Layers.h, in terms of the vectors of RowKernels.h and SumKernels.h. Included after
// both, and after definitions of
//
//   hr_load_widened(at)     128 times the values of HR_SHORTS bytes
//   hr_store_bytes(at, v)   stores lanes as bytes from 0 to 255
//   hr_broadcast(value)     a value in every 16-bit lane
//
// Activations are bytes from 0 to 255 on every processor, so they are loaded in the same way as pixels.

enum { HR_STEP = HR_SHORTS / HR_LANES, HR_AT_ONCE = HR_PIXELS_64, HR_BLOCK = HR_SUMS * HR_LANES };

/// The activations of 16-bit sums.
HR_KERNEL hr_short hr_activated(hr_short sum, const hr_activation *to, int at)
{
    const hr_short positive = hr_scale(sum, hr_load_short(to->gain + at));
    const hr_short negative = hr_scale(sum, hr_load_short(to->leak + at));
    return hr_plus_saturated(hr_most(positive, negative), hr_load_short(to->centre + at));
}

/// One block of outputs for some pixels, written to `bytes`, or as leaky sums to `shorts`.
HR_KERNEL void hr_point_block(const hr_point *point, const hr_activation *to, const uint8_t *in, size_t in_pitch,
                              uint8_t *bytes, int16_t *shorts, size_t out_pitch, hr_short leak, int from, int sums,
                              int pixels)
{
    hr_sum sum[HR_AT_ONCE][HR_SUMS];
#pragma clang loop unroll(full)
    for (int i = 0; i < sums; ++i)
#pragma clang loop unroll(full)
        for (int p = 0; p < pixels; ++p)
            sum[p][i] = hr_start(point->bias + from + i * HR_LANES);
    const int8_t *weights = point->weights + (size_t)from * (size_t)point->inputs;
    const int outputs = sums * HR_LANES;
    for (int k = 0; k < point->inputs; k += 8, weights += 8 * outputs) {
        hr_four here[HR_AT_ONCE], next[HR_AT_ONCE];
#pragma clang loop unroll(full)
        for (int p = 0; p < pixels; ++p) {
            here[p] = hr_load_pixels(in + (size_t)p * in_pitch + k);
            next[p] = hr_load_pixels(in + (size_t)p * in_pitch + k + 4);
        }
#pragma clang loop unroll(full)
        for (int i = 0; i < sums; ++i) {
            const hr_weights v = hr_load_weights(weights + 4 * i * HR_LANES);
            const hr_weights w = hr_load_weights(weights + 4 * (i * HR_LANES + outputs));
#pragma clang loop unroll(full)
            for (int p = 0; p < pixels; ++p)
                sum[p][i] = hr_dot(sum[p][i], here[p], v, next[p], w);
        }
    }
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; ++p)
#pragma clang loop unroll(full)
        for (int i = 0; i < sums; i += HR_STEP) {
            const hr_short value = hr_shifted(sum[p][i], sum[p][i + HR_STEP - 1], point->shift);
            const size_t at = (size_t)p * out_pitch + (size_t)(from + i * HR_LANES);
            if (bytes)
                hr_store_bytes(bytes + at, hr_activated(value, to, from + i * HR_LANES));
            else
                hr_store_short(shorts + at, hr_most(value, hr_scale(value, leak)));
        }
}

/// Blocks are the outer loop, so that the weights of one block stay in the first-level cache.
HR_KERNEL void hr_point_pixels(const hr_point *point, const hr_activation *to, const uint8_t *in, size_t in_pitch,
                               uint8_t *bytes, int16_t *shorts, size_t out_pitch, int16_t leak_factor, int from,
                               int sums, int count)
{
    const hr_short leak = hr_broadcast(leak_factor);
    int x = 0;
    for (; x + HR_AT_ONCE <= count; x += HR_AT_ONCE)
        hr_point_block(point, to, in + (size_t)x * in_pitch, in_pitch, bytes ? bytes + (size_t)x * out_pitch : NULL,
                       shorts ? shorts + (size_t)x * out_pitch : NULL, out_pitch, leak, from, sums, HR_AT_ONCE);
    for (; x < count; ++x)
        hr_point_block(point, to, in + (size_t)x * in_pitch, in_pitch, bytes ? bytes + (size_t)x * out_pitch : NULL,
                       shorts ? shorts + (size_t)x * out_pitch : NULL, out_pitch, leak, from, sums, 1);
}

HR_KERNEL void hr_point_blocks(const hr_point *point, const hr_activation *to, const uint8_t *in, size_t in_pitch,
                               uint8_t *bytes, int16_t *shorts, size_t out_pitch, int16_t leak, int count)
{
    int from = 0;
    for (; from + HR_BLOCK <= point->outputs; from += HR_BLOCK)
        hr_point_pixels(point, to, in, in_pitch, bytes, shorts, out_pitch, leak, from, HR_SUMS, count);
    // The last block is shorter; outputs are a multiple of 16.
    const int left = (point->outputs - from) / HR_LANES;
    if (left == 1 && HR_STEP == 1)
        hr_point_pixels(point, to, in, in_pitch, bytes, shorts, out_pitch, leak, from, 1, count);
    else if (left == 2)
        hr_point_pixels(point, to, in, in_pitch, bytes, shorts, out_pitch, leak, from, 2, count);
    else if (left == 3 && HR_STEP == 1)
        hr_point_pixels(point, to, in, in_pitch, bytes, shorts, out_pitch, leak, from, 3, count);
}

static void hr_layer_point(const hr_point *point, const hr_activation *to, const uint8_t *in, size_t in_pitch,
                           uint8_t *out, size_t out_pitch, int count)
{
    hr_point_blocks(point, to, in, in_pitch, out, NULL, out_pitch, 0, count);
}

static void hr_layer_point_short(const hr_point *point, const uint8_t *in, size_t in_pitch, int16_t *out, int16_t leak,
                                 int count)
{
    hr_point_blocks(point, NULL, in, in_pitch, NULL, out, (size_t)point->outputs, leak, count);
}

static void hr_layer_widen(const int16_t *centre, const uint8_t *in, size_t in_pitch, int16_t *out, int channels,
                           int count)
{
    for (int x = 0; x < count; ++x, in += in_pitch, out += channels)
        for (int n = 0; n < channels; n += HR_SHORTS)
            hr_store_short(out + n, hr_minus(hr_load_widened(in + n), hr_load_short(centre + n)));
}

HR_KERNEL void hr_window_pixels(const hr_window *window, const hr_activation *to, const int16_t *const *rows, int first,
                                uint8_t *out, size_t out_pitch, int side, int stride, int from, int pixels)
{
    hr_short sum[4];
    const int channels = window->channels;
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; ++p)
        sum[p] = hr_load_short(window->bias + from);
#pragma clang loop unroll(full)
    for (int row = 0; row < side; ++row) {
        const int16_t *in = rows[row] + (size_t)(first * stride * channels + from);
#pragma clang loop unroll(full)
        for (int column = 0; column < side; ++column) {
            const hr_short w = hr_load_short(window->weights + (row * side + column) * channels + from);
#pragma clang loop unroll(full)
            for (int p = 0; p < pixels; ++p)
                sum[p] = hr_plus_saturated(sum[p], hr_scale(hr_load_short(in + (p * stride + column) * channels), w));
        }
    }
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; ++p)
        hr_store_bytes(out + (size_t)(first + p) * out_pitch + from, hr_activated(sum[p], to, from));
}

HR_KERNEL void hr_window_row(const hr_window *window, const hr_activation *to, const int16_t *const *rows, uint8_t *out,
                             size_t out_pitch, int side, int stride, int width)
{
    for (int from = 0; from < window->channels; from += HR_SHORTS) {
        int x = 0;
        for (; x + 4 <= width; x += 4)
            hr_window_pixels(window, to, rows, x, out, out_pitch, side, stride, from, 4);
        for (; x < width; ++x)
            hr_window_pixels(window, to, rows, x, out, out_pitch, side, stride, from, 1);
    }
}

static void hr_layer_window(const hr_window *window, const hr_activation *to, const int16_t *const *rows, uint8_t *out,
                            size_t out_pitch, int stride, int width)
{
    if (window->side == 3)
        hr_window_row(window, to, rows, out, out_pitch, 3, stride, width);
    else
        hr_window_row(window, to, rows, out, out_pitch, 5, stride, width);
}

static void hr_layer_add(const hr_addition *sum, const uint8_t *a, size_t a_pitch, const uint8_t *b, size_t b_pitch,
                         uint8_t *out, size_t out_pitch, int count)
{
    for (int n = 0; n < sum->channels; n += HR_SHORTS) {
        const hr_short one = hr_load_short(sum->one + n), other = hr_load_short(sum->other + n);
        const hr_short constant = hr_load_short(sum->constant + n);
        for (int x = 0; x < count; ++x) {
            const hr_short left = hr_scale(hr_load_widened(a + (size_t)x * a_pitch + n), one);
            const hr_short right = hr_scale(hr_load_widened(b + (size_t)x * b_pitch + n), other);
            const hr_short both = hr_plus_saturated(hr_plus_saturated(left, constant), right);
            hr_store_bytes(out + (size_t)x * out_pitch + n, hr_rounded_byte(both));
        }
    }
}

#include "ByteKernels.h"
