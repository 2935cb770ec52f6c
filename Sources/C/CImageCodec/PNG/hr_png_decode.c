#include "hr_png.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "hr_pixels.h"
#include "hr_png_whole.h"

// Files contain a few dozen chunks other than pixels and frames. libpng needs 0.3 µs for each chunk.
enum { MOST_CHUNKS = 10000 };

struct hr_png_decoder {
    png_structp png;
    png_infop png_info;
    hr_error *error;
    hr_status failure;  // the status of the next png_error
    const uint8_t *bytes;
    size_t count;
    size_t position;
    int chunks;        // chunks up to now that are not pixels
    bool has_palette;  // the colours are indexes
    int color_planes;
    bool has_alpha;
    bool interlaced;
    bool is_plain;         // whether it may be decoded at once
    const uint8_t *curve;  // from samples of 16 bits, or NULL
    uint8_t *packed;       // interleaved samples: a row, or all rows of an interlaced image
    hr_png_limits limits;
    bool damaged;
    bool has_wrong_checksum;  // whether a chunk of pixels has a wrong checksum
    // The progress when an error occurred: the pass of an interlaced image, and its rows.
    int pass;
    int rows;
};

static void on_error(png_structp png, png_const_charp message)
{
    hr_png_decoder *decoder = png_get_error_ptr(png);
    hr_fail(decoder->error, decoder->failure, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    hr_png_decoder *decoder = png_get_error_ptr(png);
    if (strstr(message, "CRC error") == NULL)
        return;
    // If the size is wrong, everything else is meaningless.
    if (strncmp(message, "IHDR", 4) == 0)
        png_error(png, message);
    decoder->has_wrong_checksum |= strncmp(message, "IDAT", 4) == 0;
}

// Changes the length and type of a chunk that libpng reads, before the data at `position`.
static void amend_header(hr_png_decoder *decoder, png_bytep header)
{
    const size_t rest = decoder->count - decoder->position;
    if (memcmp(header + 4, "IDAT", 4) != 0 && ++decoder->chunks > MOST_CHUNKS)
        png_error(decoder->png, "too many chunks");
    // In an image without indexed colours, a palette is only a suggestion, and an empty palette would be an error. Its
    // type is therefore replaced by an unknown type, which is skipped.
    if (!decoder->has_palette && memcmp(header + 4, "PLTE", 4) == 0)
        memcpy(header + 4, "plTE", 4);
    // libpng reads 8192 bytes at once, and would discard an incomplete last block.
    if (memcmp(header + 4, "IDAT", 4) == 0 && png_get_uint_32(header) > rest)
        png_save_uint_32(header, (png_uint_32)rest);
}

static void read_bytes(png_structp png, png_bytep to, size_t count)
{
    hr_png_decoder *decoder = png_get_io_ptr(png);
    if (count > decoder->count - decoder->position) {
        decoder->failure = HR_TRUNCATED;
        png_error(png, "the data end early");
    }
    memcpy(to, decoder->bytes + decoder->position, count);
    decoder->position += count;
    if (count == 8 && png_get_io_state(png) == (PNG_IO_READING | PNG_IO_CHUNK_HDR))
        amend_header(decoder, to);
}

// Text chunks are not used, so compressed text is not decompressed.
static void skip_what_is_not_used(png_structp png)
{
    static const png_byte unused[] = "bKGD\0eXIf\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unused, (int)(sizeof unused / 5));
    // The library does not know it.
    static const png_byte kept[] = "cICP";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, kept, 1);
}

static void read_code_points(hr_png_decoder *decoder, hr_png_info *info)
{
    png_unknown_chunkp chunks = NULL;
    const int count = png_get_unknown_chunks(decoder->png, decoder->png_info, &chunks);
    for (int i = 0; i < count; i++) {
        const png_byte *data = chunks[i].data;
        // Only full range RGB is defined here (PNG, third edition, 11.3.2.6).
        if (memcmp(chunks[i].name, "cICP", 4) == 0 && chunks[i].size == 4 && data[2] == 0 && data[3] == 1) {
            info->primaries = data[0];
            info->transfer = data[1];
        }
    }
}

static void read_calibration(hr_png_decoder *decoder, hr_png_info *info)
{
    png_structp png = decoder->png;
    png_infop from = decoder->png_info;
    info->is_srgb = png_get_valid(png, from, PNG_INFO_sRGB) != 0;
    if (!png_get_valid(png, from, PNG_INFO_gAMA) || !png_get_gAMA(png, from, &info->gamma))
        info->gamma = 0;
    double *c = info->chromaticities;
    if (!png_get_valid(png, from, PNG_INFO_cHRM) ||
        !png_get_cHRM(png, from, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]))
        memset(c, 0, sizeof info->chromaticities);
}

static void read_info(hr_png_decoder *decoder, hr_png_info *info)
{
    png_structp png = decoder->png;
    png_infop from = decoder->png_info;
    png_read_info(png, from);
    const int type = png_get_color_type(png, from);
    info->width = (int)png_get_image_width(png, from);
    info->height = (int)png_get_image_height(png, from);
    info->bit_depth = png_get_bit_depth(png, from);
    info->color_planes = (type & PNG_COLOR_MASK_COLOR) ? 3 : 1;
    info->has_alpha = (type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, from, PNG_INFO_tRNS);
    info->interlaced = png_get_interlace_type(png, from) != PNG_INTERLACE_NONE;
    png_charp name = NULL;
    png_bytep icc = NULL;
    png_uint_32 icc_count = 0;
    int compression = 0;
    if (png_get_iCCP(png, from, &name, &compression, &icc, &icc_count)) {
        info->icc = icc;
        info->icc_count = icc_count;
    }
    read_code_points(decoder, info);
    read_calibration(decoder, info);
    decoder->color_planes = info->color_planes;
    decoder->has_alpha = info->has_alpha;
    decoder->interlaced = info->interlaced;
    decoder->is_plain = info->bit_depth == 8 && !info->interlaced && !decoder->has_palette &&
                        !png_get_valid(png, from, PNG_INFO_tRNS) && !decoder->limits.ignores_pixel_checksum;
    if (decoder->is_plain)
        info->extra_bytes =
            hr_png_whole_bytes(info->width, info->height, info->color_planes + info->has_alpha, decoder->count);
}

hr_status hr_png_open(const uint8_t *bytes, size_t count, hr_png_limits limits, hr_png_decoder **out, hr_png_info *info,
                      hr_error *error)
{
    memset(info, 0, sizeof *info);
    error->message[0] = 0;
    hr_png_decoder *decoder = calloc(1, sizeof *decoder);
    *out = decoder;
    if (decoder == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    decoder->error = error;
    decoder->failure = HR_CORRUPT;
    decoder->bytes = bytes;
    decoder->count = count;
    // The colour type in IHDR, which is the first chunk.
    decoder->has_palette = count > 25 && bytes[25] == PNG_COLOR_TYPE_PALETTE;
    decoder->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, decoder, on_error, on_warning);
    decoder->png_info = decoder->png == NULL ? NULL : png_create_info_struct(decoder->png);
    if (decoder->png_info == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    if (setjmp(png_jmpbuf(decoder->png)))
        return error->status;
    png_set_user_limits(decoder->png, (png_uint_32)limits.max_side, (png_uint_32)limits.max_side);
    png_set_chunk_malloc_max(decoder->png, limits.max_chunk_memory);
    png_set_chunk_cache_max(decoder->png, 128);
    decoder->limits = limits;
    if (!limits.whole) {
        png_set_crc_action(decoder->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
        png_set_option(decoder->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    }
    if (limits.ignores_pixel_checksum)
        png_set_option(decoder->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    if (limits.ignores_checksums)
        png_set_crc_action(decoder->png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    skip_what_is_not_used(decoder->png);
    png_set_read_fn(decoder->png, decoder, read_bytes);
    read_info(decoder, info);
    return HR_OK;
}

// Converts everything to 8 bits per sample, without a palette: grey or RGB, and alpha if there is any.
static void configure(hr_png_decoder *decoder)
{
    png_structp png = decoder->png;
    const int type = png_get_color_type(png, decoder->png_info);
    if (type == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(png);
    if (type == PNG_COLOR_TYPE_GRAY)
        png_set_expand_gray_1_2_4_to_8(png);
    if (png_get_valid(png, decoder->png_info, PNG_INFO_tRNS))
        png_set_tRNS_to_alpha(png);
    // Rounds, unlike png_set_strip_16.
    if (decoder->curve == NULL)
        png_set_scale_16(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, decoder->png_info);
}

// Converts the samples of a row to 8 bits in place; the curve is applied to colours.
static void narrow_row(const hr_png_decoder *decoder, uint8_t *packed, int width, int channels)
{
    const int colors = decoder->color_planes;
    for (size_t i = 0; i < (size_t)width * (size_t)channels; i++) {
        const unsigned value = (unsigned)packed[2 * i] << 8 | packed[2 * i + 1];
        packed[i] =
            (int)(i % (size_t)channels) < colors ? decoder->curve[value] : (uint8_t)((value * 255 + 32767) / 65535);
    }
}

static void unpack(const hr_png_decoder *decoder, uint8_t *packed, const hr_target *planes, int channels, int y)
{
    if (decoder->curve != NULL)
        narrow_row(decoder, packed, planes[0].width, channels);
    hr_unpack_row(packed, planes, channels, y);
}

static void read_rows(hr_png_decoder *decoder, const hr_target *planes, int channels)
{
    const int height = planes[0].height;
    for (decoder->rows = 0; decoder->rows < height; decoder->rows++) {
        const int y = decoder->rows;
        if (channels == 1 && decoder->curve == NULL) {
            png_read_row(decoder->png, planes[0].data + (size_t)y * planes[0].stride, NULL);
        } else {
            png_read_row(decoder->png, decoder->packed, NULL);
            unpack(decoder, decoder->packed, planes, channels, y);
        }
    }
}

static size_t row_bytes(const hr_png_decoder *decoder, const hr_target *planes, int channels)
{
    return (size_t)planes[0].width * (size_t)channels * (decoder->curve != NULL ? 2 : 1);
}

static void unpack_all(const hr_png_decoder *decoder, const hr_target *planes, int channels)
{
    const size_t row = row_bytes(decoder, planes, channels);
    for (int y = 0; y < planes[0].height; y++)
        unpack(decoder, decoder->packed + (size_t)y * row, planes, channels, y);
}

// Each of the seven passes of Adam7 adds pixels to the rows. Until then, pixels of earlier passes fill their positions.
static void read_passes(hr_png_decoder *decoder, const hr_target *planes, int channels)
{
    const int height = planes[0].height;
    const size_t row = row_bytes(decoder, planes, channels);
    for (decoder->pass = 0; decoder->pass < PNG_INTERLACE_ADAM7_PASSES; decoder->pass++) {
        for (decoder->rows = 0; decoder->rows < height; decoder->rows++)
            png_read_row(decoder->png, NULL, decoder->packed + (size_t)decoder->rows * row);
    }
    unpack_all(decoder, planes, channels);
}

// White, or transparent.
static void fill_rest(const hr_png_decoder *decoder, const hr_target *planes, int channels)
{
    for (int c = 0; c < channels; c++) {
        const int value = decoder->has_alpha ? 0 : 0xFF;
        for (int y = decoder->rows; y < planes[c].height; y++)
            memset(planes[c].data + (size_t)y * planes[c].stride, value, (size_t)planes[c].width);
    }
}

// The number of pixels in the rows before an error.
static int64_t decoded_pixels(const hr_png_decoder *decoder, int width, int height)
{
    if (!decoder->interlaced)
        return (int64_t)width * decoder->rows;
    int64_t sum = 0;
    for (int pass = 0; pass <= decoder->pass && pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        const int rows = pass < decoder->pass ? height : decoder->rows;
        sum += (int64_t)PNG_PASS_COLS((int64_t)width, pass) * PNG_PASS_ROWS((int64_t)rows, pass);
    }
    return sum;
}

// Accepts the pixels before an error if they are at least half of the image.
static bool keep_part(hr_png_decoder *decoder, const hr_target *planes, int channels)
{
    const int width = planes[0].width, height = planes[0].height;
    if (decoder->limits.whole || decoder->packed == NULL ||
        decoded_pixels(decoder, width, height) * 2 < (int64_t)width * height)
        return false;
    if (decoder->interlaced)
        unpack_all(decoder, planes, channels);
    else
        fill_rest(decoder, planes, channels);
    decoder->damaged = true;
    return true;
}

hr_status hr_png_decode(hr_png_decoder *decoder, const hr_target *planes, const uint8_t *curve, hr_error *error)
{
    decoder->error = error;
    decoder->curve = curve;
    if (setjmp(png_jmpbuf(decoder->png)))
        return keep_part(decoder, planes, decoder->color_planes + decoder->has_alpha) ? HR_OK : error->status;
    configure(decoder);
    const int channels = png_get_channels(decoder->png, decoder->png_info);
    const size_t row = png_get_rowbytes(decoder->png, decoder->png_info);
    const int width = (int)png_get_image_width(decoder->png, decoder->png_info);
    const int height = (int)png_get_image_height(decoder->png, decoder->png_info);
    bool sound = channels == decoder->color_planes + decoder->has_alpha && planes[0].width == width &&
                 row == row_bytes(decoder, planes, channels);
    for (int c = 0; c < channels && sound; c++)
        sound = planes[c].width == width && planes[c].height == height && planes[c].stride >= (size_t)width;
    if (!sound)
        return hr_fail(error, HR_FAILED, "planes do not match the image size");
    // libpng has read the header of the first chunk of pixels.
    const hr_png_plain plain = {decoder->bytes, decoder->count, decoder->position - 8, channels,
                                decoder->limits.ignores_checksums};
    if (decoder->is_plain && hr_png_read_whole(&plain, planes))
        return HR_OK;
    // Interlaced rows start as zeroes, because libpng leaves pixels of other passes unchanged.
    decoder->packed = decoder->interlaced ? calloc((size_t)height, row) : malloc(row);
    if (decoder->packed == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the rows");
    if (decoder->interlaced)
        read_passes(decoder, planes, channels);
    else
        read_rows(decoder, planes, channels);
    // All pixels were decoded. If memory for all rows was reserved, the checksum of their stream shows whether the
    // pixels are wrong, or only the checksum of a chunk.
    decoder->damaged = decoder->has_wrong_checksum && decoder->is_plain && !hr_png_may_be_sound(&plain, planes);
    return HR_OK;
}

bool hr_png_is_damaged(const hr_png_decoder *decoder) { return decoder->damaged; }

void hr_png_close(hr_png_decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->png != NULL)
        png_destroy_read_struct(&decoder->png, &decoder->png_info, NULL);
    free(decoder->packed);
    free(decoder);
}
