// Decodes the scans of progressive files (T.81, G.2). Together with hr_jpeg_blocks.c, a scaled image needs about two
// thirds of libjpeg's time. Each block has a set of its coefficients that are not 0, so that later bits are
// added to these coefficients without a search. Files that are damaged or have restart markers are left to libjpeg.

#include "hr_jpeg_bands.h"

#include "hr_jpeg_huffman.h"
#include "hr_jpeg_scans.h"

#include <stdlib.h>

enum { NO_BIT = -1, MOST_BIT = 13, LONGEST_RUN = 15 };

// The place of each coefficient in the order of the file (T.81, figure A.6).
static const uint8_t natural[DCTSIZE2] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                          12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                          35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                          58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

typedef struct reader {
    hr_jpeg_decoder *decoder;
    hr_jpeg_tables tables;
    // The lowest decoded bit of each coefficient.
    int8_t bits[MAX_COMPONENTS][DCTSIZE2];
} reader;

// A component of a scan.
typedef struct part {
    hr_jpeg_blocks *blocks;
    int index, slot;
    hr_jpeg_codes codes;
} part;

// The coefficients from `first` to `last`, as bits.
static uint64_t band(int first, int last) { return ~(uint64_t)0 << first & ~(uint64_t)0 >> (DCTSIZE2 - 1 - last); }

// libjpeg rejects tables in which a code consists of ones only.
static bool is_strict(const hr_jpeg_codes *codes) { return codes->end[HR_JPEG_LONGEST] < 1 << HR_JPEG_LONGEST; }

// MARK: Means

static bool read_mean(hr_jpeg_bits *bits, const hr_jpeg_scan *scan, const hr_jpeg_codes *codes, int32_t *latest,
                      JCOEF *value)
{
    hr_jpeg_refill(bits);
    if (scan->earlier_bit > 0) {
        *value = (JCOEF)(*value | (int32_t)(hr_jpeg_take(bits, 1) << scan->bit));
        return true;
    }
    const int size = hr_jpeg_symbol(bits, codes);
    if (size < 0)
        return false;
    *latest += hr_jpeg_number(bits, size);
    if (*latest > INT16_MAX || *latest < INT16_MIN)
        return false;
    *value = (JCOEF)((uint32_t)*latest << scan->bit);
    return true;
}

static bool read_means(const reader *reader, const hr_jpeg_scan *scan, const part *parts, int count, hr_jpeg_bits bits)
{
    const struct jpeg_decompress_struct *cinfo = &reader->decoder->cinfo;
    const jpeg_component_info *only = &cinfo->comp_info[parts[0].index];
    const bool alone = count == 1;
    const size_t columns = alone ? only->width_in_blocks : parts[0].blocks->columns / (size_t)only->h_samp_factor;
    const size_t rows = alone ? only->height_in_blocks : parts[0].blocks->rows / (size_t)only->v_samp_factor;
    for (int i = 0; i < count && !alone; i++) {
        const jpeg_component_info *info = &cinfo->comp_info[parts[i].index];
        if (parts[i].blocks->columns != columns * (size_t)info->h_samp_factor ||
            parts[i].blocks->rows != rows * (size_t)info->v_samp_factor)
            return false;
    }
    int32_t latest[MAX_COMPS_IN_SCAN] = {0};
    for (size_t y = 0; y < rows; y++) {
        for (size_t x = 0; x < columns; x++) {
            for (int i = 0; i < count; i++) {
                const jpeg_component_info *info = &cinfo->comp_info[parts[i].index];
                const size_t across = alone ? 1 : (size_t)info->h_samp_factor;
                const size_t down = alone ? 1 : (size_t)info->v_samp_factor;
                const hr_jpeg_blocks *to = parts[i].blocks;
                JCOEF unused = 0;
                for (size_t block = 0; block < across * down; block++) {
                    const size_t at = (y * down + block / across) * to->columns + x * across + block % across;
                    JCOEF *value = info->component_needed ? &to->blocks[at][0] : &unused;
                    if (!read_mean(&bits, scan, &parts[i].codes, &latest[i], value))
                        return false;
                }
            }
        }
        if (hr_jpeg_is_broken(&bits))
            return false;
    }
    return true;
}

// MARK: Other coefficients

// The number of zeroes before a coefficient, and the number of its bits; false for a code that is not in the table.
static inline bool read_code(hr_jpeg_bits *bits, const hr_jpeg_codes *codes, int *run, int *size)
{
    hr_jpeg_refill(bits);
    const int symbol = hr_jpeg_symbol(bits, codes);
    *run = symbol >> 4;
    *size = symbol & 15;
    return symbol >= 0;
}

// The number of blocks without further coefficients, including this one, after its symbol.
static uint32_t read_run(hr_jpeg_bits *bits, int size) { return (1U << size) + hr_jpeg_take(bits, size); }

// Reads the first bits of a band of a block. 0 for damage; otherwise 1 plus the number of following blocks without
// coefficients.
static uint32_t read_first(hr_jpeg_bits *bits, const hr_jpeg_scan *scan, const hr_jpeg_codes *codes, JCOEF *block,
                           uint64_t *nonzero)
{
    uint64_t found = 0;
    for (int k = scan->first; k <= scan->last; k++) {
        int run = 0, size = 0;
        if (!read_code(bits, codes, &run, &size))
            return 0;
        if (size == 0 && run < LONGEST_RUN) {
            *nonzero |= found;
            return read_run(bits, run);
        }
        k += run;
        if (size == 0)
            continue;
        if (k > scan->last || size + scan->bit > LONGEST_RUN)
            return 0;
        block[natural[k]] = (JCOEF)(hr_jpeg_number(bits, size) * (1 << scan->bit));
        found |= (uint64_t)1 << k;
    }
    *nonzero |= found;
    return 1;
}

// Adds the next bit to each coefficient in `which`. It has no branch that depends on a bit, because processors cannot
// predict it.
static inline void correct(hr_jpeg_bits *bits, int bit, JCOEF *block, uint64_t which)
{
    for (; which != 0; which &= which - 1) {
        hr_jpeg_refill(bits);
        JCOEF *value = &block[natural[__builtin_ctzll(which)]];
        // 1 << bit for positive coefficients, and its opposite for negative ones.
        const int32_t sign = -(*value < 0), step = ((1 << bit) ^ sign) - sign;
        *value = (JCOEF)(*value + (step & -(int32_t)hr_jpeg_take(bits, 1)));
    }
}

// Reads a later bit of a band of a block, like read_first.
static uint32_t read_later(hr_jpeg_bits *bits, const hr_jpeg_scan *scan, const hr_jpeg_codes *codes, JCOEF *block,
                           uint64_t *nonzero)
{
    const uint64_t known = *nonzero;
    uint64_t left = band(scan->first, scan->last);
    while (left != 0) {
        int run = 0, size = 0;
        if (!read_code(bits, codes, &run, &size))
            return 0;
        if (size == 0 && run < LONGEST_RUN) {
            const uint32_t count = read_run(bits, run);
            correct(bits, scan->bit, block, known & left);
            return count;
        }
        if (size > 1)
            return 0;
        const int32_t is_negative = (int32_t)hr_jpeg_take(bits, size) - 1;
        uint64_t zeroes = left & ~known;
        if ((left & known) == 0) {
            zeroes &= zeroes << run;
        } else {
            for (int i = 0; i < run; i++)
                zeroes &= zeroes - 1;
        }
        if (zeroes == 0)
            return 0;
        const uint64_t place = zeroes & -zeroes;
        correct(bits, scan->bit, block, known & left & (place - 1));
        if (size == 1) {
            block[natural[__builtin_ctzll(place)]] = (JCOEF)(((1 << scan->bit) ^ is_negative) - is_negative);
            *nonzero |= place;
        }
        left &= ~(place | (place - 1));
    }
    return 1;
}

static bool read_band(const reader *reader, const hr_jpeg_scan *scan, const part *part, hr_jpeg_bits bits)
{
    const jpeg_component_info *info = &reader->decoder->cinfo.comp_info[part->index];
    const hr_jpeg_blocks *to = part->blocks;
    const uint64_t coefficients = band(scan->first, scan->last);
    // The number of blocks without further coefficients.
    uint32_t run = 0;
    for (size_t y = 0; y < info->height_in_blocks; y++) {
        JBLOCK *blocks = to->blocks + y * to->columns;
        uint64_t *nonzero = to->nonzero + y * to->columns;
        for (size_t x = 0; x < info->width_in_blocks; x++) {
            if (run > 0) {
                --run;
                if (scan->earlier_bit > 0)
                    correct(&bits, scan->bit, blocks[x], nonzero[x] & coefficients);
                continue;
            }
            const uint32_t result = scan->earlier_bit > 0
                                        ? read_later(&bits, scan, &part->codes, blocks[x], &nonzero[x])
                                        : read_first(&bits, scan, &part->codes, blocks[x], &nonzero[x]);
            if (result == 0)
                return false;
            run = result - 1;
        }
        if (hr_jpeg_is_broken(&bits))
            return false;
    }
    return true;
}

// MARK: Scans

// Finds the components of a scan and their tables; false for a scan that libjpeg might reject.
static bool find_parts(reader *reader, const hr_jpeg_scan *scan, const uint8_t *segment, part *parts, int count)
{
    const struct jpeg_decompress_struct *cinfo = &reader->decoder->cinfo;
    const bool is_mean = scan->first == 0, is_first = scan->earlier_bit == 0;
    if (is_mean ? scan->last != 0 : count != 1)
        return false;
    if (scan->bit > MOST_BIT || (!is_first && scan->bit != scan->earlier_bit - 1))
        return false;
    for (int i = 0; i < count; i++) {
        part *to = &parts[i];
        to->index = 0;
        while (to->index < cinfo->num_components && cinfo->comp_info[to->index].component_id != segment[3 + 2 * i])
            ++to->index;
        if (to->index == cinfo->num_components)
            return false;
        to->blocks = &reader->decoder->blocks[to->index];
        for (int k = scan->first; k <= scan->last; k++) {
            if (reader->bits[to->index][k] != (is_first ? NO_BIT : scan->earlier_bit))
                return false;
            reader->bits[to->index][k] = (int8_t)scan->bit;
        }
        // Later bits of means have no codes.
        if (is_mean && !is_first)
            continue;
        const int slots = segment[4 + 2 * i];
        if (!hr_jpeg_make_codes(&reader->tables, !is_mean, is_mean ? slots >> 4 : slots & 15, is_mean ? 15 : 255,
                                &to->codes) ||
            !is_strict(&to->codes))
            return false;
    }
    return true;
}

static bool read_scan(reader *reader, const hr_jpeg_scan *scan)
{
    const hr_jpeg_decoder *decoder = reader->decoder;
    size_t at = scan->start, length = 0;
    uint8_t code = 0;
    const uint8_t *segment = hr_jpeg_segment_at(decoder, &at, &code, &length);
    if (segment == NULL || at > scan->end)
        return false;
    const int count = segment[2];
    part parts[MAX_COMPS_IN_SCAN];
    if (!find_parts(reader, scan, segment, parts, count))
        return false;
    const hr_jpeg_bits bits = {.at = decoder->bytes + at, .end = decoder->bytes + scan->end};
    return scan->first == 0 ? read_means(reader, scan, parts, count, bits) : read_band(reader, scan, parts, bits);
}

static bool read_scans(reader *reader)
{
    const hr_jpeg_decoder *decoder = reader->decoder;
    for (int i = 0; i < decoder->scan_count; i++) {
        const hr_jpeg_scan *scan = &decoder->scans[i];
        if (i > 0 && !hr_jpeg_read_between(decoder, &reader->tables, decoder->scans[i - 1].end, scan->start))
            return false;
        if (scan->kept && !read_scan(reader, scan))
            return false;
    }
    return true;
}

bool hr_jpeg_decode_bands(hr_jpeg_decoder *decoder)
{
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!hr_jpeg_has_plain_scans(decoder))
        return false;
    reader reader = {.decoder = decoder};
    hr_jpeg_first_tables(cinfo, &reader.tables);
    bool done = true;
    for (int c = 0; c < cinfo->num_components; c++) {
        for (int k = 0; k < DCTSIZE2; k++)
            reader.bits[c][k] = NO_BIT;
        hr_jpeg_blocks *blocks = &decoder->blocks[c];
        blocks->nonzero = calloc(blocks->columns * blocks->rows, sizeof *blocks->nonzero);
        done = done && blocks->nonzero != NULL;
    }
    done = done && read_scans(&reader);
    // libjpeg reads the quantisation table of a component with its first scan.
    for (int c = 0; c < cinfo->num_components; c++)
        done = done && (!cinfo->comp_info[c].component_needed || reader.bits[c][0] != NO_BIT);
    for (int c = 0; c < cinfo->num_components; c++) {
        free(decoder->blocks[c].nonzero);
        decoder->blocks[c].nonzero = NULL;
    }
    return done;
}
