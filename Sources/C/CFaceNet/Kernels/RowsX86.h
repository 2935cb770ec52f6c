// The vectors that RowKernels.h requires, for processors with AVX2: sixteen lanes.

enum { HR_SHORTS = 16 };

typedef __m256i hr_short;
typedef __m128i hr_bytes;

HR_KERNEL hr_short hr_load_short(const int16_t *at) { return _mm256_loadu_si256((const __m256i *)at); }
HR_KERNEL void hr_store_short(int16_t *at, hr_short v) { _mm256_storeu_si256((__m256i *)at, v); }
HR_KERNEL hr_short hr_scale(hr_short v, hr_short w) { return _mm256_mulhrs_epi16(v, w); }
HR_KERNEL hr_short hr_plus(hr_short v, hr_short w) { return _mm256_add_epi16(v, w); }
HR_KERNEL hr_short hr_plus_saturated(hr_short v, hr_short w) { return _mm256_adds_epi16(v, w); }
HR_KERNEL hr_short hr_most(hr_short v, hr_short w) { return _mm256_max_epi16(v, w); }
HR_KERNEL hr_bytes hr_larger(hr_bytes v, hr_bytes w) { return _mm_max_epu8(v, w); }

HR_KERNEL void hr_store_clamped(uint8_t *at, hr_short v)
{
    _mm_storeu_si128((__m128i *)at, _mm_packus_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)));
}

HR_KERNEL hr_short hr_load_128(const uint8_t *at)
{
    return _mm256_slli_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)at)), 7);
}

HR_KERNEL hr_short hr_rounded_byte(hr_short v)
{
    return _mm256_srai_epi16(_mm256_adds_epi16(v, _mm256_set1_epi16(64)), 7);
}

HR_KERNEL hr_short hr_minus(hr_short v, hr_short w) { return _mm256_sub_epi16(v, w); }
HR_KERNEL hr_short hr_broadcast(int16_t value) { return _mm256_set1_epi16(value); }
HR_KERNEL hr_short hr_load_widened(const uint8_t *at) { return hr_load_128(at); }
HR_KERNEL void hr_store_bytes(uint8_t *at, hr_short v) { hr_store_clamped(at, v); }
