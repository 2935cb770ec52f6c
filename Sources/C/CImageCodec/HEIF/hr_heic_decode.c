#include "hr_heic.h"

#ifdef HR_HEIC

#include <stdlib.h>
#include <string.h>

#include <libheif/heif.h>

#include "hr_hevc.h"
#include "hr_quiet.h"

struct hr_heic_decoder {
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_image *image;
    uint8_t *icc;
};

static hr_status fail(struct heif_error failure, hr_error *error)
{
    const char *message = failure.message != NULL ? failure.message : "it cannot be decoded";
    if (failure.subcode == heif_suberror_End_of_data)
        return hr_fail(error, HR_TRUNCATED, "the data end early");
    switch (failure.code) {
    case heif_error_Memory_allocation_error:
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature:
        return hr_fail(error, HR_UNSUPPORTED, message);
    default:
        return hr_fail(error, HR_CORRUPT, message);
    }
}

static void set_colors(const struct heif_color_profile_nclx *nclx, hr_heif_info *info)
{
    info->primaries = (int)nclx->color_primaries;
    info->transfer = (int)nclx->transfer_characteristics;
    info->matrix = (int)nclx->matrix_coefficients;
    info->full_range = nclx->full_range_flag != 0;
}

// Reads the profiles of the boxes.
static hr_status read_profiles(hr_heic_decoder *decoder, hr_heif_info *info, hr_error *error)
{
    info->primaries = 2;
    info->transfer = 2;
    info->matrix = 2;
    info->full_range = true;
    struct heif_color_profile_nclx *nclx = NULL;
    if (heif_image_handle_get_nclx_color_profile(decoder->handle, &nclx).code == heif_error_Ok && nclx != NULL)
        set_colors(nclx, info);
    heif_nclx_color_profile_free(nclx);
    const size_t count = heif_image_handle_get_raw_color_profile_size(decoder->handle);
    if (count == 0)
        return HR_OK;
    decoder->icc = malloc(count);
    if (decoder->icc == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a profile");
    if (heif_image_handle_get_raw_color_profile(decoder->handle, decoder->icc).code != heif_error_Ok)
        return HR_OK;
    info->icc = decoder->icc;
    info->icc_count = count;
    return HR_OK;
}

hr_status hr_heic_open(const uint8_t *bytes, size_t count, hr_heif_limits limits, hr_heic_decoder **out,
                       hr_heif_info *info, hr_error *error)
{
    memset(info, 0, sizeof *info);
    error->message[0] = 0;
    hr_heic_decoder *decoder = calloc(1, sizeof *decoder);
    *out = decoder;
    if (decoder == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    hr_hevc_register();
    decoder->context = heif_context_alloc();
    if (decoder->context == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    // With 1 it still starts a thread.
    heif_context_set_max_decoding_threads(decoder->context, 0);
    heif_context_set_maximum_image_size_limit(decoder->context, limits.max_side);
    hr_quiet_begin();
    struct heif_error failure = heif_context_read_from_memory_without_copy(decoder->context, bytes, count, NULL);
    if (failure.code == heif_error_Ok)
        failure = heif_context_get_primary_image_handle(decoder->context, &decoder->handle);
    hr_quiet_end();
    if (failure.code != heif_error_Ok)
        return fail(failure, error);
    info->width = heif_image_handle_get_ispe_width(decoder->handle);
    info->height = heif_image_handle_get_ispe_height(decoder->handle);
    info->crop_width = heif_image_handle_get_width(decoder->handle);
    info->crop_height = heif_image_handle_get_height(decoder->handle);
    info->orientation = 1;
    info->depth = heif_image_handle_get_luma_bits_per_pixel(decoder->handle);
    info->has_alpha = heif_image_handle_has_alpha_channel(decoder->handle);
    info->premultiplied = heif_image_handle_is_premultiplied_alpha(decoder->handle);
    if (info->width <= 0 || info->height <= 0 || info->crop_width <= 0 || info->crop_height <= 0)
        return hr_fail(error, HR_CORRUPT, "its size is not valid");
    // Some grids do not state a depth.
    if (info->depth < 1 || info->depth > 16)
        info->depth = 8;
    return read_profiles(decoder, info, error);
}

static hr_samples plane(const struct heif_image *image, enum heif_channel channel)
{
    int stride = 0;
    const uint8_t *data = heif_image_get_plane_readonly(image, channel, &stride);
    return (hr_samples){data, (size_t)stride, heif_image_get_width(image, channel),
                        heif_image_get_height(image, channel), heif_image_get_bits_per_pixel_range(image, channel)};
}

// Planes of one depth that cover the picture.
static bool is_sound(const hr_samples *samples, int width, int height)
{
    return samples->data != NULL && samples->width >= width && samples->height >= height && samples->depth >= 1 &&
           samples->depth <= 16 && samples->stride >= (size_t)samples->width * (samples->depth > 8 ? 2 : 1);
}

static bool read_chroma(const struct heif_image *image, hr_heif_info *info)
{
    switch (heif_image_get_chroma_format(image)) {
    case heif_chroma_monochrome:
        info->h_shared = 0;
        info->v_shared = 0;
        return true;
    case heif_chroma_420:
        info->h_shared = 2;
        info->v_shared = 2;
        return true;
    case heif_chroma_422:
        info->h_shared = 2;
        info->v_shared = 1;
        return true;
    case heif_chroma_444:
        info->h_shared = 1;
        info->v_shared = 1;
        return true;
    default:
        return false;
    }
}

// Decodes to the arrangement of samples that is coded, which has to be named: libheif converts them to RGB otherwise.
static hr_status decode_samples(hr_heic_decoder *decoder, const hr_heif_info *info, hr_error *error)
{
    const enum heif_chroma chroma = info->h_shared == 1   ? heif_chroma_444
                                    : info->v_shared == 1 ? heif_chroma_422
                                                          : heif_chroma_420;
    struct heif_error failure = {heif_error_Unsupported_feature, heif_suberror_Unspecified, ""};
    if (decoder->image != NULL)
        heif_image_release(decoder->image);
    decoder->image = NULL;
    hr_quiet_begin();
    if (info->h_shared > 0)
        failure = heif_decode_image(decoder->handle, &decoder->image, heif_colorspace_YCbCr, chroma, NULL);
    // Grey pictures, and conversions that the library lacks.
    if (failure.code == heif_error_Unsupported_feature)
        failure =
            heif_decode_image(decoder->handle, &decoder->image, heif_colorspace_undefined, heif_chroma_undefined, NULL);
    hr_quiet_end();
    return failure.code == heif_error_Ok ? HR_OK : fail(failure, error);
}

// The samples of the decoded picture, whose size is that of `info`.
static hr_status read_samples(const struct heif_image *image, hr_heif_info *info, hr_heif_picture *picture,
                              hr_error *error)
{
    struct heif_color_profile_nclx *nclx = NULL;
    if (heif_image_get_nclx_color_profile(image, &nclx).code == heif_error_Ok && nclx != NULL)
        set_colors(nclx, info);
    heif_nclx_color_profile_free(nclx);
    static const enum heif_channel colors[2][3] = {
        {heif_channel_Y, heif_channel_Cb, heif_channel_Cr},
        // As the identity matrix has them.
        {heif_channel_G, heif_channel_B, heif_channel_R},
    };
    const bool is_rgb = heif_image_get_colorspace(image) == heif_colorspace_RGB;
    if (!read_chroma(image, info))
        return hr_fail(error, HR_UNSUPPORTED, "its arrangement of samples");
    if (is_rgb) {
        info->matrix = 0;
        info->full_range = true;
    }
    for (int i = 0; i < (info->h_shared > 0 ? 3 : 1); i++) {
        const int across = i > 0 ? (info->width + info->h_shared - 1) / info->h_shared : info->width;
        const int down = i > 0 ? (info->height + info->v_shared - 1) / info->v_shared : info->height;
        picture->planes[i] = plane(image, colors[is_rgb][i]);
        if (!is_sound(&picture->planes[i], across, down))
            return hr_fail(error, HR_CORRUPT, "its planes do not fit the picture");
    }
    if (heif_image_has_channel(image, heif_channel_Alpha)) {
        picture->alpha = plane(image, heif_channel_Alpha);
        if (!is_sound(&picture->alpha, info->width, info->height))
            return hr_fail(error, HR_CORRUPT, "its alpha does not fit the picture");
    }
    return HR_OK;
}

hr_status hr_heic_decode(hr_heic_decoder *decoder, hr_heif_info *info, hr_heif_picture *picture, hr_error *error)
{
    const hr_status status = decode_samples(decoder, info, error);
    if (status != HR_OK)
        return status;
    if (heif_image_get_primary_width(decoder->image) != info->crop_width ||
        heif_image_get_primary_height(decoder->image) != info->crop_height)
        return hr_fail(error, HR_CORRUPT, "its picture does not have the size that is declared");
    info->width = info->crop_width;
    info->height = info->crop_height;
    return read_samples(decoder->image, info, picture, error);
}

hr_status hr_heic_decode_tile(hr_heic_decoder *decoder, uint32_t item, hr_heif_info *info, hr_heif_picture *picture,
                              hr_error *error)
{
    struct heif_image_handle *handle = NULL;
    struct heif_image *converted = NULL, *coded = NULL;
    struct heif_color_profile_nclx *nclx = NULL;
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (options == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    options->ignore_transformations = 1;
    hr_quiet_begin();
    struct heif_error failure = heif_context_get_image_handle(decoder->context, item, &handle);
    if (failure.code == heif_error_Ok) {
        hr_hevc_keep(&coded);
        failure = heif_decode_image(handle, &converted, heif_colorspace_undefined, heif_chroma_undefined, options);
        hr_hevc_keep(NULL);
        // Colours in a box take precedence over those that the coded picture states.
        if (coded != NULL && heif_image_handle_get_nclx_color_profile(handle, &nclx).code == heif_error_Ok)
            heif_image_set_nclx_color_profile(coded, nclx);
        heif_nclx_color_profile_free(nclx);
        heif_image_handle_release(handle);
    }
    hr_quiet_end();
    heif_decoding_options_free(options);
    if (converted != NULL)
        heif_image_release(converted);
    if (decoder->image != NULL)
        heif_image_release(decoder->image);
    decoder->image = coded;
    if (failure.code != heif_error_Ok)
        return fail(failure, error);
    if (coded == NULL)
        return hr_fail(error, HR_CORRUPT, "its coded data hold no picture");
    info->width = heif_image_get_primary_width(coded);
    info->height = heif_image_get_primary_height(coded);
    info->depth = heif_image_get_bits_per_pixel_range(coded, heif_channel_Y);
    return read_samples(coded, info, picture, error);
}

void hr_heic_close(hr_heic_decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->image != NULL)
        heif_image_release(decoder->image);
    if (decoder->handle != NULL)
        heif_image_handle_release(decoder->handle);
    if (decoder->context != NULL)
        heif_context_free(decoder->context);
    free(decoder->icc);
    free(decoder);
}

#endif
