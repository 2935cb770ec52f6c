#include "hr_jpeg_writer.h"

#include <string.h>

#include <jerror.h>

static hr_status status_of(int code)
{
    switch (code) {
    case JERR_OUT_OF_MEMORY:
        return HR_NO_MEMORY;
    case JERR_IMAGE_TOO_BIG:
    case JERR_NO_BACKING_STORE:
        return HR_TOO_LARGE;
    // Only possible with coefficients copied from a source.
    case JERR_BAD_DCT_COEF:
        return HR_CORRUPT;
    case JERR_MISMATCHED_QUANT_TABLE:
    case JERR_NO_QUANT_TABLE:
        return HR_UNSUPPORTED;
    default:
        return HR_FAILED;
    }
}

static void on_error(j_common_ptr cinfo)
{
    hr_jpeg_writer *writer = cinfo->client_data;
    char message[JMSG_LENGTH_MAX];
    cinfo->err->format_message(cinfo, message);
    hr_fail(writer->error, status_of(cinfo->err->msg_code), message);
    longjmp(writer->escape, 1);
}

static void on_message(j_common_ptr cinfo, int level)
{
    (void)cinfo;
    (void)level;
}

static void expose_room(j_compress_ptr cinfo, size_t room)
{
    hr_jpeg_writer *writer = cinfo->client_data;
    if (!hr_buffer_reserve(writer->out, room))
        ERREXIT1(cinfo, JERR_OUT_OF_MEMORY, 0);
    writer->destination.next_output_byte = writer->out->data + writer->out->count;
    writer->destination.free_in_buffer = writer->out->capacity - writer->out->count;
}

static void begin_output(j_compress_ptr cinfo)
{
    // Photographs take a third of a byte per pixel at quality 82.
    expose_room(cinfo, 4096 + (size_t)cinfo->image_width * cinfo->image_height / 3);
}

static boolean more_output(j_compress_ptr cinfo)
{
    hr_jpeg_writer *writer = cinfo->client_data;
    // libjpeg calls this when the buffer is full, regardless of free_in_buffer.
    writer->out->count = writer->out->capacity;
    expose_room(cinfo, writer->out->capacity);
    return TRUE;
}

static void end_output(j_compress_ptr cinfo)
{
    hr_jpeg_writer *writer = cinfo->client_data;
    writer->out->count = writer->out->capacity - writer->destination.free_in_buffer;
}

void hr_jpeg_writer_prepare(hr_jpeg_writer *writer, hr_buffer *out, hr_error *error)
{
    memset(writer, 0, sizeof *writer);
    writer->error = error;
    writer->out = out;
    writer->cinfo.err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = on_error;
    writer->errors.emit_message = on_message;
    writer->cinfo.client_data = writer;
}

void hr_jpeg_writer_create(hr_jpeg_writer *writer)
{
    jpeg_create_compress(&writer->cinfo);
    writer->destination.init_destination = begin_output;
    writer->destination.empty_output_buffer = more_output;
    writer->destination.term_destination = end_output;
    writer->cinfo.dest = &writer->destination;
}
