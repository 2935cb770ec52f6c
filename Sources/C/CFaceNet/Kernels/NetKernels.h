#pragma once
// The inner loops over a row. They are compiled once for each instruction set by the files in Instructions, and all give
// equal results: sums of whole numbers that never overflow, saturation and rounding at the places that Weights.h names.
//
// Rows of activations are [width][channels]. Kernels may read and write up to HR_NET_SLACK pixels behind a row.

#include "Weights.h"

enum { HR_NET_SLACK = 8 };

#define HR_KERNEL static inline __attribute__((always_inline))

typedef struct hr_net_kernels {
    /// Lanes of an accumulator. Two accumulators become 16 bits at once, which interleaves their quarters: the outputs of
    /// a unit are in the order that this undoes. 0 keeps the order.
    int lanes;

    /// 0; or 128 if rows of activations have signed bytes, of the activation less 128. Pixels are not signed in any case.
    int centre;

    /// `rows` is [row][channel]: pixels from the one left of the first on, with two more to the right.
    void (*first)(const hr_net_first *first, const uint8_t *const *rows, uint8_t *out, int width);

    void (*pointwise)(const hr_net_unit *unit, const uint8_t *in, int16_t *out, int width);

    /// `rows` are the inner values above, at and below the row.
    void (*depthwise)(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *out, int width);

    /// The largest of 2 × 2 results of two rows; `rows` are four, and `width` is that of the result. Multipliers are not
    /// negative, so it can be taken of the sums.
    void (*depthwise_pooled)(const hr_net_unit *unit, const int16_t *const *rows, uint8_t *out, int width);

    /// depthwise() without the multiplier.
    void (*head)(const hr_net_unit *unit, const int16_t *const *rows, int16_t *out, int width);

    /// The largest of 2 × 2 pixels; `width` is that of the result.
    void (*pool)(const uint8_t *top, const uint8_t *bottom, uint8_t *out, int width, int channels);

    /// Adds a row of half as many pixels, each of them twice.
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
