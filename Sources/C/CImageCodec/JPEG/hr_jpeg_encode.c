#include "hr_jpeg_writer.h"

#include <stdlib.h>
#include <string.h>

typedef struct encoder {
    hr_jpeg_writer writer;
    // One iMCU row of each component; edges are repeated to fill whole blocks.
    JSAMPLE *padded[HR_JPEG_MAX_COMPONENTS];
} encoder;

static J_COLOR_SPACE space_of(hr_jpeg_color color, int *components)
{
    switch (color) {
    case HR_JPEG_GRAY:
        *components = 1;
        return JCS_GRAYSCALE;
    case HR_JPEG_YCC:
        *components = 3;
        return JCS_YCbCr;
    case HR_JPEG_RGB:
        *components = 3;
        return JCS_RGB;
    case HR_JPEG_CMYK:
        *components = 4;
        return JCS_CMYK;
    case HR_JPEG_YCCK:
        *components = 4;
        return JCS_YCCK;
    }
    *components = 0;
    return JCS_UNKNOWN;
}

// Each component has its own table in the slot of its number, unless an earlier component has the same table.
static void set_tables(struct jpeg_compress_struct *cinfo, const uint16_t *tables)
{
    for (int c = 0; c < cinfo->num_components; c++) {
        const uint16_t *table = tables + c * DCTSIZE2;
        int slot = 0;
        while (slot < c && memcmp(tables + slot * DCTSIZE2, table, DCTSIZE2 * sizeof *table) != 0)
            slot++;
        cinfo->comp_info[c].quant_tbl_no = slot;
        if (slot < c)
            continue;
        unsigned values[DCTSIZE2];
        for (int i = 0; i < DCTSIZE2; i++)
            values[i] = table[i];
        jpeg_add_quant_table(cinfo, slot, values, 100, FALSE);
    }
}

static void configure(struct jpeg_compress_struct *cinfo, const hr_jpeg_options *options)
{
    cinfo->image_width = (JDIMENSION)options->width;
    cinfo->image_height = (JDIMENSION)options->height;
    J_COLOR_SPACE space = space_of(options->color, &cinfo->input_components);
    cinfo->in_color_space = space;
    jpeg_set_defaults(cinfo);
    jpeg_set_colorspace(cinfo, space);
    if (options->tables != NULL)
        set_tables(cinfo, options->tables);
    else
        jpeg_set_quality(cinfo, options->quality, TRUE);
    cinfo->raw_data_in = TRUE;
    cinfo->dct_method = JDCT_ISLOW;
    // Optimised Huffman tables save 3 % of bytes, triple the encoding time, and keep all coefficients in memory. They
    // are used only to match the source's file.
    cinfo->optimize_coding = !options->arithmetic && options->tables != NULL;
    cinfo->arith_code = options->arithmetic;
    for (int c = 0; c < cinfo->num_components; c++) {
        cinfo->comp_info[c].h_samp_factor = options->h_samp[c];
        cinfo->comp_info[c].v_samp_factor = options->v_samp[c];
    }
    if (options->progressive)
        jpeg_simple_progression(cinfo);
}

static void pad_row(JSAMPLE *to, const uint8_t *from, size_t width, size_t padded)
{
    memcpy(to, from, width);
    memset(to + width, from[width - 1], padded - width);
}

static void write_rows(encoder *self, const hr_plane *planes)
{
    struct jpeg_compress_struct *cinfo = &self->writer.cinfo;
    JSAMPROW rows[HR_JPEG_MAX_COMPONENTS][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY arrays[HR_JPEG_MAX_COMPONENTS];
    JDIMENSION lines = (JDIMENSION)(cinfo->max_v_samp_factor * DCTSIZE);
    while (cinfo->next_scanline < cinfo->image_height) {
        int64_t imcu = cinfo->next_scanline / lines;
        for (int c = 0; c < cinfo->num_components; c++) {
            const hr_plane *plane = &planes[c];
            const int count = cinfo->comp_info[c].v_samp_factor * DCTSIZE;
            const size_t padded = (size_t)cinfo->comp_info[c].width_in_blocks * DCTSIZE;
            for (int r = 0; r < count; r++) {
                int64_t y = imcu * count + r;
                if (y >= plane->height)
                    y = plane->height - 1;
                // libjpeg only reads the rows that it encodes.
                uint8_t *from = (uint8_t *)plane->data + (size_t)y * plane->stride;
                if (padded == (size_t)plane->width) {
                    rows[c][r] = from;
                } else {
                    rows[c][r] = self->padded[c] + (size_t)r * padded;
                    pad_row(rows[c][r], from, (size_t)plane->width, padded);
                }
            }
            arrays[c] = rows[c];
        }
        jpeg_write_raw_data(cinfo, arrays, lines);
    }
}

static bool fits(const struct jpeg_compress_struct *cinfo, const hr_plane *planes)
{
    for (int c = 0; c < cinfo->num_components; c++) {
        const jpeg_component_info *component = &cinfo->comp_info[c];
        if (planes[c].width != (int)component->downsampled_width ||
            planes[c].height != (int)component->downsampled_height)
            return false;
    }
    return true;
}

static hr_status encode(encoder *self, const hr_plane *planes, const hr_jpeg_options *options)
{
    struct jpeg_compress_struct *cinfo = &self->writer.cinfo;
    if (setjmp(self->writer.escape))
        return self->writer.error->status;
    hr_jpeg_writer_create(&self->writer);
    configure(cinfo, options);
    jpeg_start_compress(cinfo, TRUE);
    if (options->icc_count > 0)
        jpeg_write_icc_profile(cinfo, options->icc, (unsigned)options->icc_count);
    if (!fits(cinfo, planes))
        return hr_fail(self->writer.error, HR_FAILED, "planes do not match the image size");
    for (int c = 0; c < cinfo->num_components; c++) {
        size_t row = (size_t)cinfo->comp_info[c].width_in_blocks * DCTSIZE;
        self->padded[c] = malloc(row * (size_t)cinfo->comp_info[c].v_samp_factor * DCTSIZE);
        if (self->padded[c] == NULL)
            return hr_fail(self->writer.error, HR_NO_MEMORY, "no memory for a row of blocks");
    }
    write_rows(self, planes);
    jpeg_finish_compress(cinfo);
    return HR_OK;
}

hr_status hr_jpeg_encode(const hr_plane *planes, const hr_jpeg_options *options, hr_buffer *out, hr_error *error)
{
    encoder self = {0};
    error->message[0] = 0;
    hr_jpeg_writer_prepare(&self.writer, out, error);
    hr_status status = encode(&self, planes, options);
    jpeg_destroy_compress(&self.writer.cinfo);
    for (int c = 0; c < HR_JPEG_MAX_COMPONENTS; c++)
        free(self.padded[c]);
    return status;
}
