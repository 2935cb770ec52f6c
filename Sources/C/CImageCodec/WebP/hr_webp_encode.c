#include "hr_webp.h"

#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>

#include "hr_pixels.h"

static int write_bytes(const uint8_t *from, size_t count, const WebPPicture *picture)
{
    hr_buffer *out = picture->custom_ptr;
    if (!hr_buffer_reserve(out, count))
        return 0;
    memcpy(out->data + out->count, from, count);
    out->count += count;
    return 1;
}

static hr_status fail(hr_error *error, WebPEncodingError code)
{
    switch (code) {
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BAD_WRITE:
        return hr_fail(error, HR_NO_MEMORY, "no memory for the file");
    case VP8_ENC_ERROR_BAD_DIMENSION:
    case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
    case VP8_ENC_ERROR_PARTITION_OVERFLOW:
    case VP8_ENC_ERROR_FILE_TOO_BIG:
        return hr_fail(error, HR_TOO_LARGE, "more than a WebP file can contain");
    default:
        return hr_fail(error, HR_FAILED, "the WebP encoder refused its parameters");
    }
}

// VP8 keeps luma between 16 and 235 and chroma between 16 and 240 (RFC 6386, 9.2).
static void write_luma(const hr_plane *from, uint8_t *to, int stride)
{
    uint8_t table[256];
    for (int v = 0; v < 256; v++)
        table[v] = (uint8_t)(16 + (v * 219 * 2 + 255) / 510);
    for (int y = 0; y < from->height; y++) {
        const uint8_t *row = from->data + (size_t)y * from->stride;
        for (int x = 0; x < from->width; x++)
            to[(size_t)y * (size_t)stride + (size_t)x] = table[row[x]];
    }
}

static void write_chroma(const hr_plane *from, uint8_t *to, int stride)
{
    uint8_t table[256];
    for (int v = 0; v < 256; v++) {
        // The value is never below zero, so that the division rounds to the nearest; 0 would become 15.56, just out of
        // range.
        const int value = (128 * 510 + (v - 128) * 224 * 2 + 255) / 510;
        table[v] = (uint8_t)(value < 16 ? 16 : value);
    }
    for (int y = 0; y < from->height; y++) {
        const uint8_t *row = from->data + (size_t)y * from->stride;
        for (int x = 0; x < from->width; x++)
            to[(size_t)y * (size_t)stride + (size_t)x] = table[row[x]];
    }
}

static bool import_planes(WebPPicture *picture, const hr_plane *planes, const hr_webp_options *options)
{
    picture->use_argb = 0;
    picture->colorspace = options->has_alpha ? WEBP_YUV420A : WEBP_YUV420;
    if (!WebPPictureAlloc(picture))
        return false;
    write_luma(&planes[0], picture->y, picture->y_stride);
    if (options->color == HR_WEBP_YCC) {
        write_chroma(&planes[1], picture->u, picture->uv_stride);
        write_chroma(&planes[2], picture->v, picture->uv_stride);
    } else {
        const size_t count = (size_t)picture->uv_stride * (size_t)((picture->height + 1) / 2);
        memset(picture->u, 128, count);
        memset(picture->v, 128, count);
    }
    for (int y = 0; options->has_alpha && y < picture->height; y++)
        memcpy(picture->a + (size_t)y * (size_t)picture->a_stride, planes[1].data + (size_t)y * planes[1].stride,
               (size_t)picture->width);
    return true;
}

// libwebp halves the chroma in linear light, and ignores transparent pixels.
static bool import_rgb(WebPPicture *picture, const hr_plane *planes, const hr_webp_options *options)
{
    const int channels = options->has_alpha ? 4 : 3;
    const int stride = picture->width * channels;
    uint8_t *packed = malloc((size_t)stride * (size_t)picture->height);
    if (packed == NULL) {
        picture->error_code = VP8_ENC_ERROR_OUT_OF_MEMORY;
        return false;
    }
    for (int y = 0; y < picture->height; y++)
        hr_pack_row(planes, channels, y, packed + (size_t)y * (size_t)stride);
    picture->use_argb = options->lossless;
    const int imported =
        channels == 4 ? WebPPictureImportRGBA(picture, packed, stride) : WebPPictureImportRGB(picture, packed, stride);
    free(packed);
    return imported;
}

hr_status hr_webp_encode(const hr_plane *planes, const hr_webp_options *options, hr_buffer *out, hr_error *error)
{
    WebPConfig config;
    WebPPicture picture;
    error->message[0] = 0;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return hr_fail(error, HR_FAILED, "the WebP library has an incompatible version");
    if (options->color == HR_WEBP_YCC && options->has_alpha)
        return hr_fail(error, HR_FAILED, "luma and chroma have no alpha");
    if (options->color != HR_WEBP_RGB && options->lossless)
        return hr_fail(error, HR_FAILED, "only RGB can be written losslessly");
    if (planes[0].width > WEBP_MAX_DIMENSION || planes[0].height > WEBP_MAX_DIMENSION)
        return hr_fail(error, HR_TOO_LARGE, "more than a WebP file can contain");
    config.quality = (float)options->quality;
    config.method = options->method;
    config.lossless = options->lossless;
    picture.width = planes[0].width;
    picture.height = planes[0].height;
    picture.writer = write_bytes;
    picture.custom_ptr = out;
    const bool written = (options->color == HR_WEBP_RGB ? import_rgb(&picture, planes, options)
                                                        : import_planes(&picture, planes, options)) &&
                         WebPEncode(&config, &picture);
    const hr_status status = written ? HR_OK : fail(error, picture.error_code);
    WebPPictureFree(&picture);
    return status;
}
