#include "hr_jxl.h"

#ifdef HR_JPEGXL

#include <stdlib.h>
#include <string.h>

#include <jxl/decode.h>

#include "hr_pixels.h"
#include "hr_quiet.h"

struct hr_jxl_decoder {
    JxlDecoder *jxl;
    hr_jxl_info info;
    uint8_t *icc;
    const hr_target *planes;  // the target planes of rows
    const uint8_t *curve;     // from samples of 16 bits, or NULL
    uint32_t black;           // the extra channel of black
};

static hr_status fail(JxlDecoderStatus status, hr_error *error)
{
    if (status == JXL_DEC_NEED_MORE_INPUT)
        return hr_fail(error, HR_TRUNCATED, "the data end early");
    return hr_fail(error, HR_CORRUPT, "its bitstream breaks the rules");
}

static JxlDecoderStatus process(JxlDecoder *jxl)
{
    hr_quiet_begin();
    const JxlDecoderStatus status = JxlDecoderProcessInput(jxl);
    hr_quiet_end();
    return status;
}

static void read_basic(const JxlBasicInfo *basic, hr_jxl_info *info)
{
    info->width = (int)basic->xsize;
    info->height = (int)basic->ysize;
    info->orientation = (int)basic->orientation;
    info->depth = (int)basic->bits_per_sample;
    info->color_planes = basic->num_color_channels == 1 ? 1 : 3;
    info->extra_planes = (int)basic->num_extra_channels;
    info->has_alpha = basic->alpha_bits > 0;
    info->premultiplied = basic->alpha_premultiplied;
    info->animated = basic->have_animation;
}

// If its profile is not kept, an image with only an ICC profile is decoded to linear samples by default. 8 bits are too
// few for linear samples.
static void prefer_srgb(JxlDecoder *jxl, const JxlBasicInfo *basic)
{
    JxlColorEncoding original;
    const bool is_known =
        JxlDecoderGetColorAsEncodedProfile(jxl, NULL, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &original) == JXL_DEC_SUCCESS;
    if (basic->uses_original_profile || (is_known && original.transfer_function != JXL_TRANSFER_FUNCTION_LINEAR))
        return;
    const JxlColorEncoding srgb = {
        .color_space = basic->num_color_channels == 1 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB,
        .white_point = JXL_WHITE_POINT_D65,
        .primaries = JXL_PRIMARIES_SRGB,
        .transfer_function = JXL_TRANSFER_FUNCTION_SRGB,
        .rendering_intent = JXL_RENDERING_INTENT_RELATIVE,
    };
    // If this fails, the samples stay linear, and the profile states it.
    JxlDecoderSetPreferredColorProfile(jxl, &srgb);
}

static hr_status read_colors(hr_jxl_decoder *decoder, const JxlPixelFormat *format, size_t max_icc, hr_error *error)
{
    hr_jxl_info *info = &decoder->info;
    info->primaries = 2;
    info->transfer = 2;
    JxlColorEncoding data;
    if (JxlDecoderGetColorAsEncodedProfile(decoder->jxl, format, JXL_COLOR_PROFILE_TARGET_DATA, &data) ==
        JXL_DEC_SUCCESS) {
        const bool has_primaries = data.color_space == JXL_COLOR_SPACE_GRAY || data.primaries != JXL_PRIMARIES_CUSTOM;
        // Display P3 is a separate value, with the white point D65.
        if (data.color_space == JXL_COLOR_SPACE_GRAY)
            info->primaries = 1;
        else if (has_primaries)
            info->primaries = data.primaries == JXL_PRIMARIES_P3 && data.white_point == JXL_WHITE_POINT_D65
                                  ? 12
                                  : (int)data.primaries;
        if (data.transfer_function != JXL_TRANSFER_FUNCTION_GAMMA)
            info->transfer = (int)data.transfer_function;
    }
    size_t count = 0;
    if ((info->primaries == 1 && info->transfer == JXL_TRANSFER_FUNCTION_SRGB) ||
        JxlDecoderGetICCProfileSize(decoder->jxl, format, JXL_COLOR_PROFILE_TARGET_DATA, &count) != JXL_DEC_SUCCESS ||
        count == 0 || count > max_icc)
        return HR_OK;
    decoder->icc = malloc(count);
    if (decoder->icc == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a profile");
    if (JxlDecoderGetColorAsICCProfile(decoder->jxl, format, JXL_COLOR_PROFILE_TARGET_DATA, decoder->icc, count) ==
        JXL_DEC_SUCCESS) {
        info->icc = decoder->icc;
        info->icc_count = count;
    }
    return HR_OK;
}

// The number of colour channels that libjxl writes itself; black is an extra channel.
static int written_colors(const hr_jxl_info *info) { return info->color_planes == 1 ? 1 : 3; }

// Finds black among the extra channels, in an image of unconverted inks.
static void find_black(hr_jxl_decoder *decoder, const JxlBasicInfo *basic)
{
    if (basic->num_color_channels != 3 || !basic->uses_original_profile)
        return;
    for (uint32_t i = 0; i < basic->num_extra_channels && decoder->info.color_planes == 3; i++) {
        JxlExtraChannelInfo channel;
        if (JxlDecoderGetExtraChannelInfo(decoder->jxl, i, &channel) != JXL_DEC_SUCCESS ||
            channel.type != JXL_CHANNEL_BLACK)
            continue;
        decoder->black = i;
        decoder->info.color_planes = 4;
    }
}

static JxlPixelFormat format_of(const hr_jxl_info *info, JxlDataType type)
{
    return (JxlPixelFormat){
        .num_channels = (uint32_t)(written_colors(info) + info->has_alpha),
        .data_type = type,
    };
}

hr_status hr_jxl_open(const uint8_t *bytes, size_t count, size_t max_icc, hr_jxl_decoder **out, hr_jxl_info *info,
                      hr_error *error)
{
    memset(info, 0, sizeof *info);
    error->message[0] = 0;
    hr_jxl_decoder *decoder = calloc(1, sizeof *decoder);
    *out = decoder;
    if (decoder == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    // Without a parallel runner everything happens on the calling thread.
    JxlDecoder *jxl = JxlDecoderCreate(NULL);
    decoder->jxl = jxl;
    if (jxl == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    if (JxlDecoderSubscribeEvents(jxl, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE) !=
            JXL_DEC_SUCCESS ||
        JxlDecoderSetKeepOrientation(jxl, JXL_TRUE) != JXL_DEC_SUCCESS ||
        JxlDecoderSetInput(jxl, bytes, count) != JXL_DEC_SUCCESS)
        return hr_fail(error, HR_FAILED, "the JPEG XL decoder refused its parameters");
    JxlDecoderCloseInput(jxl);
    JxlBasicInfo basic;
    JxlDecoderStatus status = process(jxl);
    if (status != JXL_DEC_BASIC_INFO || JxlDecoderGetBasicInfo(jxl, &basic) != JXL_DEC_SUCCESS)
        return fail(status, error);
    if (basic.xsize == 0 || basic.ysize == 0 || basic.xsize > INT32_MAX || basic.ysize > INT32_MAX)
        return hr_fail(error, HR_CORRUPT, "its size is not valid");
    read_basic(&basic, &decoder->info);
    find_black(decoder, &basic);
    status = process(jxl);
    if (status != JXL_DEC_COLOR_ENCODING)
        return fail(status, error);
    prefer_srgb(jxl, &basic);
    const JxlPixelFormat format = format_of(&decoder->info, JXL_TYPE_UINT8);
    const hr_status result = read_colors(decoder, &format, max_icc, error);
    *info = decoder->info;
    return result;
}

// Writes samples of 16 bits; the curve is applied to colours.
static void narrow(const hr_jxl_decoder *decoder, const hr_target *part, int channels, size_t y, const uint16_t *pixels)
{
    for (int i = 0; i < channels; i++) {
        uint8_t *out = part[i].data + y * part[i].stride;
        for (int x = 0; x < part[i].width; x++) {
            const unsigned value = pixels[(size_t)x * (size_t)channels + (size_t)i];
            out[x] =
                i < written_colors(&decoder->info) ? decoder->curve[value] : (uint8_t)((value * 255 + 32767) / 65535);
        }
    }
}

// Receives a part of a row.
static void write_pixels(void *opaque, size_t x, size_t y, size_t count, const void *pixels)
{
    const hr_jxl_decoder *decoder = opaque;
    const int colors = written_colors(&decoder->info);
    const int channels = colors + decoder->info.has_alpha;
    const hr_target *planes = decoder->planes;
    if (y >= (size_t)planes[0].height || x >= (size_t)planes[0].width || count > (size_t)planes[0].width - x)
        return;
    hr_target part[4];
    for (int i = 0; i < channels; i++) {
        // Alpha is the last plane.
        part[i] = planes[i < colors ? i : decoder->info.color_planes];
        part[i].data += x;
        part[i].width = (int)count;
    }
    if (decoder->curve != NULL)
        narrow(decoder, part, channels, y, pixels);
    else
        hr_unpack_row(pixels, part, channels, (int)y);
}

// Makes libjxl write black into its plane; its stride follows from the alignment of the rows.
static bool set_black(const hr_jxl_decoder *decoder, const hr_target *plane)
{
    const JxlPixelFormat format = {.num_channels = 1, .data_type = JXL_TYPE_UINT8, .align = 64};
    size_t count = 0;
    return JxlDecoderExtraChannelBufferSize(decoder->jxl, &format, &count, decoder->black) == JXL_DEC_SUCCESS &&
           plane->stride == ((size_t)plane->width + 63) / 64 * 64 && count <= plane->stride * (size_t)plane->height &&
           JxlDecoderSetExtraChannelBuffer(decoder->jxl, &format, plane->data, plane->stride * (size_t)plane->height,
                                           decoder->black) == JXL_DEC_SUCCESS;
}

hr_status hr_jxl_decode(hr_jxl_decoder *decoder, const hr_target *planes, const uint8_t *curve, hr_error *error)
{
    for (int i = 0; i < decoder->info.color_planes + decoder->info.has_alpha; i++) {
        if (planes[i].width != decoder->info.width || planes[i].height != decoder->info.height)
            return hr_fail(error, HR_FAILED, "planes do not match the image size");
    }
    decoder->planes = planes;
    decoder->curve = curve;
    const JxlPixelFormat format = format_of(&decoder->info, curve != NULL ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8);
    JxlDecoderStatus status = process(decoder->jxl);
    if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
        if (JxlDecoderSetImageOutCallback(decoder->jxl, &format, write_pixels, decoder) != JXL_DEC_SUCCESS)
            return hr_fail(error, HR_FAILED, "the JPEG XL decoder refused its parameters");
        if (decoder->info.color_planes == 4 && !set_black(decoder, &planes[3]))
            return hr_fail(error, HR_FAILED, "the JPEG XL decoder refused the channel of black");
        status = process(decoder->jxl);
    }
    return status == JXL_DEC_FULL_IMAGE ? HR_OK : fail(status, error);
}

void hr_jxl_close(hr_jxl_decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->jxl != NULL)
        JxlDecoderDestroy(decoder->jxl);
    free(decoder->icc);
    free(decoder);
}

#endif
