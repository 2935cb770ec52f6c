// Decodes HEVC for libheif with libde265, instead of libheif's own plugin of the same library.
//
// libde265 reports no error where a slice ends early: blocks that no slice covers keep what the memory of the picture
// held, which may be the picture of another client. Here the memory of each picture is filled with noise first. If noise
// is left, or libde265 warned, the data are decoded again over the inverted noise: a picture that depends on its fill is
// refused.

#include "hr_hevc.h"

#ifdef HR_HEIC

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libde265/de265.h>
#include <libheif/heif.h>
#include <libheif/heif_plugin.h>

#include "hr_hevc_fill.h"

typedef struct decoder {
    uint8_t *data;
    size_t count;
    hr_hevc_fill fill;
} decoder;

static const struct heif_error success = {heif_error_Ok, heif_suberror_Unspecified, "Success"};
static const struct heif_error no_memory = {heif_error_Memory_allocation_error, heif_suberror_Unspecified, "no memory"};

static struct heif_error refuse(const char *message)
{
    return (struct heif_error){heif_error_Decoder_plugin_error, heif_suberror_Unspecified, message};
}

static struct heif_error add_channel(struct heif_image *to, const struct de265_image *from, int channel, int depth)
{
    static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    const int width = de265_get_image_width(from, channel), height = de265_get_image_height(from, channel);
    int stride = 0, to_stride = 0;
    const uint8_t *rows = de265_get_image_plane(from, channel, &stride);
    if (width <= 0 || height <= 0 || rows == NULL || de265_get_bits_per_pixel(from, channel) != depth)
        return refuse("its channels differ");
    const struct heif_error failure = heif_image_add_plane(to, channels[channel], width, height, depth);
    if (failure.code != heif_error_Ok)
        return failure;
    uint8_t *to_rows = heif_image_get_plane(to, channels[channel], &to_stride);
    for (int y = 0; y < height; y++)
        memcpy(to_rows + (size_t)y * (size_t)to_stride, rows + (size_t)y * (size_t)stride,
               (size_t)width * (depth > 8 ? 2 : 1));
    return success;
}

// The colours that the coded picture states.
static void set_colors(struct heif_image *to, const struct de265_image *from)
{
    struct heif_color_profile_nclx *nclx = heif_nclx_color_profile_alloc();
    if (nclx == NULL)
        return;
    // Numbers that libheif does not know become those of unknown colours.
    heif_nclx_color_profile_set_color_primaries(nclx, (uint16_t)de265_get_image_colour_primaries(from));
    heif_nclx_color_profile_set_transfer_characteristics(nclx,
                                                         (uint16_t)de265_get_image_transfer_characteristics(from));
    heif_nclx_color_profile_set_matrix_coefficients(nclx, (uint16_t)de265_get_image_matrix_coefficients(from));
    nclx->full_range_flag = de265_get_image_full_range_flag(from) != 0;
    heif_image_set_nclx_color_profile(to, nclx);
    heif_nclx_color_profile_free(nclx);
}

static struct heif_error copy(const struct de265_image *from, struct heif_image **out)
{
    static const enum heif_chroma formats[] = {heif_chroma_monochrome, heif_chroma_420, heif_chroma_422,
                                               heif_chroma_444};
    const enum de265_chroma chroma = de265_get_chroma_format(from);
    const bool is_gray = chroma == de265_chroma_mono;
    struct heif_error failure =
        heif_image_create(de265_get_image_width(from, 0), de265_get_image_height(from, 0),
                          is_gray ? heif_colorspace_monochrome : heif_colorspace_YCbCr, formats[chroma], out);
    if (failure.code != heif_error_Ok)
        return failure;
    const int depth = de265_get_bits_per_pixel(from, 0);
    for (int i = 0; i < (is_gray ? 1 : 3) && failure.code == heif_error_Ok; i++)
        failure = add_channel(*out, from, i, depth);
    if (failure.code == heif_error_Ok)
        set_colors(*out, from);
    return failure;
}

// One NAL unit after the other, each after its length.
static struct heif_error push(const decoder *self, de265_decoder_context *context)
{
    for (size_t at = 0; at < self->count;) {
        const struct heif_error ends = {heif_error_Decoder_plugin_error, heif_suberror_End_of_data, ""};
        if (self->count - at < 4)
            return ends;
        const uint8_t *length = self->data + at;
        const size_t size =
            (size_t)length[0] << 24 | (size_t)length[1] << 16 | (size_t)length[2] << 8 | (size_t)length[3];
        at += 4;
        if (size > self->count - at || size > INT32_MAX)
            return ends;
        if (de265_push_NAL(context, self->data + at, (int)size, 0, NULL) == DE265_ERROR_OUT_OF_MEMORY)
            return no_memory;
        at += size;
    }
    return success;
}

static struct heif_error run(decoder *self, de265_decoder_context *context, struct heif_image **out, bool *is_doubtful)
{
    self->fill.pictures = 0;
    hr_hevc_set_fill(context, &self->fill);
    struct heif_error failure = push(self, context);
    de265_flush_data(context);
    int more = failure.code == heif_error_Ok;
    while (more) {
        more = 0;
        const de265_error status = de265_decode(context, &more);
        *is_doubtful |= status != DE265_OK;
        if (status != DE265_OK)
            break;
        const struct de265_image *image = de265_get_next_picture(context);
        if (image == NULL)
            continue;
        // Of several pictures the last one counts.
        if (*out != NULL)
            heif_image_release(*out);
        *out = NULL;
        failure = copy(image, out);
        *is_doubtful |= hr_hevc_keeps_noise(image, &self->fill);
        de265_release_next_picture(context);
        more = more && failure.code == heif_error_Ok;
    }
    if (*out != NULL && self->fill.pictures == 0)
        return refuse("this version of libde265 does not let its memory be filled");
    // A picture can be predicted from another one.
    *is_doubtful |= self->fill.pictures > 1 || de265_get_warning(context) != DE265_OK;
    return failure;
}

// Decodes all data over noise.
static struct heif_error decode_over(decoder *self, uint16_t inversion, struct heif_image **out, bool *is_doubtful)
{
    *out = NULL;
    self->fill.inversion = inversion;
    // Without worker threads it decodes on the calling thread.
    de265_decoder_context *context = de265_new_decoder();
    if (context == NULL)
        return no_memory;
    struct heif_error failure = run(self, context, out, is_doubtful);
    de265_free_decoder(context);
    if (failure.code == heif_error_Ok && *out == NULL)
        failure = refuse("its coded data hold no picture");
    if (failure.code != heif_error_Ok && *out != NULL) {
        heif_image_release(*out);
        *out = NULL;
    }
    return failure;
}

static bool equals(const struct heif_image *one, const struct heif_image *other)
{
    static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    for (int i = 0; i < 3; i++) {
        int stride = 0, other_stride = 0;
        const uint8_t *rows = heif_image_get_plane_readonly(one, channels[i], &stride);
        const uint8_t *other_rows = heif_image_get_plane_readonly(other, channels[i], &other_stride);
        if ((rows == NULL) != (other_rows == NULL))
            return false;
        if (rows == NULL)
            continue;
        const int width = heif_image_get_width(one, channels[i]), height = heif_image_get_height(one, channels[i]);
        const int depth = heif_image_get_bits_per_pixel_range(one, channels[i]);
        if (heif_image_get_width(other, channels[i]) != width || heif_image_get_height(other, channels[i]) != height ||
            heif_image_get_bits_per_pixel_range(other, channels[i]) != depth)
            return false;
        for (int y = 0; y < height; y++) {
            if (memcmp(rows + (size_t)y * (size_t)stride, other_rows + (size_t)y * (size_t)other_stride,
                       (size_t)width * (depth > 8 ? 2 : 1)) != 0)
                return false;
        }
    }
    return true;
}

static _Thread_local struct heif_image **kept;

void hr_hevc_keep(struct heif_image **picture) { kept = picture; }

// Keeps a picture, if that is asked for, and replaces it by one of a channel whose samples are not set.
static struct heif_error keep(struct heif_image **picture)
{
    if (kept == NULL || *kept != NULL)
        return success;
    *kept = *picture;
    *picture = NULL;
    const int width = heif_image_get_primary_width(*kept), height = heif_image_get_primary_height(*kept);
    struct heif_error failure =
        heif_image_create(width, height, heif_colorspace_monochrome, heif_chroma_monochrome, picture);
    return failure.code == heif_error_Ok ? heif_image_add_plane(*picture, heif_channel_Y, width, height, 8) : failure;
}

static struct heif_error decode_sound(decoder *self, struct heif_image **out)
{
    bool is_doubtful = false;
    struct heif_error failure = decode_over(self, 0, out, &is_doubtful);
    if (failure.code != heif_error_Ok || !is_doubtful)
        return failure;
    struct heif_image *other = NULL;
    failure = decode_over(self, 0xFFFF, &other, &is_doubtful);
    if (failure.code == heif_error_Ok && !equals(*out, other))
        failure = refuse("a part of its coded picture is missing");
    if (other != NULL)
        heif_image_release(other);
    return failure;
}

static struct heif_error decode_image(void *opaque, struct heif_image **out)
{
    struct heif_error failure = decode_sound(opaque, out);
    if (failure.code == heif_error_Ok)
        failure = keep(out);
    if (failure.code != heif_error_Ok && *out != NULL) {
        heif_image_release(*out);
        *out = NULL;
    }
    return failure;
}

static struct heif_error push_data(void *opaque, const void *bytes, size_t count)
{
    decoder *self = opaque;
    if (count == 0)
        return success;
    uint8_t *data = count > SIZE_MAX - self->count ? NULL : realloc(self->data, self->count + count);
    if (data == NULL)
        return no_memory;
    memcpy(data + self->count, bytes, count);
    self->data = data;
    self->count += count;
    return success;
}

static struct heif_error new_decoder(void **out)
{
    *out = calloc(1, sizeof(decoder));
    return *out != NULL ? success : no_memory;
}

static void free_decoder(void *opaque)
{
    decoder *self = opaque;
    free(self->data);
    free(self);
}

static const char *name(void) { return "libde265 over noise"; }

static void begin(void) { de265_init(); }

static void end(void) { de265_free(); }

// libheif's own plugin has 100.
static int priority(enum heif_compression_format format) { return format == heif_compression_HEVC ? 200 : 0; }

// Every other coding, so that libheif's own decoders are not used: a broken picture of AV1 loses 40 bytes of dav1d there.
static int priority_of_others(enum heif_compression_format format) { return 200 - priority(format); }

static const char *name_of_others(void) { return "none but HEVC"; }

static void nothing(void) {}

static struct heif_error no_decoder(void **out)
{
    *out = NULL;
    return (struct heif_error){heif_error_Unsupported_feature, heif_suberror_Unsupported_codec,
                               "its picture is not coded with HEVC"};
}

static void register_plugins(void)
{
    static const struct heif_decoder_plugin plugin = {
        .plugin_api_version = 1,
        .get_plugin_name = name,
        .init_plugin = begin,
        .deinit_plugin = end,
        .does_support_format = priority,
        .new_decoder = new_decoder,
        .free_decoder = free_decoder,
        .push_data = push_data,
        .decode_image = decode_image,
    };
    static const struct heif_decoder_plugin others = {
        .plugin_api_version = 1,
        .get_plugin_name = name_of_others,
        .init_plugin = nothing,
        .deinit_plugin = nothing,
        .does_support_format = priority_of_others,
        .new_decoder = no_decoder,
    };
    hr_hevc_prepare_fills();
    heif_register_decoder_plugin(&plugin);
    heif_register_decoder_plugin(&others);
}

void hr_hevc_register(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_plugins);
}

#endif
