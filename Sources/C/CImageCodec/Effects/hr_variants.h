#pragma once
// Compiles a kernel twice on x86-64: for every processor, and for processors with AVX2. Both variants give equal
// results.

#if defined(__x86_64__)
#define HR_HAS_AVX2() (__builtin_cpu_supports("avx2"))
#define HR_AVX2 __attribute__((target("avx2")))
#else
#define HR_HAS_AVX2() 0
#define HR_AVX2
#endif

#define HR_KERNEL static inline __attribute__((always_inline)) void

/// Declares `name`, which calls `name_kernel` in the better variant. `parameters` and `arguments` are in parentheses.
#define HR_VARIANTS(name, parameters, arguments)                            \
    HR_AVX2 static void name##_avx2 parameters { name##_kernel arguments; } \
    static void name##_plain parameters { name##_kernel arguments; }        \
    static void name parameters                                             \
    {                                                                       \
        if (HR_HAS_AVX2())                                                  \
            name##_avx2 arguments;                                          \
        else                                                                \
            name##_plain arguments;                                         \
    }
