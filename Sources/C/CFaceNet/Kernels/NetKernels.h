#pragma once
// The inner loops over a row. The files in Instructions compile them once for each instruction set. All variants give
// equal results, because they use integer sums that never overflow, with saturation and rounding where Weights.h
// specifies them.
//
// Rows of activations are [width][channels]. Kernels may read and write up to HR_NET_SLACK pixels after a row.

#include "Weights.h"

enum { HR_NET_SLACK = 8 };

#define HR_KERNEL static inline __attribute__((always_inline))

typedef struct hr_net_kernels {
    /// The number of lanes of an accumulator. Two accumulators are narrowed to 16 bits at once, which interleaves their
    /// quarters. The outputs of a unit are ordered to compensate for this. 0 keeps the order.
    int lanes;

    /// 128 if rows contain signed bytes, which are activations minus 128; otherwise 0. Pixels are never signed.
    int centre;

    /// `rows` is [row][channel]: pixels starting left of the first one, with two more to the right.
    void (*first)(const hr_net_first *first, const uint8_t *const *rows, uint8_t *out, int width);

    void (*pointwise)(const hr_net_unit *unit, const uint8_t *in, int16_t *out, int width);

    /// `rows` are the inner values above, at and below the row.
    void (*depthwise)(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *out, int width);

    /// The maximum of 2 × 2 results of two rows. `rows` has four rows, and `width` is the width of the result.
    /// Multipliers are not negative, so the maximum of the sums can be used.
    void (*depthwise_pooled)(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *out, int width);

    /// depthwise() without the multiplier.
    void (*head)(const hr_net_unit *unit, const int16_t *const *rows, int16_t *out, int width);

    /// The maximum of 2 × 2 pixels; `width` is the width of the result.
    void (*pool)(const uint8_t *top, const uint8_t *bottom, uint8_t *out, int width, int channels);

    /// Adds a row with half the number of pixels; each pixel is used twice.
    void (*add)(const hr_net_sum *sum, const uint8_t *sharp, const uint8_t *coarse, uint8_t *out, int width);
} hr_net_kernels;

extern const hr_net_kernels hr_net_kernels_plain;
#if defined(__x86_64__)
extern const hr_net_kernels hr_net_kernels_sse4;
extern const hr_net_kernels hr_net_kernels_avx2;
extern const hr_net_kernels hr_net_kernels_avx512;
#elif defined(__aarch64__)
extern const hr_net_kernels hr_net_kernels_neon;
extern const hr_net_kernels hr_net_kernels_neon_dot;
#endif

const hr_net_kernels *hr_net_kernels_for(hr_hog_instructions instructions);
