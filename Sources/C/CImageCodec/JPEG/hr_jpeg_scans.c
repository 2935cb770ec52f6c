// A progressive file stores its coefficients in about ten scans, each with a band of frequencies and some of their
// bits. A scaled image needs only the low frequencies, and not all of their bits. At 1/8, it needs only the mean of
// each block, which is in two of ten scans. The other scans are hidden from libjpeg, as if the file had fewer scans.

#include "hr_jpeg_scans.h"

#include <string.h>

// The maximum mean squared error that skipped scans may cause in a component: 40 dB below 255.
static const double largest_error = 6.5;

// The frequency of each coefficient in the order of the file (T.81, figure A.6).
static const uint8_t zigzag_row[DCTSIZE2] = {0, 0, 1, 2, 1, 0, 0, 1, 2, 3, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6,
                                             5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 2,
                                             3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 4, 5, 6, 7, 7, 6, 5, 6, 7, 7};
static const uint8_t zigzag_column[DCTSIZE2] = {0, 1, 0, 0, 1, 2, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 0,
                                                1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 7,
                                                6, 5, 4, 3, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 5, 6, 7, 7, 6, 7};

static bool is_restart(uint8_t code) { return code >= 0xD0 && code <= 0xD7; }

// The marker after the entropy-coded data that start at `at`; `count` if there is none.
static size_t end_of_data(const uint8_t *bytes, size_t at, size_t count)
{
    while (at < count) {
        const uint8_t *found = memchr(bytes + at, 0xFF, count - at);
        if (found == NULL)
            return count;
        at = (size_t)(found - bytes);
        while (at < count && bytes[at] == 0xFF)
            ++at;
        if (at < count && bytes[at] != 0 && !is_restart(bytes[at]))
            return at - 1;
        ++at;
    }
    return count;
}

static int component_index(const struct jpeg_decompress_struct *cinfo, int identifier)
{
    int found = -1;
    for (int c = 0; c < cinfo->num_components; c++) {
        if (cinfo->comp_info[c].component_id != identifier)
            continue;
        if (found >= 0)
            return -1;
        found = c;
    }
    return found;
}

// Reads the segment of a scan (T.81, B.2.3) of `length` bytes.
static bool read_scan(const struct jpeg_decompress_struct *cinfo, const uint8_t *segment, size_t length,
                      hr_jpeg_scan *scan)
{
    const size_t components = length > 2 ? segment[2] : 0;
    if (components < 1 || components > MAX_COMPS_IN_SCAN || length != 6 + 2 * components)
        return false;
    for (size_t i = 0; i < components; i++) {
        const int c = component_index(cinfo, segment[3 + 2 * i]);
        if (c < 0)
            return false;
        scan->components |= 1U << c;
    }
    const uint8_t *rest = segment + 3 + 2 * components;
    scan->first = rest[0];
    scan->last = rest[1];
    scan->earlier_bit = rest[2] >> 4;
    scan->bit = rest[2] & 15;
    return scan->first <= scan->last && scan->last < DCTSIZE2;
}

// Finds the scans of a complete file; false for any other file.
static bool find_scans(hr_jpeg_decoder *decoder)
{
    const uint8_t *bytes = decoder->bytes;
    const size_t count = decoder->count;
    size_t at = 2;
    while (at < count && bytes[at] == 0xFF) {
        const size_t start = at;
        while (at < count && bytes[at] == 0xFF)
            ++at;
        if (at >= count)
            return false;
        const uint8_t code = bytes[at++];
        if (code == JPEG_EOI)
            return true;
        if (code <= 1 || is_restart(code) || code == 0xD8 || count - at < 2)
            return false;
        const size_t length = (size_t)bytes[at] << 8 | bytes[at + 1];
        if (length < 2 || length > count - at)
            return false;
        if (code == 0xDA) {
            if (decoder->scan_count == HR_JPEG_MAX_SCANS_LEFT_OUT)
                return false;
            hr_jpeg_scan *scan = &decoder->scans[decoder->scan_count++];
            *scan = (hr_jpeg_scan){.start = start, .end = end_of_data(bytes, at + length, count)};
            if (!read_scan(&decoder->cinfo, bytes + at, length, scan))
                return false;
            at = scan->end;
        } else {
            at += length;
        }
    }
    return false;
}

// The weight of a coefficient of one direction at `size` of 8 pixels per block; negligible weights are 0.
//
// libjpeg's transform to 2 pixels also uses the odd frequencies (jidctred.c), in order to compute the mean of the
// pixels.
static double share(int size, int frequency)
{
    static const double of_two[DCTSIZE] = {1, 1, 0, 0.35};
    if (size == 2)
        return of_two[frequency];
    return frequency < size ? 1 : 0;
}

static double weight(int size, int index) { return share(size, zigzag_row[index]) * share(size, zigzag_column[index]); }

// The lowest bit of a coefficient in the scans down to `level`; -1 if there is none.
static int lowest_bit(const hr_jpeg_decoder *decoder, int component, int index, int level)
{
    int lowest = -1;
    for (int i = 0; i < decoder->scan_count; i++) {
        const hr_jpeg_scan *scan = &decoder->scans[i];
        if ((scan->components >> component & 1) && scan->first <= index && index <= scan->last && scan->bit >= level &&
            (lowest < 0 || scan->bit < lowest))
            lowest = scan->bit;
    }
    return lowest;
}

// Whether a component is good enough without the bits below `level`. An unknown bit is as likely 0 as 1, so that n
// unknown bits cause a mean squared error of (2^n - 1)(2^(n+1) - 1) / 6 steps; the transform is orthonormal.
static bool suffices(const hr_jpeg_decoder *decoder, int component, int level)
{
    const jpeg_component_info *info = &decoder->cinfo.comp_info[component];
    const int slot = info->quant_tbl_no;
    const JQUANT_TBL *table = slot >= 0 && slot < NUM_QUANT_TBLS ? decoder->cinfo.quant_tbl_ptrs[slot] : NULL;
    if (table == NULL)
        return false;
    double error = 0;
    for (int i = 1; i < DCTSIZE2; i++) {
        const double counts = weight(info->DCT_scaled_size, i);
        if (counts <= 0)
            continue;
        const int bits = lowest_bit(decoder, component, i, level);
        if (bits < 0)
            return false;
        const double step = counts * table->quantval[zigzag_row[i] * DCTSIZE + zigzag_column[i]];
        const double range = (double)(1 << bits);
        error += step * step * (range - 1) * (2 * range - 1) / 6;
    }
    return error / DCTSIZE2 <= largest_error;
}

// Marks the scans that a component needs. A scan with later bits needs all earlier scans of its whole band.
static void keep_scans(hr_jpeg_decoder *decoder, int component)
{
    int level = 13;
    while (level > 0 && !suffices(decoder, component, level))
        --level;
    bool needed[DCTSIZE2] = {true};
    for (int i = 1; i < DCTSIZE2; i++)
        needed[i] = weight(decoder->cinfo.comp_info[component].DCT_scaled_size, i) > 0;
    for (int n = decoder->scan_count - 1; n >= 0; n--) {
        hr_jpeg_scan *scan = &decoder->scans[n];
        if (!(scan->components >> component & 1) || (scan->first > 0 && scan->bit < level))
            continue;
        bool overlaps = false;
        for (int i = scan->first; i <= scan->last; i++)
            overlaps |= needed[i];
        if (!overlaps)
            continue;
        scan->kept = true;
        for (int i = scan->first; i <= scan->last; i++)
            needed[i] = true;
    }
}

// Passes libjpeg the bytes from `at` up to the next skipped scan; false at the end of the file.
static bool read_from(hr_jpeg_decoder *decoder, size_t at)
{
    while (decoder->next_scan < decoder->scan_count) {
        const hr_jpeg_scan *scan = &decoder->scans[decoder->next_scan];
        if (!scan->kept && scan->start > at)
            break;
        if (!scan->kept)
            at = scan->end;
        ++decoder->next_scan;
    }
    const bool is_last = decoder->next_scan == decoder->scan_count;
    const size_t end = is_last ? decoder->count : decoder->scans[decoder->next_scan].start;
    decoder->cinfo.src->next_input_byte = decoder->bytes + at;
    decoder->cinfo.src->bytes_in_buffer = end - at;
    return end > at;
}

static boolean fill(j_decompress_ptr cinfo)
{
    hr_jpeg_decoder *decoder = cinfo->client_data;
    const size_t at = (size_t)(cinfo->src->next_input_byte - decoder->bytes) + cinfo->src->bytes_in_buffer;
    if (decoder->next_scan < decoder->scan_count && read_from(decoder, at))
        return TRUE;
    cinfo->src->fill_input_buffer = decoder->fill_at_end;
    return decoder->fill_at_end(cinfo);
}

void hr_jpeg_leave_out_scans(hr_jpeg_decoder *decoder)
{
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (decoder->limits.whole || !jpeg_has_multiple_scans(cinfo) || cinfo->min_DCT_scaled_size > DCTSIZE / 2)
        return;
    if (!find_scans(decoder) || decoder->scan_count > decoder->limits.max_scans)
        return;
    // The segment of the first scan has been read with the header.
    decoder->scans[0].kept = true;
    for (int c = 0; c < cinfo->num_components; c++)
        if (cinfo->comp_info[c].component_needed)
            keep_scans(decoder, c);
    // Smoothing would estimate the coefficients of the skipped scans.
    cinfo->do_block_smoothing = FALSE;
    decoder->fill_at_end = cinfo->src->fill_input_buffer;
    cinfo->src->fill_input_buffer = fill;
    read_from(decoder, (size_t)(cinfo->src->next_input_byte - decoder->bytes));
}

void hr_jpeg_leave_out_data(hr_jpeg_decoder *decoder)
{
    // libjpeg reads the quantisation table of a component with its first scan.
    for (int i = 1; i < decoder->scan_count; i++)
        decoder->scans[i].kept &= decoder->scans[i].first == 0 && decoder->scans[i].earlier_bit == 0;
    decoder->next_scan = 0;
    read_from(decoder, decoder->scans[0].end);
}

bool hr_jpeg_has_plain_scans(const hr_jpeg_decoder *decoder)
{
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    return decoder->fill_at_end != NULL && cinfo->progressive_mode && !cinfo->arith_code &&
           cinfo->restart_interval == 0 && cinfo->num_components <= MAX_COMPS_IN_SCAN;
}
