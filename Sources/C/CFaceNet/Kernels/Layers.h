#pragma once
// The layers of the networks, in integer arithmetic, and their inner loops. An activation is a byte. Each channel has a
// step and a centre, which is the byte for the value 0. The weights of the next layer include both, so they appear
// nowhere else. With scale() for a product's upper 16 bits, rounded (hr_scale in RowKernels.h), and saturation to 16
// bits:
//
//   point      sum = saturate((bias + the weights' products with activations) >> shift)
//   window     sum = bias + scale(value, weight) of 3 × 3 or 5 × 5 values, row by row, saturated after each addition;
//              values are of 16 bits: (activation - centre) * 128, or the leaky sums of a point layer
//   activation clamp(max(scale(sum, gain), scale(sum, leak)) + centre)
//   leaky      max(sum, scale(sum, HR_LEAK))
//   addition   clamp((scale(128 * one, factor) + constant + scale(128 * other, factor) + 64) >> 7)
//   up         (9 * nearest + 3 * beside + 3 * above or below + diagonal + 8) >> 4
//
// All kernels give equal results to the last bit.

#include <stddef.h>
#include <stdint.h>

#include "CHOGDetector.h"

enum {
    HR_LEAK = 3277,       // a tenth of 32768
    HR_LINEAR = 32767,    // keeps sums above 0 and, as the larger value, sums below 0
    HR_LAYER_SLACK = 64,  // bytes after a tensor that kernels may access
};

/// A pointwise convolution.
typedef struct {
    int inputs, outputs;  // channels; padded to multiples of 8 and of 16 with weights of 0
    int shift;
    int8_t *weights;  // [block of outputs][input / 4][output, in the order of the kernels][4]
    int32_t *bias;    // [output, in the same order], including half of the unit that the shift removes
} hr_point;

/// The conversion of 16-bit sums to activations, by channel.
typedef struct {
    int16_t *gain, *leak, *centre;
} hr_activation;

/// A depthwise convolution.
typedef struct {
    int channels;      // a multiple of 16
    int side;          // 3 or 5
    int16_t *weights;  // [row][column][channel]
    int16_t *bias;
} hr_window;

typedef struct {
    int channels;
    int16_t *one, *other, *constant;
} hr_addition;

/// Pixels are `pitch` bytes apart.
typedef struct hr_layer_kernels {
    int block;   // outputs whose weights are adjacent
    int lanes;   // lanes of an accumulator; two accumulators interleave their quarters; 0 keeps the order
    int centre;  // 0, or 128 if the bias is for activations minus 128

    void (*point)(const hr_point *point, const hr_activation *to, const uint8_t *in, size_t in_pitch, uint8_t *out,
                  size_t out_pitch, int count);

    /// Leaky sums of 16 bits; `out` is [count][outputs].
    void (*point_short)(const hr_point *point, const uint8_t *in, size_t in_pitch, int16_t *out, int16_t leak,
                        int count);

    /// 128 times the activations, less `centre`; `out` is [count][channels].
    void (*widen)(const int16_t *centre, const uint8_t *in, size_t in_pitch, int16_t *out, int channels, int count);

    /// A row; `rows` are [width + side - 1][channels], starting half a side left of the first pixel.
    void (*window)(const hr_window *window, const hr_activation *to, const int16_t *const *rows, uint8_t *out,
                   size_t out_pitch, int stride, int width);

    void (*add)(const hr_addition *sum, const uint8_t *a, size_t a_pitch, const uint8_t *b, size_t b_pitch,
                uint8_t *out, size_t out_pitch, int count);

    /// The maximum of 3 × 3 pixels at every second pixel.
    void (*pool)(const uint8_t *const *rows, uint8_t *out, int channels, int width);

    /// Alternates channels of a and of b, `half` of each.
    void (*mix)(const uint8_t *restrict a, const uint8_t *restrict b, size_t pitch, uint8_t *restrict out,
                size_t out_pitch, int half, int count);

    /// A row with twice the pixels.
    void (*up)(const uint8_t *restrict near, const uint8_t *restrict far, size_t pitch, uint8_t *restrict out,
               size_t out_pitch, int channels, int width);
} hr_layer_kernels;

const hr_layer_kernels *hr_layer_kernels_for(hr_hog_instructions instructions);

extern const hr_layer_kernels hr_layer_kernels_plain;
#if defined(__x86_64__)
extern const hr_layer_kernels hr_layer_kernels_sse4;
extern const hr_layer_kernels hr_layer_kernels_avx2;
extern const hr_layer_kernels hr_layer_kernels_avx512;
#elif defined(__aarch64__)
extern const hr_layer_kernels hr_layer_kernels_neon;
extern const hr_layer_kernels hr_layer_kernels_neon_dot;
#endif
