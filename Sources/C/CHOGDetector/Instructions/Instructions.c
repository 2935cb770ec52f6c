#include "Kernels.h"

#if defined(__aarch64__)
#include <sys/auxv.h>

enum { HR_DOT_PRODUCTS = 1 << 20 };  // HWCAP_ASIMDDP in Linux
#endif

int hr_hog_supports(hr_hog_instructions instructions)
{
    switch (instructions) {
    case HR_HOG_PLAIN:
        return 1;
#if defined(__x86_64__)
    case HR_HOG_SSE4:
        return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1");
    case HR_HOG_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case HR_HOG_AVX512:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
#elif defined(__aarch64__)
    case HR_HOG_NEON:
        return 1;
    case HR_HOG_NEON_DOT:
        return (getauxval(AT_HWCAP) & HR_DOT_PRODUCTS) != 0;
#endif
    default:
        return 0;
    }
}

hr_hog_instructions hr_hog_best_instructions(void)
{
    hr_hog_instructions best = HR_HOG_PLAIN;
    for (int i = 0; i < HR_HOG_INSTRUCTIONS; ++i) {
        if (hr_hog_supports((hr_hog_instructions)i))
            best = (hr_hog_instructions)i;
    }
    return best;
}

const hr_kernels *hr_kernels_for(hr_hog_instructions instructions)
{
    switch (instructions) {
#if defined(__x86_64__)
    case HR_HOG_SSE4:
        return &hr_kernels_sse4;
    case HR_HOG_AVX2:
        return &hr_kernels_avx2;
    case HR_HOG_AVX512:
        return &hr_kernels_avx512;
#elif defined(__aarch64__)
    case HR_HOG_NEON:
        return &hr_kernels_neon;
    case HR_HOG_NEON_DOT:
        return &hr_kernels_neon_dot;
#endif
    default:
        return &hr_kernels_plain;
    }
}
