#include "hr_gauss.h"

#include "hr_memory.h"
#include "hr_variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A narrow Gaussian is a sum of samples. A wide Gaussian is applied to an image of half the size. Halving and doubling
// also smooth the image, so the smaller image is only blurred by the remaining variance. The filters for halving,
// binomial 1 3 3 1, and for doubling, a cubic B-spline, are long enough to hide the grid.

/// The maximum variance that is summed directly.
static const double most_variance = 6.25;
/// In pixels of the larger image.
static const double halving_variance = 0.75;
/// In pixels of the smaller image.
static const double doubling_variance = 1.0 / 3;

enum { MOST_REACH = 8, ALIGNMENT = 64 };

bool hr_field_make(hr_field *field, int width, int height)
{
    const size_t stride = ((size_t)width * sizeof(uint16_t) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *field = (hr_field){hr_memory_take(stride * (size_t)height), stride / sizeof(uint16_t), width, height};
    return field->data != NULL;
}

void hr_field_free(hr_field *field)
{
    if (field->data)
        hr_memory_give(field->data, field->stride * sizeof(uint16_t) * (size_t)field->height);
    field->data = NULL;
}

static uint16_t *row_of(const hr_field *field, int y) { return field->data + (size_t)y * field->stride; }

int hr_gauss_side(int side, double deviation)
{
    int unit = 1;
    for (double rest = deviation * deviation; rest > most_variance; unit *= 2)
        rest = (rest - halving_variance) / 4 - doubling_variance;
    if (side % unit == 0)
        return side;
    // Pixels beyond the margin do not affect the image.
    return (side + (int)ceil(3.5 * deviation) + unit - 1) / unit * unit;
}

// Narrow

/// Factors in 1/65536: the centre, then each pair around it. Returns the number of pairs.
static int factors(double variance, uint16_t *out)
{
    const double deviation = sqrt(variance);
    int reach = (int)ceil(3 * deviation);
    reach = reach < 1 ? 1 : reach > MOST_REACH ? MOST_REACH : reach;
    double weights[MOST_REACH + 1], sum = 0;
    for (int i = 0; i <= reach; i++) {
        weights[i] = exp(-i * i / (2 * variance));
        sum += i == 0 ? weights[i] : 2 * weights[i];
    }
    // The centre gets the rounding error, so that the sum is one.
    int rest = 65536;
    for (int i = 1; i <= reach; i++) {
        out[i] = (uint16_t)lrint(weights[i] / sum * 65536);
        rest -= 2 * out[i];
    }
    out[0] = (uint16_t)(rest < 65535 ? rest : 65535);
    return reach;
}

static inline __attribute__((always_inline)) uint16_t share(uint32_t value, uint16_t factor)
{
    return (uint16_t)((value * factor) >> 16);
}

/// Half of the bits that `pairs` + 1 truncated products lose.
static inline int lost(int pairs) { return (pairs + 1) / 2; }

/// The sum for a row, from the rows or samples before and after it; `pairs` is a constant where this is inlined.
HR_KERNEL sum(const uint16_t *middle, const uint16_t *const *before, const uint16_t *const *after, uint16_t *to,
              int width, const uint16_t *by, const int pairs)
{
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < width; x++) {
        uint16_t value = (uint16_t)(lost(pairs) + share(middle[x], by[0]));
#pragma clang loop unroll(full)
        for (int i = 0; i < pairs; i++)
            value = (uint16_t)(value + share((uint16_t)(before[i][x] + after[i][x]), by[i + 1]));
        to[x] = value;
    }
}

HR_KERNEL sums_kernel(const uint16_t *middle, const uint16_t *const *before, const uint16_t *const *after, uint16_t *to,
                      int width, const uint16_t *by, int pairs)
{
    switch (pairs) {
    case 1:
        return sum(middle, before, after, to, width, by, 1);
    case 2:
        return sum(middle, before, after, to, width, by, 2);
    case 3:
        return sum(middle, before, after, to, width, by, 3);
    case 4:
        return sum(middle, before, after, to, width, by, 4);
    case 5:
        return sum(middle, before, after, to, width, by, 5);
    case 6:
        return sum(middle, before, after, to, width, by, 6);
    case 7:
        return sum(middle, before, after, to, width, by, 7);
    default:
        return sum(middle, before, after, to, width, by, MOST_REACH);
    }
}
HR_VARIANTS(sums,
            (const uint16_t *middle, const uint16_t *const *before, const uint16_t *const *after, uint16_t *to,
             int width, const uint16_t *by, int pairs),
            (middle, before, after, to, width, by, pairs))

static bool narrow(hr_field *field, double variance)
{
    uint16_t by[MOST_REACH + 1];
    const int pairs = factors(variance, by), width = field->width, height = field->height;
    hr_field middle;
    uint16_t *padded = malloc(sizeof(uint16_t) * ((size_t)width + 2 * MOST_REACH));
    if (!padded || !hr_field_make(&middle, width, height)) {
        free(padded);
        return false;
    }
    const uint16_t *before[MOST_REACH], *after[MOST_REACH];
    for (int i = 0; i < pairs; i++) {
        before[i] = padded + MOST_REACH - 1 - i;
        after[i] = padded + MOST_REACH + 1 + i;
    }
    for (int y = 0; y < height; y++) {
        const uint16_t *from = row_of(field, y);
        memcpy(padded + MOST_REACH, from, sizeof(uint16_t) * (size_t)width);
        for (int i = 1; i <= pairs; i++) {
            padded[MOST_REACH - i] = from[hr_mirrored(-i, width)];
            padded[MOST_REACH + width - 1 + i] = from[hr_mirrored(width - 1 + i, width)];
        }
        sums(padded + MOST_REACH, before, after, row_of(&middle, y), width, by, pairs);
    }
    for (int y = 0; y < height; y++) {
        for (int i = 0; i < pairs; i++) {
            before[i] = row_of(&middle, hr_mirrored(y - 1 - i, height));
            after[i] = row_of(&middle, hr_mirrored(y + 1 + i, height));
        }
        sums(row_of(&middle, y), before, after, row_of(field, y), width, by, pairs);
    }
    hr_field_free(&middle);
    free(padded);
    return true;
}

// Half

HR_KERNEL halve_kernel(const uint16_t *const *rows, uint16_t *sums, uint16_t *to, int half)
{
    const uint16_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    // One more sample at each end, for the neighbours outside.
    uint16_t *sum = sums + 1;
    for (int x = 0; x < 2 * half; x++)
        sum[x] = (uint16_t)(((uint32_t)a[x] + d[x] + 3 * ((uint32_t)b[x] + c[x]) + 4) >> 3);
    sum[-1] = sum[0];
    sum[2 * half] = sum[2 * half - 1];
    for (int x = 0; x < half; x++)
        to[x] =
            (uint16_t)(((uint32_t)sum[2 * x - 1] + sum[2 * x + 2] + 3 * ((uint32_t)sum[2 * x] + sum[2 * x + 1]) + 4) >>
                       3);
}
HR_VARIANTS(halve, (const uint16_t *const *rows, uint16_t *sums, uint16_t *to, int half), (rows, sums, to, half))

static bool halved(const hr_field *field, hr_field *half)
{
    uint16_t *sums = malloc(sizeof(uint16_t) * ((size_t)field->width + 2));
    if (!sums || !hr_field_make(half, field->width / 2, field->height / 2)) {
        free(sums);
        return false;
    }
    for (int y = 0; y < half->height; y++) {
        const uint16_t *rows[4];
        for (int i = 0; i < 4; i++)
            rows[i] = row_of(field, hr_mirrored(2 * y - 1 + i, field->height));
        halve(rows, sums, row_of(half, y), half->width);
    }
    free(sums);
    return true;
}

// Double

/// The cubic B-spline at a quarter of a sample beyond the second of four, in 1/65536: 27, 235, 121 and 1 of 384.
static const uint16_t spline[4] = {4608, 40107, 20651, 170};

HR_KERNEL widen_kernel(const uint16_t *padded, uint16_t *to, int half)
{
    const uint16_t *from = padded + 2;
    for (int x = 0; x < half; x++) {
        const uint32_t a = from[x - 2], b = from[x - 1], c = from[x], d = from[x + 1], e = from[x + 2];
        to[2 * x] = (uint16_t)((a * spline[3] + b * spline[2] + c * spline[1] + d * spline[0] + 32768) >> 16);
        to[2 * x + 1] = (uint16_t)((b * spline[0] + c * spline[1] + d * spline[2] + e * spline[3] + 32768) >> 16);
    }
}
HR_VARIANTS(widen, (const uint16_t *padded, uint16_t *to, int half), (padded, to, half))

HR_KERNEL mix_kernel(const uint16_t *const *rows, const uint16_t *by, uint16_t *to, int width)
{
    const uint16_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    for (int x = 0; x < width; x++)
        to[x] = (uint16_t)(2 + share(a[x], by[0]) + share(b[x], by[1]) + share(c[x], by[2]) + share(d[x], by[3]));
}
HR_VARIANTS(mix, (const uint16_t *const *rows, const uint16_t *by, uint16_t *to, int width), (rows, by, to, width))

static bool doubled(const hr_field *half, hr_field *field)
{
    hr_field wide;
    uint16_t *padded = malloc(sizeof(uint16_t) * ((size_t)half->width + 4));
    if (!padded || !hr_field_make(&wide, field->width, half->height)) {
        free(padded);
        return false;
    }
    for (int y = 0; y < half->height; y++) {
        const uint16_t *from = row_of(half, y);
        memcpy(padded + 2, from, sizeof(uint16_t) * (size_t)half->width);
        for (int i = 1; i <= 2; i++) {
            padded[2 - i] = from[hr_mirrored(-i, half->width)];
            padded[half->width + 1 + i] = from[hr_mirrored(half->width - 1 + i, half->width)];
        }
        widen(padded, row_of(&wide, y), half->width);
    }
    const uint16_t reversed[4] = {spline[3], spline[2], spline[1], spline[0]};
    for (int y = 0; y < field->height; y++) {
        const int first = y % 2 == 0 ? y / 2 - 2 : y / 2 - 1;
        const uint16_t *rows[4];
        for (int i = 0; i < 4; i++)
            rows[i] = row_of(&wide, hr_mirrored(first + i, half->height));
        mix(rows, y % 2 == 0 ? reversed : spline, row_of(field, y), field->width);
    }
    hr_field_free(&wide);
    free(padded);
    return true;
}

static bool gauss(hr_field *field, double variance)
{
    if (variance <= most_variance)
        return narrow(field, variance);
    hr_field half = {0};
    const bool done = halved(field, &half) && gauss(&half, (variance - halving_variance) / 4 - doubling_variance) &&
                      doubled(&half, field);
    hr_field_free(&half);
    return done;
}

bool hr_gauss(hr_field *field, double deviation) { return gauss(field, deviation * deviation); }
