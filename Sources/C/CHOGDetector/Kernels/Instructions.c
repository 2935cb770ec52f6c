#include "Kernels.h"

hr_hog_instructions hr_hog_best_instructions(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512vnni")) {
            return HR_HOG_AVX512;
        }
        return HR_HOG_AVX2;
    }
#endif
    return HR_HOG_PLAIN;
}

const hr_kernels *hr_kernels_for(hr_hog_instructions instructions)
{
#if defined(__x86_64__)
    if (instructions == HR_HOG_AVX512)
        return &hr_kernels_avx512;
    if (instructions == HR_HOG_AVX2)
        return &hr_kernels_avx2;
#else
    (void)instructions;
#endif
    return &hr_kernels_plain;
}
