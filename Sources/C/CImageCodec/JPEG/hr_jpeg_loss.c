// Measures the loss in a damaged image: MCUs of the first scan with a wrong code or without data. Later scans only
// refine the first scan.
//
// libjpeg warns once if data are missing, and silently skips MCUs up to the next restart. Its function that decodes an
// MCU is therefore replaced when the first damage is found. Intact files are decoded without this replacement.

#include "hr_jpeg_loss.h"

#include <string.h>

static int64_t all_mcus(const struct jpeg_decompress_struct *cinfo)
{
    return (int64_t)cinfo->MCUs_per_row * cinfo->MCU_rows_in_scan;
}

static bool is_blank(j_decompress_ptr cinfo, JBLOCKROW *blocks)
{
    static const JBLOCK blank;
    for (int i = 0; i < cinfo->blocks_in_MCU; i++)
        if (memcmp(blocks[i][0], blank, sizeof blank) != 0)
            return false;
    return true;
}

static boolean decode_mcu(j_decompress_ptr cinfo, JBLOCKROW *blocks)
{
    hr_jpeg_decoder *decoder = cinfo->client_data;
    decoder->mcu_is_lost = false;
    const boolean done = decoder->decode_mcu(cinfo, blocks);
    if (cinfo->input_scan_number > 1)
        return done;
    // Without data, the arithmetic decoder continues with invented codes. At a wrong code it stops until the next
    // restart.
    const bool without_data = cinfo->arith_code
                                  ? (decoder->at_end && cinfo->unread_marker != 0) || is_blank(cinfo, blocks)
                                  : cinfo->unread_marker != 0 && is_blank(cinfo, blocks);
    decoder->lost_mcus += decoder->mcu_is_lost || without_data;
    if (decoder->lost_mcus * 2 > all_mcus(cinfo))
        hr_jpeg_refuse(decoder);
    return done;
}

void hr_jpeg_measure_loss(hr_jpeg_decoder *decoder, bool one)
{
    j_decompress_ptr cinfo = &decoder->cinfo;
    if (cinfo->input_scan_number > 1 || cinfo->entropy == NULL)
        return;
    hr_jpeg_entropy_decoder *entropy = hr_jpeg_entropy_of(cinfo);
    if (entropy->decode_mcu != decode_mcu) {
        decoder->decode_mcu = entropy->decode_mcu;
        entropy->decode_mcu = decode_mcu;
        decoder->lost_mcus += one;
    }
    decoder->mcu_is_lost |= one;
}

// Whether nothing can follow missing data: there are no restarts, or the next marker is not a restart.
static bool has_ended(const struct jpeg_decompress_struct *cinfo)
{
    const int marker = cinfo->unread_marker;
    return marker != 0 && (cinfo->restart_interval == 0 || marker < JPEG_RST0 || marker > JPEG_RST0 + 7);
}

bool hr_jpeg_lost_most(const hr_jpeg_decoder *decoder, bool data_are_missing)
{
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (cinfo->input_scan_number > 1)
        return false;
    const int64_t all = all_mcus(cinfo), rows = cinfo->total_iMCU_rows, row = cinfo->input_iMCU_row;
    int64_t lost = decoder->lost_mcus;
    // This ensures that a file without data takes no time.
    if (data_are_missing && has_ended(cinfo) && row < rows)
        lost += all / rows * (rows - 1 - row);
    return lost * 2 > all;
}

_Noreturn void hr_jpeg_refuse(hr_jpeg_decoder *decoder)
{
    char message[JMSG_LENGTH_MAX];
    j_common_ptr common = (j_common_ptr)&decoder->cinfo;
    common->err->format_message(common, message);
    hr_fail(decoder->error, decoder->at_end ? HR_TRUNCATED : HR_CORRUPT, message);
    longjmp(decoder->escape, 1);
}
