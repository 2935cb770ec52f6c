// Vector types of the compiler, which are split on processors with narrower registers. Included by the files that
// compile kernels.
//
// A fused multiplication and addition rounds once instead of twice, and not every processor supports it.

#include <math.h>
#include <stdint.h>
#include <string.h>

#pragma clang fp contract(off)

typedef float hr_float4 __attribute__((vector_size(16)));
typedef float hr_float16 __attribute__((vector_size(64)));
typedef int32_t hr_int16 __attribute__((vector_size(64)));
typedef uint8_t hr_byte16 __attribute__((vector_size(16)));
typedef uint8_t hr_byte32 __attribute__((vector_size(32)));
typedef int16_t hr_short32 __attribute__((vector_size(64)));
typedef uint16_t hr_ushort32 __attribute__((vector_size(64)));
typedef uint32_t hr_uint32 __attribute__((vector_size(128)));
typedef float hr_float32 __attribute__((vector_size(128)));

// Only inlined functions use them as parameters, so their calling convention does not matter.
#pragma clang diagnostic ignored "-Wpsabi"
#define HR_KERNEL static inline __attribute__((always_inline))

HR_KERNEL hr_float16 hr_load16(const float *at)
{
    hr_float16 v;
    memcpy(&v, at, sizeof v);
    return v;
}

HR_KERNEL void hr_store16(float *at, hr_float16 v) { memcpy(at, &v, sizeof v); }

/// The distances of sixteen columns from the first, in bytes.
HR_KERNEL hr_byte16 hr_offsets16(const int *columns)
{
    hr_int16 v;
    memcpy(&v, columns, sizeof v);
    return __builtin_convertvector(v - columns[0], hr_byte16);
}

HR_KERNEL hr_float16 hr_min16(hr_float16 a, hr_float16 b)
{
    const hr_int16 less = a < b;
    return (hr_float16)(((hr_int16)a & less) | ((hr_int16)b & ~less));
}

/// The sums of the lanes of four vectors.
HR_KERNEL hr_float4 hr_sums16(hr_float16 a, hr_float16 b, hr_float16 c, hr_float16 d)
{
#define HR_QUARTER(v, i) __builtin_shufflevector(v, v, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)
#define HR_FOLD(v) ((HR_QUARTER(v, 0) + HR_QUARTER(v, 1)) + (HR_QUARTER(v, 2) + HR_QUARTER(v, 3)))
    const hr_float4 wa = HR_FOLD(a), wb = HR_FOLD(b), wc = HR_FOLD(c), wd = HR_FOLD(d);
#undef HR_FOLD
#undef HR_QUARTER
    const hr_float4 ab = __builtin_shufflevector(wa, wb, 0, 4, 1, 5) + __builtin_shufflevector(wa, wb, 2, 6, 3, 7);
    const hr_float4 cd = __builtin_shufflevector(wc, wd, 0, 4, 1, 5) + __builtin_shufflevector(wc, wd, 2, 6, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

HR_KERNEL float hr_sum16(hr_float16 v) { return hr_sums16(v, v, v, v)[0]; }
