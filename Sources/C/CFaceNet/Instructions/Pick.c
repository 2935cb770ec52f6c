#include "Layers.h"
#include "NetKernels.h"

const hr_net_kernels *hr_net_kernels_for(hr_hog_instructions instructions)
{
    switch (instructions) {
#if defined(__x86_64__)
    case HR_HOG_SSE4:
        return &hr_net_kernels_sse4;
    case HR_HOG_AVX2:
        return &hr_net_kernels_avx2;
    case HR_HOG_AVX512:
        return &hr_net_kernels_avx512;
#elif defined(__aarch64__)
    case HR_HOG_NEON:
        return &hr_net_kernels_neon;
    case HR_HOG_NEON_DOT:
        return &hr_net_kernels_neon_dot;
#endif
    default:
        return &hr_net_kernels_plain;
    }
}

const hr_layer_kernels *hr_layer_kernels_for(hr_hog_instructions instructions)
{
    switch (instructions) {
#if defined(__x86_64__)
    case HR_HOG_SSE4:
        return &hr_layer_kernels_sse4;
    case HR_HOG_AVX2:
        return &hr_layer_kernels_avx2;
    case HR_HOG_AVX512:
        return &hr_layer_kernels_avx512;
#elif defined(__aarch64__)
    case HR_HOG_NEON:
        return &hr_layer_kernels_neon;
    case HR_HOG_NEON_DOT:
        return &hr_layer_kernels_neon_dot;
#endif
    default:
        return &hr_layer_kernels_plain;
    }
}
