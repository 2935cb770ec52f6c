#include "hr_jpeg_huffman.h"

#include <string.h>

void hr_jpeg_first_tables(const struct jpeg_decompress_struct *cinfo, hr_jpeg_tables *tables)
{
    for (int i = 0; i < NUM_HUFF_TBLS; i++) {
        const JHUFF_TBL *const found[2] = {cinfo->dc_huff_tbl_ptrs[i], cinfo->ac_huff_tbl_ptrs[i]};
        for (int class = 0; class < 2; class ++) {
            tables->has_table[class][i] = found[class] != NULL;
            if (found[class] != NULL)
                tables->tables[class][i] = *found[class];
        }
    }
}

bool hr_jpeg_make_codes(const hr_jpeg_tables *tables, int class, int slot, int most_symbol, hr_jpeg_codes *to)
{
    if (slot >= NUM_HUFF_TBLS || !tables->has_table[class][slot])
        return false;
    const JHUFF_TBL *from = &tables->tables[class][slot];
    memset(to, 0, sizeof *to);
    uint32_t code = 0, index = 0;
    for (uint32_t length = 1; length <= HR_JPEG_LONGEST; length++) {
        const uint32_t count = from->bits[length];
        if (count > 256 - index || code + count > 1U << length)
            return false;
        to->offset[length] = (int32_t)index - (int32_t)code;
        for (uint32_t i = 0; i < count; i++, code++, index++) {
            const uint8_t symbol = from->huffval[index];
            if (symbol > most_symbol)
                return false;
            to->symbols[index] = symbol;
            const uint32_t rest = length <= HR_JPEG_LOOK ? HR_JPEG_LOOK - length : 0;
            for (uint32_t tail = 0; length <= HR_JPEG_LOOK && tail < 1U << rest; tail++)
                to->look[code << rest | tail] = (uint16_t)(length << 8 | symbol);
        }
        to->end[length] = (int32_t)code;
        code <<= 1;
    }
    return true;
}

void hr_jpeg_refill_bytes(hr_jpeg_bits *bits)
{
    while (bits->count <= 48) {
        uint8_t byte = 0;
        if (bits->at < bits->end) {
            byte = *bits->at++;
            if (byte == 0xFF) {
                while (bits->at < bits->end && *bits->at == 0xFF)
                    ++bits->at;
                // Only a zero may follow, because these functions are not used for files with restart markers.
                bits->broken |= bits->at == bits->end || *bits->at++ != 0;
            }
        } else {
            bits->padding += 8;
        }
        bits->word = bits->word << 8 | byte;
        bits->count += 8;
    }
}

const uint8_t *hr_jpeg_segment_at(const hr_jpeg_decoder *decoder, size_t *at, uint8_t *code, size_t *length)
{
    const uint8_t *bytes = decoder->bytes;
    while (*at < decoder->count && bytes[*at] == 0xFF)
        ++*at;
    if (decoder->count - *at < 3)
        return NULL;
    *code = bytes[*at];
    *length = (size_t)bytes[*at + 1] << 8 | bytes[*at + 2];
    if (*length < 2 || *length > decoder->count - *at - 1)
        return NULL;
    const uint8_t *segment = bytes + *at + 1;
    *at += 1 + *length;
    return segment;
}

// Reads Huffman tables (T.81, B.2.4.2). Tables of an unknown kind are skipped, because no scan of means uses them.
static bool read_tables(hr_jpeg_tables *tables, const uint8_t *segment, size_t length)
{
    size_t at = 2;
    while (at < length) {
        if (length - at < 17)
            return false;
        const uint8_t class = segment[at] >> 4, slot = segment[at] & 15;
        size_t count = 0;
        for (int i = 1; i <= HR_JPEG_LONGEST; i++)
            count += segment[at + (size_t)i];
        const bool is_known = class < 2 && slot < NUM_HUFF_TBLS;
        if (count > 256 || count > length - at - 17 || (class == 0 && !is_known))
            return false;
        if (is_known) {
            JHUFF_TBL *table = &tables->tables[class][slot];
            memset(table, 0, sizeof *table);
            memcpy(table->bits + 1, segment + at + 1, HR_JPEG_LONGEST);
            memcpy(table->huffval, segment + at + 17, count);
            tables->has_table[class][slot] = true;
        }
        at += 17 + count;
    }
    return true;
}

// In most files, the segments between two scans are only tables.
bool hr_jpeg_read_between(const hr_jpeg_decoder *decoder, hr_jpeg_tables *tables, size_t at, size_t end)
{
    while (at < end) {
        uint8_t code = 0;
        size_t length = 0;
        const uint8_t *segment = hr_jpeg_segment_at(decoder, &at, &code, &length);
        if (segment == NULL || code == 0xDB || code == 0xDD || code == 0xCC)
            return false;
        if (code == 0xC4 && !read_tables(tables, segment, length))
            return false;
    }
    return at == end;
}
