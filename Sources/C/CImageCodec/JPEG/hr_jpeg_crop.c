// Crops and orients a JPEG without decoding it to samples. Coefficient blocks are transposed and their signs changed,
// which is lossless; block positions are fixed, so crops start at MCU boundaries.

#include "hr_jpeg_decoder.h"
#include "hr_jpeg_writer.h"

#include <string.h>

// The transformation of stored blocks to upright blocks.
typedef struct turn {
    bool swaps;      // rows become columns
    bool from_end;   // the left edge is the last stored column or row
    bool from_foot;  // the top edge is the last stored row or column
    // The source of coefficient i of the result, and whether its sign changes.
    int source[DCTSIZE2];
    bool negated[DCTSIZE2];
} turn;

static turn turn_for(int orientation)
{
    turn turn = {
        .swaps = orientation >= 5,
        .from_end = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7,
        .from_foot = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8,
    };
    for (int v = 0; v < DCTSIZE; v++) {
        for (int u = 0; u < DCTSIZE; u++) {
            turn.source[v * DCTSIZE + u] = turn.swaps ? u * DCTSIZE + v : v * DCTSIZE + u;
            // A mirrored cosine of an odd frequency has the opposite sign.
            turn.negated[v * DCTSIZE + u] = (turn.from_end && u % 2 == 1) != (turn.from_foot && v % 2 == 1);
        }
    }
    return turn;
}

void hr_jpeg_mcu(const hr_jpeg_info *info, int *width, int *height)
{
    *width = *height = DCTSIZE;
    // The sampling factors of a single component are meaningless: its MCUs are blocks (T.81, A.2.2).
    for (int c = 0; c < info->components && info->components > 1; c++) {
        if (info->h_samp[c] * DCTSIZE > *width)
            *width = info->h_samp[c] * DCTSIZE;
        if (info->v_samp[c] * DCTSIZE > *height)
            *height = info->v_samp[c] * DCTSIZE;
    }
}

// The first block to copy along one side, and the step to the next.
typedef struct walk {
    int first, step;
} walk;

static walk walk_along(bool from_end, int start, int length, int mcu, int blocks)
{
    if (from_end)
        return (walk){.first = (length - start) / mcu * blocks - 1, .step = -1};
    return (walk){.first = start / mcu * blocks, .step = 1};
}

static void turn_block(const turn *turn, const JCOEF *from, JCOEF *to)
{
    for (int i = 0; i < DCTSIZE2; i++) {
        const JCOEF value = from[turn->source[i]];
        to[i] = turn->negated[i] ? (JCOEF)-value : value;
    }
}

static void turn_tables(struct jpeg_compress_struct *cinfo)
{
    for (int slot = 0; slot < NUM_QUANT_TBLS; slot++) {
        JQUANT_TBL *table = cinfo->quant_tbl_ptrs[slot];
        if (table == NULL)
            continue;
        const JQUANT_TBL stored = *table;
        for (int i = 0; i < DCTSIZE2; i++)
            table->quantval[i] = stored.quantval[i % DCTSIZE * DCTSIZE + i / DCTSIZE];
    }
}

static void configure(struct jpeg_decompress_struct *from, struct jpeg_compress_struct *to, const hr_jpeg_part *part,
                      bool swaps)
{
    jpeg_copy_critical_parameters(from, to);
    to->image_width = (JDIMENSION)part->width;
    to->image_height = (JDIMENSION)part->height;
    to->optimize_coding = TRUE;
    // This marker determines whether inks are inverted.
    if (from->jpeg_color_space == JCS_CMYK)
        to->write_Adobe_marker = from->saw_Adobe_marker;
    for (int c = 0; c < to->num_components; c++) {
        jpeg_component_info *component = &to->comp_info[c];
        if (to->num_components == 1)
            component->h_samp_factor = component->v_samp_factor = 1;
        if (swaps) {
            const int across = component->h_samp_factor;
            component->h_samp_factor = component->v_samp_factor;
            component->v_samp_factor = across;
        }
    }
    if (swaps)
        turn_tables(to);
    if (from->progressive_mode)
        jpeg_simple_progression(to);
}

static JDIMENSION rounded_up(JDIMENSION value, JDIMENSION multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static void copy_blocks(struct jpeg_decompress_struct *from, jvirt_barray_ptr *stored, struct jpeg_compress_struct *to,
                        jvirt_barray_ptr *upright, const hr_jpeg_part *part, const turn *turn)
{
    int most_across = 1, most_down = 1;
    for (int c = 0; c < to->num_components; c++) {
        if (to->comp_info[c].h_samp_factor > most_across)
            most_across = to->comp_info[c].h_samp_factor;
        if (to->comp_info[c].v_samp_factor > most_down)
            most_down = to->comp_info[c].v_samp_factor;
    }
    const int width = (int)(turn->swaps ? from->image_height : from->image_width);
    const int height = (int)(turn->swaps ? from->image_width : from->image_height);
    const JDIMENSION mcus_across =
        rounded_up((JDIMENSION)part->width, (JDIMENSION)most_across * DCTSIZE) / ((JDIMENSION)most_across * DCTSIZE);
    const JDIMENSION mcus_down =
        rounded_up((JDIMENSION)part->height, (JDIMENSION)most_down * DCTSIZE) / ((JDIMENSION)most_down * DCTSIZE);
    for (int c = 0; c < to->num_components; c++) {
        const int across = to->comp_info[c].h_samp_factor, down = to->comp_info[c].v_samp_factor;
        upright[c] = to->mem->request_virt_barray((j_common_ptr)to, JPOOL_IMAGE, TRUE, mcus_across * (JDIMENSION)across,
                                                  mcus_down * (JDIMENSION)down, (JDIMENSION)down);
    }
    to->mem->realize_virt_arrays((j_common_ptr)to);
    for (int c = 0; c < to->num_components; c++) {
        const int across = to->comp_info[c].h_samp_factor, down = to->comp_info[c].v_samp_factor;
        const walk columns = walk_along(turn->from_end, part->x, width, most_across * DCTSIZE, across);
        const walk rows = walk_along(turn->from_foot, part->y, height, most_down * DCTSIZE, down);
        // The last MCUs may extend beyond the image's last blocks. The blocks there stay zero, and no pixel depends on
        // them.
        const jpeg_component_info *component = &from->comp_info[c];
        const int stored_across = (int)component->width_in_blocks, stored_down = (int)component->height_in_blocks;
        for (int y = 0; y < (int)mcus_down * down; y++) {
            JBLOCKROW to_row = to->mem->access_virt_barray((j_common_ptr)to, upright[c], (JDIMENSION)y, 1, TRUE)[0];
            const int row = rows.first + y * rows.step;
            for (int x = 0; x < (int)mcus_across * across; x++) {
                const int column = columns.first + x * columns.step;
                const int stored_x = turn->swaps ? row : column, stored_y = turn->swaps ? column : row;
                if (stored_x < 0 || stored_x >= stored_across || stored_y < 0 || stored_y >= stored_down)
                    continue;
                JBLOCKROW from_row =
                    from->mem->access_virt_barray((j_common_ptr)from, stored[c], (JDIMENSION)stored_y, 1, FALSE)[0];
                turn_block(turn, from_row[stored_x], to_row[x]);
            }
        }
    }
}

static bool fits_along(bool from_end, int start, int length, JDIMENSION whole, int mcu)
{
    if (start < 0 || length <= 0 || start + (int64_t)length > whole)
        return false;
    return (from_end ? (int)whole - start : start) % mcu == 0;
}

static bool fits(const struct jpeg_decompress_struct *from, const hr_jpeg_part *part, const turn *turn)
{
    hr_jpeg_info info = {.components = from->num_components};
    for (int c = 0; c < from->num_components; c++) {
        info.h_samp[c] = from->comp_info[c].h_samp_factor;
        info.v_samp[c] = from->comp_info[c].v_samp_factor;
    }
    int across, down;
    hr_jpeg_mcu(&info, &across, &down);
    if (turn->swaps)
        return fits_along(turn->from_end, part->x, part->width, from->image_height, down) &&
               fits_along(turn->from_foot, part->y, part->height, from->image_width, across);
    return fits_along(turn->from_end, part->x, part->width, from->image_width, across) &&
           fits_along(turn->from_foot, part->y, part->height, from->image_height, down);
}

static hr_status crop(hr_jpeg_decoder *decoder, hr_jpeg_writer *writer, const hr_jpeg_part *part)
{
    struct jpeg_decompress_struct *from = &decoder->cinfo;
    struct jpeg_compress_struct *to = &writer->cinfo;
    const turn turn = turn_for(part->orientation);
    jvirt_barray_ptr upright[MAX_COMPONENTS];
    if (!fits(from, part, &turn))
        return hr_fail(decoder->error, HR_FAILED, "the part does not start at an MCU boundary");
    if (setjmp(decoder->escape))
        return decoder->error->status;
    if (setjmp(writer->escape))
        return writer->error->status;
    hr_jpeg_writer_create(writer);
    to->mem->max_memory_to_use = decoder->limits.max_memory;
    jvirt_barray_ptr *stored = jpeg_read_coefficients(from);
    configure(from, to, part, turn.swaps);
    copy_blocks(from, stored, to, upright, part, &turn);
    jpeg_write_coefficients(to, upright);
    if (part->icc_count > 0)
        jpeg_write_icc_profile(to, part->icc, (unsigned)part->icc_count);
    jpeg_finish_compress(to);
    return HR_OK;
}

hr_status hr_jpeg_crop(hr_jpeg_decoder *decoder, const hr_jpeg_part *part, hr_buffer *out, hr_error *error)
{
    hr_jpeg_writer writer;
    error->message[0] = 0;
    decoder->error = error;
    hr_jpeg_writer_prepare(&writer, out, error);
    hr_status status = crop(decoder, &writer, part);
    jpeg_destroy_compress(&writer.cinfo);
    return status;
}
