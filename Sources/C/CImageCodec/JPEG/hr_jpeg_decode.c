#include "hr_jpeg_bands.h"
#include "hr_jpeg_blocks.h"
#include "hr_jpeg_decoder.h"
#include "hr_jpeg_end.h"
#include "hr_jpeg_loss.h"
#include "hr_jpeg_markers.h"
#include "hr_jpeg_means.h"
#include "hr_jpeg_scans.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

static hr_status status_of(int code)
{
    switch (code) {
    case JERR_OUT_OF_MEMORY:
        return HR_NO_MEMORY;
    case JERR_IMAGE_TOO_BIG:
    case JERR_NO_BACKING_STORE:
    case JERR_WIDTH_OVERFLOW:
        return HR_TOO_LARGE;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_NOTIMPL:
    case JERR_SOF_UNSUPPORTED:
        return HR_UNSUPPORTED;
    default:
        return HR_CORRUPT;
    }
}

// The coding that caused an error of libjpeg, from the frame header (T.81, table B.1; T.87 for JPEG-LS); otherwise
// NULL.
static const char *coding_of(const struct jpeg_error_mgr *errors)
{
    const int marker = errors->msg_parm.i[0];
    if (errors->msg_code == JERR_UNKNOWN_MARKER)
        return marker == 0xF7 ? "JPEG-LS coding" : NULL;
    if (errors->msg_code != JERR_SOF_UNSUPPORTED)
        return NULL;
    return (marker & 3) == 3 ? "lossless JPEG coding" : marker == 0xC8 ? NULL : "hierarchical JPEG coding";
}

static void on_error(j_common_ptr cinfo)
{
    hr_jpeg_decoder *decoder = cinfo->client_data;
    char message[JMSG_LENGTH_MAX];
    cinfo->err->format_message(cinfo, message);
    hr_status status = status_of(cinfo->err->msg_code);
    const char *name = coding_of(cinfo->err);
    if (name != NULL) {
        status = HR_UNSUPPORTED;
        snprintf(message, sizeof message, "%s", name);
    }
    if (status == HR_CORRUPT && decoder->at_end)
        status = HR_TRUNCATED;
    hr_fail(decoder->error, status, message);
    longjmp(decoder->escape, 1);
}

// Warnings decide whether a damaged file is accepted. Only warnings that affect pixels count.
static void on_message(j_common_ptr common, int level)
{
    if (level >= 0)
        return;
    hr_jpeg_decoder *decoder = common->client_data;
    const int code = common->err->msg_code;
    switch (code) {
    case JWRN_JPEG_EOF:
        decoder->at_end = true;
        // The arithmetic decoder continues with zeroes without a warning; the Huffman decoder warns about missing
        // bits.
        if (!decoder->cinfo.arith_code)
            return;
        break;
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
        break;
    default:
        return;
    }
    decoder->damaged = true;
    if (decoder->limits.whole)
        hr_jpeg_refuse(decoder);
    // A wrong restart marker by itself loses no data: libjpeg continues after it, or waits for the missing data.
    hr_jpeg_measure_loss(decoder, code != JWRN_MUST_RESYNC);
    const bool is_wrong_code = code == JWRN_HUFF_BAD_CODE || code == JWRN_ARITH_BAD_CODE;
    if (hr_jpeg_lost_most(decoder, !is_wrong_code))
        hr_jpeg_refuse(decoder);
}

// A file with a few bytes per scan can cause thousands of passes over a large image.
static void on_progress(j_common_ptr common)
{
    hr_jpeg_decoder *decoder = common->client_data;
    if (decoder->cinfo.input_scan_number > decoder->limits.max_scans) {
        hr_fail(decoder->error, HR_TOO_LARGE, "more scans than are allowed");
        longjmp(decoder->escape, 1);
    }
}

static bool color_of(J_COLOR_SPACE space, hr_jpeg_color *color)
{
    switch (space) {
    case JCS_GRAYSCALE:
        *color = HR_JPEG_GRAY;
        return true;
    case JCS_YCbCr:
        *color = HR_JPEG_YCC;
        return true;
    case JCS_RGB:
        *color = HR_JPEG_RGB;
        return true;
    case JCS_CMYK:
        *color = HR_JPEG_CMYK;
        return true;
    case JCS_YCCK:
        *color = HR_JPEG_YCCK;
        return true;
    default:
        return false;
    }
}

static int64_t rounded_up(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

static void find_exif(const struct jpeg_decompress_struct *cinfo, hr_jpeg_info *info)
{
    for (jpeg_saved_marker_ptr m = cinfo->marker_list; m != NULL; m = m->next) {
        if (m->marker == JPEG_APP0 + 1) {
            info->exif = m->data + 6;
            info->exif_count = m->data_length - 6;
            return;
        }
    }
}

static void measure(struct jpeg_decompress_struct *cinfo, hr_jpeg_info *info)
{
    for (int n = 1; n <= 8; n++) {
        cinfo->scale_num = (unsigned)n;
        cinfo->scale_denom = 8;
        jpeg_calc_output_dimensions(cinfo);
        for (int c = 0; c < cinfo->num_components; c++) {
            const jpeg_component_info *component = &cinfo->comp_info[c];
            int64_t stride = rounded_up((int64_t)component->width_in_blocks * component->DCT_scaled_size, 64);
            info->plane_bytes[n - 1] += stride * component->downsampled_height;
        }
    }
    info->holds_coefficients = jpeg_has_multiple_scans(cinfo);
    for (int c = 0; c < cinfo->num_components; c++) {
        const jpeg_component_info *component = &cinfo->comp_info[c];
        // A block also needs a bit for each coefficient (hr_jpeg_bands.c).
        info->coefficient_bytes += rounded_up(component->width_in_blocks, component->h_samp_factor) *
                                   rounded_up(component->height_in_blocks, component->v_samp_factor) *
                                   (int64_t)(sizeof(JBLOCK) + DCTSIZE2 / 8);
    }
}

static void find_tables(const struct jpeg_decompress_struct *cinfo, hr_jpeg_info *info)
{
    info->has_tables = true;
    for (int c = 0; c < cinfo->num_components; c++) {
        const int slot = cinfo->comp_info[c].quant_tbl_no;
        const JQUANT_TBL *table = slot >= 0 && slot < NUM_QUANT_TBLS ? cinfo->quant_tbl_ptrs[slot] : NULL;
        for (int i = 0; table != NULL && i < DCTSIZE2; i++) {
            info->tables[c][i] = table->quantval[i];
            // libjpeg reads a divisor of 0, which no encoder may write (T.81, B.2.4.1).
            info->has_tables &= table->quantval[i] > 0;
        }
        info->has_tables &= table != NULL;
    }
}

hr_status hr_jpeg_open(const uint8_t *bytes, size_t count, hr_jpeg_limits limits, hr_jpeg_decoder **out,
                       hr_jpeg_info *info, hr_error *error)
{
    memset(info, 0, sizeof *info);
    error->message[0] = 0;
    hr_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    *out = decoder;
    if (decoder == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    decoder->error = error;
    decoder->limits = limits;
    decoder->bytes = bytes;
    decoder->count = count;
    cinfo->err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = on_error;
    decoder->errors.emit_message = on_message;
    cinfo->client_data = decoder;
    if (setjmp(decoder->escape))
        return error->status;
    jpeg_create_decompress(cinfo);
    decoder->progress.progress_monitor = on_progress;
    cinfo->progress = &decoder->progress;
    cinfo->mem->max_memory_to_use = limits.max_memory;
    if (!hr_jpeg_read_height(decoder))
        return hr_fail(error, HR_NO_MEMORY, "no memory for the file");
    jpeg_mem_src(cinfo, decoder->bytes, count);
    hr_jpeg_keep_markers(cinfo);
    hr_jpeg_end_before_trailer(decoder);
    jpeg_read_header(cinfo, TRUE);

    info->width = (int)cinfo->image_width;
    info->height = (int)cinfo->image_height;
    info->components = cinfo->num_components;
    if (!color_of(cinfo->jpeg_color_space, &info->color))
        return hr_fail(error, HR_UNSUPPORTED, "colour components with an unknown meaning");
    info->copied_bytes = decoder->amended != NULL ? count : 0;
    info->progressive = cinfo->progressive_mode;
    cinfo->out_color_space = cinfo->jpeg_color_space;
    for (int c = 0; c < cinfo->num_components; c++) {
        info->h_samp[c] = cinfo->comp_info[c].h_samp_factor;
        info->v_samp[c] = cinfo->comp_info[c].v_samp_factor;
    }
    find_exif(cinfo, info);
    if (!hr_jpeg_read_profile(cinfo, &decoder->icc, &info->icc_count))
        return hr_fail(error, HR_NO_MEMORY, "no memory for a profile");
    info->icc = decoder->icc;
    measure(cinfo, info);
    find_tables(cinfo, info);
    return HR_OK;
}

// Finds the rows of MCUs that cover the requested rows of samples, the smallest unit of jpeg_read_raw_data.
static void choose_rows(hr_jpeg_decoder *decoder, hr_jpeg_rows rows)
{
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    const int64_t lines = cinfo->max_v_samp_factor * cinfo->min_DCT_scaled_size;
    const int64_t all = (cinfo->output_height + lines - 1) / lines;
    decoder->first_mcu_row = rows.first <= 0 ? 0 : rows.first / lines < all ? rows.first / lines : all - 1;
    decoder->end_mcu_row = rounded_up(rows.end, lines) / lines;
    if (decoder->end_mcu_row <= decoder->first_mcu_row)
        decoder->end_mcu_row = decoder->first_mcu_row + 1;
    if (decoder->end_mcu_row > all)
        decoder->end_mcu_row = all;
}

// The first row of a component that is kept, and the number of kept rows.
static int64_t first_row(const hr_jpeg_decoder *decoder, const jpeg_component_info *component)
{
    return decoder->first_mcu_row * component->v_samp_factor * component->DCT_scaled_size;
}

static int row_count(const hr_jpeg_decoder *decoder, const jpeg_component_info *component)
{
    int64_t end = decoder->end_mcu_row * component->v_samp_factor * component->DCT_scaled_size;
    if (end > component->downsampled_height)
        end = component->downsampled_height;
    return (int)(end - first_row(decoder, component));
}

hr_status hr_jpeg_prepare(hr_jpeg_decoder *decoder, int eighths, bool first_only, hr_jpeg_rows rows,
                          hr_jpeg_layout *layout, hr_error *error)
{
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    memset(layout, 0, sizeof *layout);
    decoder->error = error;
    decoder->first_only = first_only;
    if (setjmp(decoder->escape))
        return error->status;
    cinfo->scale_num = (unsigned)eighths;
    cinfo->scale_denom = 8;
    cinfo->raw_data_out = TRUE;
    cinfo->dct_method = JDCT_ISLOW;
    jpeg_calc_output_dimensions(cinfo);
    choose_rows(decoder, rows);
    const int64_t lines = cinfo->max_v_samp_factor * cinfo->min_DCT_scaled_size;
    const int64_t end = decoder->end_mcu_row * lines;
    layout->width = (int)cinfo->output_width;
    layout->first_row = (int)(decoder->first_mcu_row * lines);
    layout->height = (int)(end < cinfo->output_height ? end : cinfo->output_height) - layout->first_row;
    layout->components = first_only ? 1 : cinfo->num_components;
    for (int c = 0; c < cinfo->num_components; c++) {
        const jpeg_component_info *from = &cinfo->comp_info[c];
        hr_jpeg_component *to = &layout->component[c];
        to->width = (int)from->downsampled_width;
        to->height = row_count(decoder, from);
        to->min_stride = (size_t)from->width_in_blocks * (size_t)from->DCT_scaled_size;
        to->h_num = from->h_samp_factor * from->DCT_scaled_size;
        to->h_den = cinfo->max_h_samp_factor * cinfo->min_DCT_scaled_size;
        to->v_num = from->v_samp_factor * from->DCT_scaled_size;
        to->v_den = cinfo->max_v_samp_factor * cinfo->min_DCT_scaled_size;
        // The component is neither dequantised nor transformed; the entropy decoder only skips its data.
        if (first_only && c > 0)
            cinfo->comp_info[c].component_needed = FALSE;
    }
    return HR_OK;
}

static bool fits(const hr_jpeg_decoder *decoder, const hr_target *planes, int components, size_t *longest)
{
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    for (int c = 0; c < cinfo->num_components; c++) {
        const jpeg_component_info *component = &cinfo->comp_info[c];
        size_t row = (size_t)component->width_in_blocks * (size_t)component->DCT_scaled_size;
        if (row > *longest)
            *longest = row;
        if (c < components && (planes[c].stride < row || planes[c].width != (int)component->downsampled_width ||
                               planes[c].height != row_count(decoder, component)))
            return false;
    }
    return true;
}

static void read_rows(hr_jpeg_decoder *decoder, const hr_target *planes, int components)
{
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    // Up to 4 blocks of up to 14 rows (scaled chroma at 7/8 of the size); jpeg_read_raw_data requires whole iMCU rows.
    JSAMPROW rows[MAX_COMPS_IN_SCAN][MAX_SAMP_FACTOR * 2 * DCTSIZE];
    JSAMPARRAY arrays[MAX_COMPS_IN_SCAN];
    // Rows below are neither decoded nor required.
    while (cinfo->output_iMCU_row < decoder->end_mcu_row) {
        const bool wanted = cinfo->output_iMCU_row >= decoder->first_mcu_row;
        for (int c = 0; c < cinfo->num_components; c++) {
            jpeg_component_info *component = &cinfo->comp_info[c];
            // Blocks above are entropy-decoded, because later blocks depend on them, but not transformed.
            component->component_needed = wanted && c < components;
            int64_t count = component->v_samp_factor * component->DCT_scaled_size;
            int64_t first = (int64_t)cinfo->output_iMCU_row * count - first_row(decoder, component);
            for (int64_t r = 0; r < count; r++) {
                bool kept = wanted && c < components && first + r < planes[c].height;
                rows[c][r] = kept ? planes[c].data + (size_t)(first + r) * planes[c].stride : decoder->spare;
            }
            arrays[c] = rows[c];
        }
        JDIMENSION lines = (JDIMENSION)(cinfo->max_v_samp_factor * cinfo->min_DCT_scaled_size);
        jpeg_read_raw_data(cinfo, arrays, lines);
    }
}

// Provides memory for the coefficients of a file with several scans. If this is not possible, libjpeg allocates them, or
// rejects the file.
static void hold_coefficients(hr_jpeg_decoder *decoder)
{
    if (!jpeg_has_multiple_scans(&decoder->cinfo) || !hr_jpeg_take_blocks(decoder))
        return;
    decoder->is_decoded = hr_jpeg_decode_bands(decoder);
    if (decoder->is_decoded) {
        hr_jpeg_leave_out_data(decoder);
    } else {
        hr_jpeg_give_blocks(decoder);
        if (!hr_jpeg_take_blocks(decoder))
            return;
    }
    hr_jpeg_use_blocks(decoder);
}

hr_status hr_jpeg_decode(hr_jpeg_decoder *decoder, const hr_target *planes, hr_error *error)
{
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    const int components = decoder->first_only ? 1 : cinfo->num_components;
    decoder->error = error;
    error->message[0] = 0;
    size_t longest = 0;
    if (!fits(decoder, planes, components, &longest))
        return hr_fail(error, HR_FAILED, "planes do not match the image size");
    decoder->spare = malloc(longest);
    if (decoder->spare == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a row");

    if (setjmp(decoder->escape))
        return error->status;
    hr_jpeg_leave_out_scans(decoder);
    if (hr_jpeg_decode_means(decoder, planes, components))
        return HR_OK;
    hold_coefficients(decoder);
    jpeg_start_decompress(cinfo);
    read_rows(decoder, planes, components);
    return HR_OK;
}

bool hr_jpeg_is_damaged(const hr_jpeg_decoder *decoder) { return decoder->damaged; }

void hr_jpeg_close(hr_jpeg_decoder *decoder)
{
    if (decoder == NULL)
        return;
    jpeg_destroy_decompress(&decoder->cinfo);
    hr_jpeg_give_blocks(decoder);
    free(decoder->amended);
    free(decoder->icc);
    free(decoder->spare);
    free(decoder);
}
