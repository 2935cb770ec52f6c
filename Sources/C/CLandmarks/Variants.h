#pragma once
// Kernels for every processor, and for processors with AVX2; both give equal results.

#if defined(__x86_64__)
#define HR_LANDMARKS_AVX2 __attribute__((target("avx2")))
#define HR_LANDMARKS_HAS_AVX2() (__builtin_cpu_supports("avx2"))
#else
#define HR_LANDMARKS_AVX2
#define HR_LANDMARKS_HAS_AVX2() 0
#endif

#define HR_LANDMARKS_INLINE static inline __attribute__((always_inline))
