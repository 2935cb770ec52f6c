// Samples of a row for processors with SSSE3 and SSE4.1. Included after Vectors.h.

#include <immintrin.h>

/// Sixteen samples of a row. They lie within 32 columns, because a level shrinks by 5/6.
HR_KERNEL hr_byte16 hr_pick16(const uint8_t *row, const int *left)
{
    const __m128i offset = (__m128i)hr_offsets16(left);
    const __m128i *from = (const __m128i *)(row + left[0]);
    // The lower four bits select a byte, and the fifth, moved to the top of its byte, the half.
    return (hr_byte16)_mm_blendv_epi8(_mm_shuffle_epi8(_mm_loadu_si128(from), offset),
                                      _mm_shuffle_epi8(_mm_loadu_si128(from + 1), offset), _mm_slli_epi16(offset, 3));
}
