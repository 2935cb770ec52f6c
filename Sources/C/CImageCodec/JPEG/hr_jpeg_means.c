// At 1/8 of the size, a block is one sample: its mean. A progressive file stores the means in separate scans, which are
// about a tenth of its bytes. To read them, libjpeg would allocate, clear and process all 64 coefficients of every
// block, which are 72 MB for 12 megapixels without subsampling. The samples equal libjpeg's, bit for bit.

#include "hr_jpeg_means.h"

#include "hr_jpeg_huffman.h"
#include "hr_jpeg_scans.h"
#include "hr_memory.h"

// The means of a component, in whole MCUs.
typedef struct means {
    int16_t *values;
    size_t columns, rows;
    int bit;  // the lowest decoded bit; -1 before the first scan
} means;

typedef struct reader {
    const hr_jpeg_decoder *decoder;
    size_t mcu_columns, mcu_rows;
    hr_jpeg_tables tables;
    means means[MAX_COMPONENTS];
} reader;

// The next difference of means; sets `broken` for a code that is not in the table.
static int32_t read_difference(hr_jpeg_bits *bits, const hr_jpeg_codes *codes)
{
    hr_jpeg_refill(bits);
    const int size = hr_jpeg_symbol(bits, codes);
    return size < 0 ? 0 : hr_jpeg_number(bits, size);
}

// Reads a scan of means, of components in the order of the file.
static bool read_scan(reader *reader, const hr_jpeg_scan *scan)
{
    const struct jpeg_decompress_struct *cinfo = &reader->decoder->cinfo;
    size_t at = scan->start;
    uint8_t code = 0;
    size_t length = 0;
    const uint8_t *segment = hr_jpeg_segment_at(reader->decoder, &at, &code, &length);
    if (segment == NULL || at > scan->end || scan->last != 0 || scan->bit > 13)
        return false;
    const int count = segment[2];
    const bool is_first = scan->earlier_bit == 0;
    hr_jpeg_codes codes[MAX_COMPS_IN_SCAN];
    int order[MAX_COMPS_IN_SCAN] = {0};
    for (int i = 0; i < count; i++) {
        int c = 0;
        while (c < cinfo->num_components && cinfo->comp_info[c].component_id != segment[3 + 2 * i])
            ++c;
        const int slot = segment[4 + 2 * i] >> 4;
        if (c == cinfo->num_components || reader->means[c].bit != (is_first ? -1 : scan->earlier_bit) ||
            (!is_first && scan->bit != scan->earlier_bit - 1))
            return false;
        if (is_first && !hr_jpeg_make_codes(&reader->tables, 0, slot, 15, &codes[i]))
            return false;
        reader->means[c].bit = scan->bit;
        order[i] = c;
    }
    const bool alone = count == 1;
    const jpeg_component_info *only = &cinfo->comp_info[order[0]];
    const size_t columns = alone ? only->width_in_blocks : reader->mcu_columns;
    const size_t rows = alone ? only->height_in_blocks : reader->mcu_rows;
    hr_jpeg_bits data = {.at = reader->decoder->bytes + at, .end = reader->decoder->bytes + scan->end};
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
                        hr_jpeg_refill(&data);
                        *value = (int16_t)(*value | (int32_t)(hr_jpeg_take(&data, 1) << scan->bit));
                    }
                }
            }
        }
        if (hr_jpeg_is_broken(&data))
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
    if (!hr_jpeg_has_plain_scans(decoder))
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
    hr_jpeg_first_tables(cinfo, &reader->tables);
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
            done = hr_jpeg_read_between(decoder, &reader.tables, decoder->scans[i - 1].end, scan->start);
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
