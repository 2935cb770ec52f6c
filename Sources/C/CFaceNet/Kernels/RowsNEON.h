// The vectors that RowKernels.h requires, and the vectors of SumKernels.h that both NEON variants use.

enum { HR_SHORTS = 8 };

typedef int16x8_t hr_short;
typedef int8x16_t hr_bytes;

HR_KERNEL hr_short hr_load_short(const int16_t *at) { return vld1q_s16(at); }
HR_KERNEL void hr_store_short(int16_t *at, hr_short v) { vst1q_s16(at, v); }
HR_KERNEL hr_short hr_scale(hr_short v, hr_short w) { return vqrdmulhq_s16(v, w); }
HR_KERNEL hr_short hr_plus(hr_short v, hr_short w) { return vaddq_s16(v, w); }
HR_KERNEL hr_short hr_plus_saturated(hr_short v, hr_short w) { return vqaddq_s16(v, w); }
HR_KERNEL hr_short hr_most(hr_short v, hr_short w) { return vmaxq_s16(v, w); }
HR_KERNEL hr_bytes hr_larger(hr_bytes v, hr_bytes w) { return vmaxq_s8(v, w); }

HR_KERNEL void hr_store_clamped(uint8_t *at, hr_short v)
{
    vst1_u8(at, vreinterpret_u8_s8(vqmovn_s16(vqsubq_s16(v, vdupq_n_s16(128)))));
}

HR_KERNEL hr_short hr_load_128(const uint8_t *at)
{
    return vaddq_s16(vshll_n_s8(vreinterpret_s8_u8(vld1_u8(at)), 7), vdupq_n_s16(128 << 7));
}

HR_KERNEL hr_short hr_rounded_byte(hr_short v) { return vshrq_n_s16(vqaddq_s16(v, vdupq_n_s16(64)), 7); }

#include "RowKernels.h"

typedef int8x16_t hr_four;
typedef int8x16_t hr_weights;

HR_KERNEL hr_weights hr_load_weights(const int8_t *at) { return vld1q_s8(at); }

HR_KERNEL uint8x16_t hr_load_bytes(const uint8_t *at)
{
    uint32_t four;
    memcpy(&four, at, sizeof four);
    return vreinterpretq_u8_u32(vdupq_n_u32(four));
}

HR_KERNEL hr_four hr_load_four(const uint8_t *at) { return vreinterpretq_s8_u8(hr_load_bytes(at)); }

/// Pixels minus 128, like activations.
HR_KERNEL hr_four hr_load_pixels(const uint8_t *at)
{
    return vreinterpretq_s8_u8(veorq_u8(hr_load_bytes(at), vdupq_n_u8(128)));
}

HR_KERNEL hr_short hr_shifted_values(int32x4_t one, int32x4_t other, int shift)
{
    const int32x4_t count = vdupq_n_s32(-shift);
    return vqmovn_high_s32(vqmovn_s32(vshlq_s32(one, count)), vshlq_s32(other, count));
}

// For activations that are unsigned bytes.
HR_KERNEL hr_short hr_minus(hr_short v, hr_short w) { return vsubq_s16(v, w); }
HR_KERNEL hr_short hr_broadcast(int16_t value) { return vdupq_n_s16(value); }
HR_KERNEL hr_short hr_load_widened(const uint8_t *at) { return vreinterpretq_s16_u16(vshll_n_u8(vld1_u8(at), 7)); }
HR_KERNEL void hr_store_bytes(uint8_t *at, hr_short v) { vst1_u8(at, vqmovun_s16(v)); }
