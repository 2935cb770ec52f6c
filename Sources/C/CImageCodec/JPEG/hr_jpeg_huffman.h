#pragma once

#include "hr_jpeg_decoder.h"

// Huffman decoding of complete files without restart markers, which are in memory. Any damage only sets `broken` or
// returns false; libjpeg then decodes the file and decides about the damage.

enum { HR_JPEG_LOOK = 9, HR_JPEG_LONGEST = 16 };

/// A Huffman table (T.81, F.2.2.3). The next bits of the data are the index into `look`: length << 8 | symbol, 0 for
/// longer codes.
typedef struct hr_jpeg_codes {
    uint16_t look[1 << HR_JPEG_LOOK];
    int32_t end[HR_JPEG_LONGEST + 1];     // one more than the largest code of each length
    int32_t offset[HR_JPEG_LONGEST + 1];  // from a code to the index of its symbol
    uint8_t symbols[256];
} hr_jpeg_codes;

/// The entropy-coded data of a scan.
typedef struct hr_jpeg_bits {
    const uint8_t *at, *end;
    uint64_t word;
    int count;    // unused bits of `word`
    int padding;  // number of these bits that are zeroes after the data
    bool broken;
} hr_jpeg_bits;

/// The Huffman tables before a scan: of means, and of other coefficients.
typedef struct hr_jpeg_tables {
    JHUFF_TBL tables[2][NUM_HUFF_TBLS];
    bool has_table[2][NUM_HUFF_TBLS];
} hr_jpeg_tables;

/// The tables before the first scan, which libjpeg has read.
void hr_jpeg_first_tables(const struct jpeg_decompress_struct *cinfo, hr_jpeg_tables *tables);

/// Reads the segments between two scans, from offset `at` to `end`; false if they change more than Huffman tables.
bool hr_jpeg_read_between(const hr_jpeg_decoder *decoder, hr_jpeg_tables *tables, size_t at, size_t end);

/// The content of the segment whose marker is at `*at`, starting with its length; NULL if there is no whole segment.
/// Sets `*at` to the end of the segment.
const uint8_t *hr_jpeg_segment_at(const hr_jpeg_decoder *decoder, size_t *at, uint8_t *code, size_t *length);

/// False if the table is missing or invalid, or has symbols over `most_symbol`.
bool hr_jpeg_make_codes(const hr_jpeg_tables *tables, int class, int slot, int most_symbol, hr_jpeg_codes *to);

/// Reads bytes one by one until at least 49 bits are available.
void hr_jpeg_refill_bytes(hr_jpeg_bits *bits);

/// Makes at least 32 bits available.
static inline void hr_jpeg_refill(hr_jpeg_bits *bits)
{
    if (bits->count >= 32)
        return;
    if (bits->end - bits->at >= 8) {
        uint64_t next = 0;
        for (int i = 0; i < 8; i++)
            next = next << 8 | bits->at[i];
        // No byte is 0xFF, which needs special treatment.
        if ((next & (~next - 0x0101010101010101u) & 0x8080808080808080u) == 0) {
            const int bytes = (63 - bits->count) / 8;
            bits->word = bits->word << (8 * bytes) | next >> (64 - 8 * bytes);
            bits->at += bytes;
            bits->count += 8 * bytes;
            return;
        }
    }
    hr_jpeg_refill_bytes(bits);
}

/// The next `count` bits, at most 16, which are available.
static inline uint32_t hr_jpeg_take(hr_jpeg_bits *bits, int count)
{
    bits->count -= count;
    return (uint32_t)(bits->word >> bits->count) & ((1U << count) - 1);
}

/// The next symbol; -1 for a code that is not in the table. 16 bits are available.
static inline int hr_jpeg_symbol(hr_jpeg_bits *bits, const hr_jpeg_codes *codes)
{
    const uint16_t found = codes->look[bits->word >> (bits->count - HR_JPEG_LOOK) & ((1 << HR_JPEG_LOOK) - 1)];
    if (found != 0) {
        bits->count -= found >> 8;
        return found & 255;
    }
    int length = HR_JPEG_LOOK + 1;
    int32_t code = (int32_t)hr_jpeg_take(bits, length);
    while (length < HR_JPEG_LONGEST && code >= codes->end[length]) {
        code = code << 1 | (int32_t)hr_jpeg_take(bits, 1);
        ++length;
    }
    if (code >= codes->end[length] || code + codes->offset[length] < 0) {
        bits->broken = true;
        return -1;
    }
    return codes->symbols[(code + codes->offset[length]) & 255];
}

/// The number of `size` bits, 0 to 15, after its symbol (T.81, F.2.2.1).
static inline int32_t hr_jpeg_number(hr_jpeg_bits *bits, int size)
{
    if (size == 0)
        return 0;
    const int32_t value = (int32_t)hr_jpeg_take(bits, size);
    // Without a branch, because processors cannot predict the sign.
    return value + (((value >> (size - 1)) - 1) & (1 - (1 << size)));
}

/// Whether the data were damaged, or ended too early.
static inline bool hr_jpeg_is_broken(const hr_jpeg_bits *bits) { return bits->broken || bits->count < bits->padding; }
