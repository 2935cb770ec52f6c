// Samples of a row for NEON. Included after Vectors.h.

#include <arm_neon.h>

/// Sixteen samples of a row. They lie within 32 columns, because a level shrinks by 5/6.
HR_KERNEL hr_byte16 hr_pick16(const uint8_t *row, const int *left)
{
    const uint8x16x2_t from = {{vld1q_u8(row + left[0]), vld1q_u8(row + left[0] + 16)}};
    return (hr_byte16)vqtbl2q_u8(from, (uint8x16_t)hr_offsets16(left));
}
