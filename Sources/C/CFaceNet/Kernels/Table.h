#pragma once
// Reads tables of weights; in tests, the bytes come from outside the program.

#include <stdint.h>
#include <string.h>

typedef struct {
    const uint8_t *bytes;
    size_t left;
    int failed;
    uint8_t *free;  // in the model's memory
} hr_table;

/// Copies `count` bytes to `to`, or zeros after a failure.
static inline void hr_table_take(hr_table *from, void *to, size_t count)
{
    if (from->failed || count > from->left) {
        from->failed = 1;
        memset(to, 0, count);
        return;
    }
    memcpy(to, from->bytes, count);
    from->bytes += count;
    from->left -= count;
}

/// Aligned memory of the model, which is large enough for every valid table.
static inline void *hr_table_room(hr_table *from, size_t bytes)
{
    void *at = from->free;
    from->free += (bytes + 63) / 64 * 64;
    return at;
}

static inline void hr_table_require(hr_table *from, int condition)
{
    if (!condition)
        from->failed = 1;
}

static inline int hr_table_shift(hr_table *from)
{
    int32_t shift;
    hr_table_take(from, &shift, sizeof shift);
    hr_table_require(from, shift >= 0 && shift <= 24);
    return from->failed ? 0 : shift;
}

/// Takes `count` factors of hr_scale(), which are never -32768: its rounded product exceeds 16 bits.
static inline void hr_table_factors(hr_table *from, int16_t *to, int count)
{
    hr_table_take(from, to, (size_t)count * sizeof *to);
    for (int i = 0; i < count; ++i)
        hr_table_require(from, to[i] > INT16_MIN);
}

/// Takes biases small enough for sums of 32 bits, and adds half of the unit that the shift removes.
static inline void hr_table_bias(hr_table *from, int32_t *to, int count, int shift)
{
    hr_table_take(from, to, (size_t)count * sizeof *to);
    for (int i = 0; i < count; ++i) {
        hr_table_require(from, to[i] > -(1 << 28) && to[i] < 1 << 28);
        to[i] += (1 << shift) >> 1;
    }
}

/// The place of output `n` in the order of accumulators with this many lanes.
static inline int hr_table_place(int n, int outputs, int lanes)
{
    if (lanes == 0 || outputs % (2 * lanes) != 0)
        return n;
    const int inside = n % (2 * lanes), eight = inside / 8, half = inside / 4 % 2;
    return n - inside + half * lanes + 4 * eight + n % 4;
}
