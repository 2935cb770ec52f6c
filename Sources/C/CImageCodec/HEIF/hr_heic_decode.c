// Decodes HEVC with libde265.
//
// libde265 reports no error if a slice ends early. Blocks that no slice covers keep the previous content of the memory,
// which may be the image of another client. The memory of each image is therefore first filled with noise. If some
// noise remains, or if libde265 reported a warning, the data are decoded again over the inverted noise. An image that
// depends on its initial content is rejected.

#include "hr_heic.h"

#ifdef HR_HEIC

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libde265/de265.h>

#include "hr_hevc_fill.h"
#include "hr_quiet.h"

enum {
    // Blocks have at most 64 pixels on a side.
    MOST_BLOCK = 64,
    // units of one image; it has at most 600 slices (H.265, A.4.1)
    MOST_UNITS = 16384,
    UNIT_HEADER = 2,
};

typedef struct plane {
    uint8_t *data;
    size_t stride;
    int width, height;
} plane;

struct hr_heic_picture {
    plane planes[3];
    int depth;
    enum de265_chroma chroma;
    int primaries, transfer, matrix;
    bool full_range;
};

typedef struct input {
    const uint8_t *configuration;
    size_t configuration_count;
    const uint8_t *data;
    size_t count;
    int width, height;
    hr_hevc_fill fill;
} input;

void hr_heic_free(hr_heic_picture *picture)
{
    if (picture == NULL)
        return;
    for (int i = 0; i < 3; i++)
        free(picture->planes[i].data);
    free(picture);
}

static int across(enum de265_chroma chroma) { return chroma == de265_chroma_444 ? 1 : 2; }
static int down(enum de265_chroma chroma) { return chroma == de265_chroma_420 ? 2 : 1; }

static hr_status add_plane(hr_heic_picture *to, const struct de265_image *from, int channel, hr_error *error)
{
    plane *plane = &to->planes[channel];
    const int width = de265_get_image_width(from, channel), height = de265_get_image_height(from, channel);
    int stride = 0;
    const uint8_t *rows = de265_get_image_plane(from, channel, &stride);
    if (rows == NULL || width < plane->width || height < plane->height ||
        de265_get_bits_per_pixel(from, channel) != to->depth)
        return hr_fail(error, HR_CORRUPT, "its channels differ");
    plane->stride = (size_t)plane->width * (to->depth > 8 ? 2 : 1);
    plane->data = malloc(plane->stride * (size_t)plane->height);
    if (plane->data == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for an image");
    for (int y = 0; y < plane->height; y++)
        memcpy(plane->data + (size_t)y * plane->stride, rows + (size_t)y * (size_t)stride, plane->stride);
    return HR_OK;
}

static bool fits(int length, int stated) { return length >= stated && length < stated + MOST_BLOCK; }

static hr_status copy(const input *input, const struct de265_image *from, hr_heic_picture **out, hr_error *error)
{
    hr_heic_free(*out);
    *out = NULL;
    if (!fits(de265_get_image_width(from, 0), input->width) || !fits(de265_get_image_height(from, 0), input->height))
        return hr_fail(error, HR_CORRUPT, "its size differs from the declared size");
    hr_heic_picture *to = calloc(1, sizeof *to);
    if (to == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for an image");
    *out = to;
    to->depth = de265_get_bits_per_pixel(from, 0);
    to->chroma = de265_get_chroma_format(from);
    to->primaries = de265_get_image_colour_primaries(from);
    to->transfer = de265_get_image_transfer_characteristics(from);
    to->matrix = de265_get_image_matrix_coefficients(from);
    to->full_range = de265_get_image_full_range_flag(from) != 0;
    to->planes[0].width = input->width;
    to->planes[0].height = input->height;
    hr_status status = add_plane(to, from, 0, error);
    for (int i = 1; i < 3 && status == HR_OK && to->chroma != de265_chroma_mono; i++) {
        to->planes[i].width = (input->width + across(to->chroma) - 1) / across(to->chroma);
        to->planes[i].height = (input->height + down(to->chroma) - 1) / down(to->chroma);
        status = add_plane(to, from, i, error);
    }
    return status;
}

static size_t number(const uint8_t *bytes, size_t count)
{
    size_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

// A unit that ends early is passed to the decoder, which reports the missing data.
static hr_status push_unit(de265_decoder_context *context, const uint8_t *bytes, size_t count, int *units,
                           hr_error *error)
{
    if (count <= UNIT_HEADER)
        return HR_OK;
    if (++*units > MOST_UNITS)
        return hr_fail(error, HR_CORRUPT, "its coded image has more than 16384 units");
    if (de265_push_NAL(context, bytes, (int)count, 0, NULL) == DE265_ERROR_OUT_OF_MEMORY)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    return HR_OK;
}

// The parameter sets (ISO/IEC 14496-15, 8.3.3.1): arrays of units, each after its length.
static hr_status push_configuration(const input *input, de265_decoder_context *context, int *units, hr_error *error)
{
    const uint8_t *bytes = input->configuration;
    const size_t count = input->configuration_count;
    hr_status status = HR_OK;
    size_t at = 23;
    for (int arrays = count >= at ? bytes[22] : 0; arrays > 0 && count - at >= 3; arrays--) {
        size_t left = number(bytes + at + 1, 2);
        at += 3;
        for (; left > 0 && count - at >= 2 && status == HR_OK; left--) {
            const size_t size = number(bytes + at, 2);
            at += 2;
            if (size > count - at)
                return hr_fail(error, HR_CORRUPT, "its configuration ends early");
            status = push_unit(context, bytes + at, size, units, error);
            at += size;
        }
    }
    return status;
}

// The units of the image, each after its length.
static hr_status push(const input *input, de265_decoder_context *context, hr_error *error)
{
    int units = 0;
    hr_status status = push_configuration(input, context, &units, error);
    const size_t length = (input->configuration_count > 21 ? input->configuration[21] & 3 : 3) + 1;
    for (size_t at = 0; at < input->count && status == HR_OK;) {
        if (input->count - at < length)
            return hr_fail(error, HR_TRUNCATED, "the data end early");
        const size_t size = number(input->data + at, length);
        at += length;
        if (size > input->count - at || size > INT32_MAX)
            return hr_fail(error, HR_TRUNCATED, "the data end early");
        status = push_unit(context, input->data + at, size, &units, error);
        at += size;
    }
    return status;
}

static hr_status run(input *input, de265_decoder_context *context, hr_heic_picture **out, bool *is_doubtful,
                     hr_error *error)
{
    input->fill.pictures = 0;
    input->fill.is_refused = false;
    input->fill.most_width = input->width + 2 * MOST_BLOCK;
    input->fill.most_height = input->height + 2 * MOST_BLOCK;
    hr_hevc_set_fill(context, &input->fill);
    hr_status status = push(input, context, error);
    de265_flush_data(context);
    int more = status == HR_OK;
    while (more) {
        more = 0;
        const de265_error result = de265_decode(context, &more);
        *is_doubtful |= result != DE265_OK;
        if (result != DE265_OK)
            break;
        const struct de265_image *image = de265_get_next_picture(context);
        if (image == NULL)
            continue;
        // If there are several images, the last one is used.
        status = copy(input, image, out, error);
        *is_doubtful |= hr_hevc_keeps_noise(image, &input->fill);
        de265_release_next_picture(context);
        more = more && status == HR_OK;
    }
    if (status == HR_OK && input->fill.is_refused)
        return hr_fail(error, HR_CORRUPT, "its size differs from the declared size");
    if (*out != NULL && input->fill.pictures == 0)
        return hr_fail(error, HR_FAILED, "this version of libde265 does not support clearing its memory");
    // An image can be predicted from another image.
    *is_doubtful |= input->fill.pictures > 1 || de265_get_warning(context) != DE265_OK;
    return status;
}

// Decodes all data into memory that was filled with noise.
static hr_status decode_over(input *input, uint16_t inversion, hr_heic_picture **out, bool *is_doubtful,
                             hr_error *error)
{
    *out = NULL;
    input->fill.inversion = inversion;
    // Without worker threads it decodes on the calling thread.
    de265_decoder_context *context = de265_new_decoder();
    if (context == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    hr_status status = run(input, context, out, is_doubtful, error);
    de265_free_decoder(context);
    if (status == HR_OK && *out == NULL)
        status = hr_fail(error, HR_CORRUPT, "its coded data contain no image");
    return status;
}

static bool equals(const hr_heic_picture *one, const hr_heic_picture *other)
{
    if (one->depth != other->depth || one->chroma != other->chroma)
        return false;
    for (int i = 0; i < 3; i++) {
        const plane *plane = &one->planes[i];
        if (plane->data != NULL &&
            memcmp(plane->data, other->planes[i].data, plane->stride * (size_t)plane->height) != 0)
            return false;
    }
    return true;
}

static hr_status decode_sound(input *input, hr_heic_picture **out, hr_error *error)
{
    bool is_doubtful = false;
    hr_status status = decode_over(input, 0, out, &is_doubtful, error);
    if (status != HR_OK || !is_doubtful)
        return status;
    hr_heic_picture *other = NULL;
    status = decode_over(input, 0xFFFF, &other, &is_doubtful, error);
    if (status == HR_OK && !equals(*out, other))
        status = hr_fail(error, HR_CORRUPT, "a part of its coded image is missing");
    hr_heic_free(other);
    return status;
}

static void describe(const hr_heic_picture *from, hr_heif_info *info, hr_heif_image *picture)
{
    const bool is_gray = from->chroma == de265_chroma_mono;
    info->width = from->planes[0].width;
    info->height = from->planes[0].height;
    info->depth = from->depth;
    info->h_shared = is_gray ? 0 : across(from->chroma);
    info->v_shared = is_gray ? 0 : down(from->chroma);
    info->primaries = from->primaries;
    info->transfer = from->transfer;
    info->matrix = from->matrix;
    info->full_range = from->full_range;
    for (int i = 0; i < (is_gray ? 1 : 3); i++) {
        const plane *plane = &from->planes[i];
        picture->planes[i] = (hr_samples){plane->data, plane->stride, plane->width, plane->height, from->depth};
    }
}

static void prepare(void)
{
    de265_init();
    hr_hevc_prepare_fills();
}

hr_status hr_heic_decode(const uint8_t *configuration, size_t configuration_count, const uint8_t *data, size_t count,
                         int width, int height, hr_heic_picture **out, hr_heif_info *info, hr_heif_image *picture,
                         hr_error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
    error->message[0] = 0;
    input input = {configuration, configuration_count, data, count, width, height, {0}};
    hr_quiet_begin();
    const hr_status status = decode_sound(&input, out, error);
    hr_quiet_end();
    if (status == HR_OK)
        describe(*out, info, picture);
    return status;
}

#endif
