// At 1/8 of the size, a block is one sample: its mean. A progressive file stores the means in separate scans, which are
// about a tenth of its bytes. To read them, libjpeg would allocate, clear and process all 64 coefficients of every
// block, which are 72 MB for 12 megapixels without subsampling. The samples equal libjpeg's, bit for bit.

#include "hr_jpeg_means.h"

#include "hr_memory.h"

#include <string.h>

enum { LOOK = 9, LONGEST = 16 };

// A Huffman table (T.81, F.2.2.3). The next bits of the data are the index into `look`: length << 8 | symbol, 0 for
// longer codes.
typedef struct table {
    uint16_t look[1 << LOOK];
    int32_t end[LONGEST + 1];     // one more than the largest code of each length
    int32_t offset[LONGEST + 1];  // from a code to the index of its symbol
    uint8_t symbols[256];
} table;

typedef struct bits {
    const uint8_t *at, *end;
    uint64_t word;
    int count;    // unused bits of `word`
    int padding;  // number of these bits that are zeroes after the data
    bool broken;
} bits;

// The means of a component, in whole MCUs.
typedef struct means {
    int16_t *values;
    size_t columns, rows;
    int bit;  // the lowest decoded bit; -1 before the first scan
} means;

typedef struct reader {
    const hr_jpeg_decoder *decoder;
    size_t mcu_columns, mcu_rows;
    JHUFF_TBL tables[NUM_HUFF_TBLS];
    bool has_table[NUM_HUFF_TBLS];
    means means[MAX_COMPONENTS];
} reader;

static bool make_table(const JHUFF_TBL *from, table *to)
{
    memset(to, 0, sizeof *to);
    uint32_t code = 0, index = 0;
    for (uint32_t length = 1; length <= LONGEST; length++) {
        const uint32_t count = from->bits[length];
        if (count > 256 - index || code + count > 1U << length)
            return false;
        to->offset[length] = (int32_t)index - (int32_t)code;
        for (uint32_t i = 0; i < count; i++, code++, index++) {
            const uint8_t symbol = from->huffval[index];
            if (symbol > 15)
                return false;
            to->symbols[index] = symbol;
            const uint32_t rest = length <= LOOK ? LOOK - length : 0;
            for (uint32_t tail = 0; length <= LOOK && tail < 1U << rest; tail++)
                to->look[code << rest | tail] = (uint16_t)(length << 8 | symbol);
        }
        to->end[length] = (int32_t)code;
        code <<= 1;
    }
    return true;
}

// Makes at least 32 bits available.
static void refill(bits *reader)
{
    while (reader->count <= 48) {
        uint8_t byte = 0;
        if (reader->at < reader->end) {
            byte = *reader->at++;
            if (byte == 0xFF) {
                while (reader->at < reader->end && *reader->at == 0xFF)
                    ++reader->at;
                // Only a zero may follow, because this function is not used for files with restart markers.
                reader->broken |= reader->at == reader->end || *reader->at++ != 0;
            }
        } else {
            reader->padding += 8;
        }
        reader->word = reader->word << 8 | byte;
        reader->count += 8;
    }
}

static uint32_t take(bits *reader, int count)
{
    reader->count -= count;
    return (uint32_t)(reader->word >> reader->count) & ((1U << count) - 1);
}

// The next difference of means; sets `broken` for a code that is not in the table.
static int32_t read_difference(bits *reader, const table *codes)
{
    if (reader->count < 32)
        refill(reader);
    const uint16_t found = codes->look[reader->word >> (reader->count - LOOK) & ((1 << LOOK) - 1)];
    int size = found & 255;
    if (found != 0) {
        reader->count -= found >> 8;
    } else {
        int length = LOOK + 1;
        int32_t code = (int32_t)take(reader, length);
        while (length < LONGEST && code >= codes->end[length]) {
            code = code << 1 | (int32_t)take(reader, 1);
            ++length;
        }
        if (code >= codes->end[length] || code + codes->offset[length] < 0) {
            reader->broken = true;
            return 0;
        }
        size = codes->symbols[(code + codes->offset[length]) & 255];
    }
    if (size == 0)
        return 0;
    const int32_t value = (int32_t)take(reader, size);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

// The marker at `at`, and its segment; other bytes before it are an error.
static const uint8_t *segment_at(const hr_jpeg_decoder *decoder, size_t *at, uint8_t *code, size_t *length)
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

// Reads Huffman tables (T.81, B.2.4.2); tables for other coefficients are skipped.
static bool read_tables(reader *reader, const uint8_t *segment, size_t length)
{
    size_t at = 2;
    while (at < length) {
        if (length - at < 17)
            return false;
        const uint8_t place = segment[at];
        size_t count = 0;
        for (int i = 1; i <= LONGEST; i++)
            count += segment[at + (size_t)i];
        if (count > 256 || count > length - at - 17)
            return false;
        if (place >> 4 == 0) {
            if (place >= NUM_HUFF_TBLS)
                return false;
            JHUFF_TBL *table = &reader->tables[place];
            memset(table, 0, sizeof *table);
            memcpy(table->bits + 1, segment + at + 1, LONGEST);
            memcpy(table->huffval, segment + at + 17, count);
            reader->has_table[place] = true;
        }
        at += 17 + count;
    }
    return true;
}

// Reads the segments between two scans. In most files, these are only tables.
static bool read_between(reader *reader, size_t at, size_t end)
{
    while (at < end) {
        uint8_t code = 0;
        size_t length = 0;
        const uint8_t *segment = segment_at(reader->decoder, &at, &code, &length);
        if (segment == NULL || code == 0xDB || code == 0xDD || code == 0xCC)
            return false;
        if (code == 0xC4 && !read_tables(reader, segment, length))
            return false;
    }
    return at == end;
}

// Reads a scan of means, of components in the order of the file.
static bool read_scan(reader *reader, const hr_jpeg_scan *scan)
{
    const struct jpeg_decompress_struct *cinfo = &reader->decoder->cinfo;
    size_t at = scan->start;
    uint8_t code = 0;
    size_t length = 0;
    const uint8_t *segment = segment_at(reader->decoder, &at, &code, &length);
    if (segment == NULL || at > scan->end || scan->last != 0 || scan->bit > 13)
        return false;
    const int count = segment[2];
    const bool is_first = scan->earlier_bit == 0;
    table codes[MAX_COMPS_IN_SCAN];
    int order[MAX_COMPS_IN_SCAN] = {0};
    for (int i = 0; i < count; i++) {
        int c = 0;
        while (c < cinfo->num_components && cinfo->comp_info[c].component_id != segment[3 + 2 * i])
            ++c;
        const int slot = segment[4 + 2 * i] >> 4;
        if (c == cinfo->num_components || reader->means[c].bit != (is_first ? -1 : scan->earlier_bit) ||
            (!is_first && scan->bit != scan->earlier_bit - 1))
            return false;
        if (is_first &&
            (slot >= NUM_HUFF_TBLS || !reader->has_table[slot] || !make_table(&reader->tables[slot], &codes[i])))
            return false;
        reader->means[c].bit = scan->bit;
        order[i] = c;
    }
    const bool alone = count == 1;
    const jpeg_component_info *only = &cinfo->comp_info[order[0]];
    const size_t columns = alone ? only->width_in_blocks : reader->mcu_columns;
    const size_t rows = alone ? only->height_in_blocks : reader->mcu_rows;
    bits data = {.at = reader->decoder->bytes + at, .end = reader->decoder->bytes + scan->end};
    int32_t latest[MAX_COMPS_IN_SCAN] = {0};
    for (size_t y = 0; y < rows; y++) {
        for (size_t x = 0; x < columns; x++) {
            for (int i = 0; i < count; i++) {
                means *to = &reader->means[order[i]];
                const size_t across = alone ? 1 : (size_t)cinfo->comp_info[order[i]].h_samp_factor;
                const size_t down = alone ? 1 : (size_t)cinfo->comp_info[order[i]].v_samp_factor;
                for (size_t block = 0; block < across * down; block++) {
                    int16_t *value =
                        to->values + (y * down + block / across) * to->columns + x * across + block % across;
                    if (is_first) {
                        latest[i] += read_difference(&data, &codes[i]);
                        if (latest[i] > INT16_MAX || latest[i] < INT16_MIN)
                            return false;
                        *value = (int16_t)((uint32_t)latest[i] << scan->bit);
                    } else {
                        if (data.count < 32)
                            refill(&data);
                        *value = (int16_t)(*value | (int32_t)(take(&data, 1) << scan->bit));
                    }
                }
            }
        }
        if (data.broken || data.count < data.padding)
            return false;
    }
    return true;
}

// jpeg_idct_1x1() with its table of limits, which repeats beyond the range of valid means.
static JSAMPLE sample(int32_t mean, int32_t step)
{
    const int32_t value = ((mean * step + 4) >> 3) & 1023;
    return (JSAMPLE)(value < 128 ? value + 128 : value < 512 ? 255 : value < 896 ? 0 : value - 896);
}

static void write_plane(const hr_jpeg_decoder *decoder, const means *from, int component, const hr_target *plane)
{
    const jpeg_component_info *info = &decoder->cinfo.comp_info[component];
    const int32_t step = decoder->cinfo.quant_tbl_ptrs[info->quant_tbl_no]->quantval[0];
    const size_t first = (size_t)(decoder->first_mcu_row * info->v_samp_factor);
    for (size_t y = 0; y < (size_t)plane->height; y++)
        for (size_t x = 0; x < info->width_in_blocks; x++)
            plane->data[y * plane->stride + x] = sample(from->values[(first + y) * from->columns + x], step);
}

static bool fits(const hr_jpeg_decoder *decoder, int components)
{
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    // The scans are known only if the file is complete.
    if (decoder->fill_at_end == NULL || !cinfo->progressive_mode || cinfo->arith_code || cinfo->restart_interval != 0 ||
        cinfo->num_components > MAX_COMPS_IN_SCAN)
        return false;
    for (int c = 0; c < components; c++) {
        const jpeg_component_info *info = &cinfo->comp_info[c];
        if (info->DCT_scaled_size != 1 || info->quant_tbl_no < 0 || info->quant_tbl_no >= NUM_QUANT_TBLS ||
            cinfo->quant_tbl_ptrs[info->quant_tbl_no] == NULL)
            return false;
    }
    return true;
}

static bool prepare(reader *reader)
{
    const struct jpeg_decompress_struct *cinfo = &reader->decoder->cinfo;
    const size_t width = (size_t)cinfo->max_h_samp_factor * DCTSIZE;
    const size_t height = (size_t)cinfo->max_v_samp_factor * DCTSIZE;
    reader->mcu_columns = (cinfo->image_width + width - 1) / width;
    reader->mcu_rows = (cinfo->image_height + height - 1) / height;
    for (int i = 0; i < NUM_HUFF_TBLS; i++) {
        reader->has_table[i] = cinfo->dc_huff_tbl_ptrs[i] != NULL;
        if (reader->has_table[i])
            reader->tables[i] = *cinfo->dc_huff_tbl_ptrs[i];
    }
    for (int c = 0; c < cinfo->num_components; c++) {
        means *to = &reader->means[c];
        to->bit = -1;
        to->columns = reader->mcu_columns * (size_t)cinfo->comp_info[c].h_samp_factor;
        to->rows = reader->mcu_rows * (size_t)cinfo->comp_info[c].v_samp_factor;
        to->values = hr_memory_take(to->columns * to->rows * sizeof(int16_t));
        if (to->values == NULL)
            return false;
    }
    return true;
}

bool hr_jpeg_decode_means(hr_jpeg_decoder *decoder, const hr_target *planes, int components)
{
    if (!fits(decoder, components))
        return false;
    reader reader = {.decoder = decoder};
    bool done = prepare(&reader);
    for (int i = 0; done && i < decoder->scan_count; i++) {
        const hr_jpeg_scan *scan = &decoder->scans[i];
        if (i > 0)
            done = read_between(&reader, decoder->scans[i - 1].end, scan->start);
        if (done && scan->first == 0)
            done = read_scan(&reader, scan);
    }
    for (int c = 0; c < components; c++)
        done = done && reader.means[c].bit == 0;
    for (int c = 0; done && c < components; c++)
        write_plane(decoder, &reader.means[c], c, &planes[c]);
    for (int c = 0; c < decoder->cinfo.num_components; c++)
        hr_memory_give(reader.means[c].values, reader.means[c].columns * reader.means[c].rows * sizeof(int16_t));
    return done;
}
