#pragma once
// Floating-point functions with the same rounding on every processor. Operations are not fused, and the square root,
// which is exact, is the only function of the C library.

#include <stdint.h>
#include <string.h>

#pragma clang fp contract(off)

/// e to the power of x with a relative error below 1e-9; x is limited to ±80. It is computed as 2^n times a series of
/// the remainder.
static inline double hr_exponential(double x)
{
    x = x < -80 ? -80 : x > 80 ? 80 : x;
    const int n = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    const double rest = x - n * 0.6931471805599453;
    double sum = 1;
    for (int i = 10; i > 0; --i)
        sum = 1 + rest / i * sum;
    const uint64_t bits = (uint64_t)(1023 + n) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

/// The probability of a logit.
static inline double hr_probability(double logit) { return 1 / (1 + hr_exponential(-logit)); }
