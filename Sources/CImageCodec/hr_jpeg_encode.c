#include "hr_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

typedef struct encoder {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf escape;
    hr_error *error;
    hr_buffer *out;
    // One iMCU row of each component, its edges repeated to whole blocks.
    JSAMPLE *padded[HR_JPEG_MAX_COMPONENTS];
} encoder;

static void on_error(j_common_ptr cinfo)
{
    encoder *self = cinfo->client_data;
    char message[JMSG_LENGTH_MAX];
    cinfo->err->format_message(cinfo, message);
    int code = cinfo->err->msg_code;
    hr_status status = code == JERR_OUT_OF_MEMORY ? HR_NO_MEMORY : code == JERR_IMAGE_TOO_BIG ? HR_TOO_LARGE : HR_FAILED;
    hr_fail(self->error, status, message);
    longjmp(self->escape, 1);
}

static void on_message(j_common_ptr cinfo, int level)
{
    (void)cinfo;
    (void)level;
}

static void expose_room(j_compress_ptr cinfo, size_t room)
{
    encoder *self = cinfo->client_data;
    if (!hr_buffer_reserve(self->out, room))
        ERREXIT1(cinfo, JERR_OUT_OF_MEMORY, 0);
    self->destination.next_output_byte = self->out->data + self->out->count;
    self->destination.free_in_buffer = self->out->capacity - self->out->count;
}

static void begin_output(j_compress_ptr cinfo)
{
    // A third of a byte a pixel is what photographs take at quality 82.
    expose_room(cinfo, 4096 + (size_t)cinfo->image_width * cinfo->image_height / 3);
}

static boolean more_output(j_compress_ptr cinfo)
{
    encoder *self = cinfo->client_data;
    // libjpeg asks when the buffer is full, whatever free_in_buffer says at that moment.
    self->out->count = self->out->capacity;
    expose_room(cinfo, self->out->capacity);
    return TRUE;
}

static void end_output(j_compress_ptr cinfo)
{
    encoder *self = cinfo->client_data;
    self->out->count = self->out->capacity - self->destination.free_in_buffer;
}

static J_COLOR_SPACE space_of(hr_jpeg_color color, int *components)
{
    switch (color) {
    case HR_JPEG_GRAY: *components = 1; return JCS_GRAYSCALE;
    case HR_JPEG_YCC:  *components = 3; return JCS_YCbCr;
    case HR_JPEG_RGB:  *components = 3; return JCS_RGB;
    case HR_JPEG_CMYK: *components = 4; return JCS_CMYK;
    case HR_JPEG_YCCK: *components = 4; return JCS_YCCK;
    }
    *components = 0;
    return JCS_UNKNOWN;
}

static void configure(struct jpeg_compress_struct *cinfo, const hr_jpeg_options *options)
{
    cinfo->image_width = (JDIMENSION)options->width;
    cinfo->image_height = (JDIMENSION)options->height;
    J_COLOR_SPACE space = space_of(options->color, &cinfo->input_components);
    cinfo->in_color_space = space;
    jpeg_set_defaults(cinfo);
    jpeg_set_colorspace(cinfo, space);
    jpeg_set_quality(cinfo, options->quality, TRUE);
    cinfo->raw_data_in = TRUE;
    cinfo->dct_method = JDCT_ISLOW;
    cinfo->optimize_coding = !options->arithmetic;
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
    struct jpeg_compress_struct *cinfo = &self->cinfo;
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
                uint8_t *from = plane->data + (size_t)y * plane->stride;
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
        if (planes[c].width != (int)component->downsampled_width
            || planes[c].height != (int)component->downsampled_height)
            return false;
    }
    return true;
}

static hr_status encode(encoder *self, const hr_plane *planes, const hr_jpeg_options *options)
{
    struct jpeg_compress_struct *cinfo = &self->cinfo;
    if (setjmp(self->escape))
        return self->error->status;
    jpeg_create_compress(cinfo);
    self->destination.init_destination = begin_output;
    self->destination.empty_output_buffer = more_output;
    self->destination.term_destination = end_output;
    cinfo->dest = &self->destination;
    configure(cinfo, options);
    jpeg_start_compress(cinfo, TRUE);
    if (options->icc_count > 0)
        jpeg_write_icc_profile(cinfo, options->icc, (unsigned)options->icc_count);
    if (!fits(cinfo, planes))
        return hr_fail(self->error, HR_FAILED, "planes do not fit the picture");
    for (int c = 0; c < cinfo->num_components; c++) {
        size_t row = (size_t)cinfo->comp_info[c].width_in_blocks * DCTSIZE;
        self->padded[c] = malloc(row * (size_t)cinfo->comp_info[c].v_samp_factor * DCTSIZE);
        if (self->padded[c] == NULL)
            return hr_fail(self->error, HR_NO_MEMORY, "no memory for a row of blocks");
    }
    write_rows(self, planes);
    jpeg_finish_compress(cinfo);
    return HR_OK;
}

hr_status hr_jpeg_encode(const hr_plane *planes, const hr_jpeg_options *options, hr_buffer *out, hr_error *error)
{
    encoder self = {.error = error, .out = out};
    error->message[0] = 0;
    self.cinfo.err = jpeg_std_error(&self.errors);
    self.errors.error_exit = on_error;
    self.errors.emit_message = on_message;
    self.cinfo.client_data = &self;
    hr_status status = encode(&self, planes, options);
    jpeg_destroy_compress(&self.cinfo);
    for (int c = 0; c < HR_JPEG_MAX_COMPONENTS; c++)
        free(self.padded[c]);
    return status;
}
