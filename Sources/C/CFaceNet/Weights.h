#pragma once
// The table of weights and the model in it.
//
// Values in the network are integers. An activation is 0 ... 255 in steps that differ by channel. The weights of the
// next layer include the steps, so they appear nowhere else. With sums in 32 bits and products rounded as
// hr_net_scale() does:
//
//   first convolution   sum = bias + the weights' products with pixels; activation = clamp(scale(sum >> shift, multiplier))
//   unit, pointwise     inner = saturate16((bias + the weights' products with activations) >> shift)
//   unit, depthwise     sum = bias + scale(inner, weight) of 3 × 3 pixels; activation = clamp(scale(sum, multiplier))
//   head                a unit whose sum, times a float, is a logit, or an offset in strides, or the logarithm of a size
//   addition            activation = clamp((scale(128 * sharp, multiplier) + scale(128 * coarse, multiplier) + 64) >> 7)
//
// Layout, little-endian, without gaps:
//   "HRFN", uint32 version (1)
//   first convolution: int8 [16 outputs][3 rows][red, green, blue][3 columns], int32 bias [16], int32 shift,
//     int16 multiplier [16]
//   17 units, listed in Pass.c: uint16 inputs, outputs; int32 shift; int8 [outputs][inputs]; int32 bias [outputs];
//     int16 depthwise [outputs][3 rows][3 columns], bias [outputs]; then int16 multiplier [outputs], or for the last three,
//     the heads, float [outputs]. The two units after additions follow int16 multipliers [sharp, coarse][64].

#include "CFaceNet.h"

enum {
    HR_NET_UNITS = 17,
    HR_NET_HEADS = 3,
    HR_NET_SUMS = 2,
    HR_NET_FIRST = 16,     // channels of the first convolution
    HR_NET_CHANNELS = 64,  // channels of the widest layer
    HR_NET_MOST = 255,     // maximum of an activation
    HR_NET_SHARED = 128,   // 255 times this fits 16 bits: the maximum sum of weights whose products share a sum
};

typedef struct {
    int8_t *weights;             // [row][channel][output][4 columns], the fourth 0
    int32_t bias[HR_NET_FIRST];  // [output, in the order of the kernels], like the bias of a unit
    int16_t multiplier[HR_NET_FIRST];
    int shift;
} hr_net_first;

typedef struct {
    int inputs, outputs, shift;
    int8_t *pointwise;   // [input / 4][output, in the order of the kernels][4]
    int32_t *bias;       // [output, in the same order], for activations minus the centre; rounding is included
    int16_t *depthwise;  // [row][column][output]
    int16_t *sum_bias;   // [output]
    int16_t *multiplier;
    float *unit;  // unit of a head's sums
} hr_net_unit;

typedef struct {
    int16_t sharp[HR_NET_CHANNELS], coarse[HR_NET_CHANNELS];
} hr_net_sum;

struct hr_net_model {
    const struct hr_net_kernels *kernels;
    hr_net_first first;
    hr_net_unit units[HR_NET_UNITS];
    hr_net_sum sums[HR_NET_SUMS];
    void *memory;
};
