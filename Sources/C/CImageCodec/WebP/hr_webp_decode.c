#include "hr_webp.h"

#include <stdlib.h>

#include <webp/decode.h>

#include "hr_pixels.h"

static hr_status fail(hr_error *error, VP8StatusCode code)
{
    switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY:
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
        return hr_fail(error, HR_TRUNCATED, "the data end early");
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return hr_fail(error, HR_UNSUPPORTED, "a frame that is not a still image");
    case VP8_STATUS_BITSTREAM_ERROR:
        return hr_fail(error, HR_CORRUPT, "its bitstream breaks the rules");
    default:
        return hr_fail(error, HR_FAILED, "the WebP decoder refused its parameters");
    }
}

hr_status hr_webp_read(const uint8_t *bytes, size_t count, hr_webp_info *info, hr_error *error)
{
    WebPBitstreamFeatures features;
    error->message[0] = 0;
    const VP8StatusCode code = WebPGetFeatures(bytes, count, &features);
    if (code != VP8_STATUS_OK)
        return fail(error, code);
    *info = (hr_webp_info){
        .width = features.width,
        .height = features.height,
        .has_alpha = features.has_alpha,
        .lossless = features.format == 2,
    };
    return HR_OK;
}

// VP8 keeps luma between 16 and 235 and chroma between 16 and 240 (RFC 6386, 9.2). `from` becomes `to`, and a value
// `steps` higher becomes 255.
static void expand_range(const hr_target *plane, int from, int to, int steps)
{
    uint8_t table[256];
    for (int v = 0; v < 256; v++) {
        // The value is shifted by 512 steps, so that the division also rounds values below zero to the nearest.
        const int value = to + ((v - from) * 255 * 2 + steps + 512 * 2 * steps) / (2 * steps) - 512;
        table[v] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    for (int y = 0; y < plane->height; y++) {
        uint8_t *row = plane->data + (size_t)y * plane->stride;
        for (int x = 0; x < plane->width; x++)
            row[x] = table[row[x]];
    }
}

static void output_ycc(WebPDecBuffer *output, const hr_target *planes)
{
    WebPYUVABuffer *to = &output->u.YUVA;
    output->colorspace = MODE_YUV;
    to->y = planes[0].data;
    to->u = planes[1].data;
    to->v = planes[2].data;
    to->y_stride = (int)planes[0].stride;
    to->u_stride = (int)planes[1].stride;
    to->v_stride = (int)planes[2].stride;
    to->y_size = planes[0].stride * (size_t)planes[0].height;
    to->u_size = planes[1].stride * (size_t)planes[1].height;
    to->v_size = planes[2].stride * (size_t)planes[2].height;
}

// Interleaved samples, to be freed; NULL if memory is exhausted.
static uint8_t *output_rgb(WebPDecBuffer *output, const hr_target *planes, int channels)
{
    const size_t stride = (size_t)planes[0].width * (size_t)channels;
    uint8_t *packed = calloc((size_t)planes[0].height, stride);
    output->colorspace = channels == 4 ? MODE_RGBA : MODE_RGB;
    output->u.RGBA.rgba = packed;
    output->u.RGBA.stride = (int)stride;
    output->u.RGBA.size = stride * (size_t)planes[0].height;
    return packed;
}

static void finish_ycc(const hr_target *planes, int rows)
{
    hr_target part[3] = {planes[0], planes[1], planes[2]};
    part[0].height = rows;
    part[1].height = part[2].height = (rows + 1) / 2;
    expand_range(&part[0], 16, 0, 219);
    expand_range(&part[1], 128, 128, 224);
    expand_range(&part[2], 128, 128, 224);
}

static void finish_rgb(const uint8_t *packed, const hr_target *planes, int channels, int rows)
{
    const size_t stride = (size_t)planes[0].width * (size_t)channels;
    for (int y = 0; y < rows; y++)
        hr_unpack_row(packed + (size_t)y * stride, planes, channels, y);
}

static bool fits(const hr_target *plane, int width, int height)
{
    return plane->width == width && plane->height == height;
}

static bool all_fit(const hr_target *planes, const WebPBitstreamFeatures *input, hr_webp_color color, bool with_alpha)
{
    const int width = input->width;
    const int height = input->height;
    const int across = color == HR_WEBP_YCC ? (width + 1) / 2 : width;
    const int down = color == HR_WEBP_YCC ? (height + 1) / 2 : height;
    return color != HR_WEBP_GRAY && !(color == HR_WEBP_YCC && with_alpha) && fits(&planes[0], width, height) &&
           fits(&planes[1], across, down) && fits(&planes[2], across, down) &&
           (!with_alpha || fits(&planes[3], width, height));
}

hr_status hr_webp_decode(const uint8_t *bytes, size_t count, hr_webp_color color, bool with_alpha,
                         const hr_target *planes, hr_error *error)
{
    WebPDecoderConfig config;
    error->message[0] = 0;
    if (!WebPInitDecoderConfig(&config))
        return hr_fail(error, HR_FAILED, "the WebP library has an incompatible version");
    VP8StatusCode code = WebPGetFeatures(bytes, count, &config.input);
    if (code != VP8_STATUS_OK)
        return fail(error, code);
    if (!all_fit(planes, &config.input, color, with_alpha))
        return hr_fail(error, HR_FAILED, "planes do not match the image size");
    config.output.is_external_memory = 1;
    if (color == HR_WEBP_YCC) {
        output_ycc(&config.output, planes);
        code = WebPDecode(bytes, count, &config);
        if (code == VP8_STATUS_OK)
            finish_ycc(planes, planes[0].height);
        return code == VP8_STATUS_OK ? HR_OK : fail(error, code);
    }
    const int channels = with_alpha ? 4 : 3;
    uint8_t *packed = output_rgb(&config.output, planes, channels);
    if (packed == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the rows");
    code = WebPDecode(bytes, count, &config);
    if (code == VP8_STATUS_OK)
        finish_rgb(packed, planes, channels, planes[0].height);
    free(packed);
    return code == VP8_STATUS_OK ? HR_OK : fail(error, code);
}

int hr_webp_decode_part(const uint8_t *bytes, size_t count, hr_webp_color color, bool with_alpha,
                        const hr_target *planes)
{
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config) || WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK ||
        !all_fit(planes, &config.input, color, with_alpha))
        return 0;
    const int channels = with_alpha ? 4 : 3;
    uint8_t *packed = NULL;
    config.output.is_external_memory = 1;
    if (color == HR_WEBP_YCC)
        output_ycc(&config.output, planes);
    else
        packed = output_rgb(&config.output, planes, channels);
    int rows = 0;
    WebPIDecoder *decoder = color == HR_WEBP_YCC || packed != NULL ? WebPIDecode(NULL, 0, &config) : NULL;
    if (decoder != NULL) {
        WebPIUpdate(decoder, bytes, count);
        // The complete rows, even after an error.
        if (color == HR_WEBP_YCC) {
            if (WebPIDecGetYUVA(decoder, &rows, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == NULL)
                rows = 0;
        } else if (WebPIDecGetRGB(decoder, &rows, NULL, NULL, NULL) == NULL) {
            rows = 0;
        }
        WebPIDelete(decoder);
    }
    if (rows > 0 && color == HR_WEBP_YCC)
        finish_ycc(planes, rows);
    else if (rows > 0)
        finish_rgb(packed, planes, channels, rows);
    free(packed);
    return rows;
}
