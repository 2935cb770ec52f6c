#include "hr_avif.h"

#ifdef HR_AVIF

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avif/avif.h>

// A file that is being written. A sequence is a file with several images.
typedef struct encoder {
    avifEncoder *avif;
    avifImage *image;
    hr_error *error;
} encoder;

static hr_status fail(const encoder *self, avifResult result)
{
    const char *message = self->avif->diag.error[0] != 0 ? self->avif->diag.error : avifResultToString(result);
    return hr_fail(self->error, result == AVIF_RESULT_OUT_OF_MEMORY ? HR_NO_MEMORY : HR_FAILED, message);
}

static avifPixelFormat format_of(const hr_avif_options *options)
{
    if (options->h_shared == 0)
        return AVIF_PIXEL_FORMAT_YUV400;
    if (options->h_shared == 1)
        return AVIF_PIXEL_FORMAT_YUV444;
    return options->v_shared == 1 ? AVIF_PIXEL_FORMAT_YUV422 : AVIF_PIXEL_FORMAT_YUV420;
}

static void set_level(avifEncoder *avif, const char *key, int level)
{
    char text[8];
    snprintf(text, sizeof text, "%d", level);
    avifEncoderSetCodecSpecificOption(avif, key, text);
}

static hr_status begin(encoder *self, const hr_avif_options *options)
{
    self->avif = avifEncoderCreate();
    if (self->avif == NULL)
        return hr_fail(self->error, HR_NO_MEMORY, "no memory for an encoder");
    avifEncoder *avif = self->avif;
    avif->codecChoice = AVIF_CODEC_CHOICE_AOM;
    avif->maxThreads = 1;
    avif->speed = options->speed;
    // The limits of the quantiser; the constant quality below stays within them.
    avif->minQuantizer = AVIF_QUANTIZER_BEST_QUALITY;
    avif->maxQuantizer = AVIF_QUANTIZER_WORST_QUALITY;
    avif->minQuantizerAlpha = AVIF_QUANTIZER_BEST_QUALITY;
    avif->maxQuantizerAlpha = AVIF_QUANTIZER_WORST_QUALITY;
    avifEncoderSetCodecSpecificOption(avif, "end-usage", "q");
    set_level(avif, "color:cq-level", options->quantizer);
    set_level(avif, "alpha:cq-level", options->alpha_quantizer);
    return HR_OK;
}

static bool fits(const hr_plane *plane, int width, int height)
{
    return plane->width == width && plane->height == height;
}

// An image that refers to the planes but does not own them.
static hr_status describe(encoder *self, const hr_plane *planes, const hr_avif_options *options)
{
    const int width = planes[0].width, height = planes[0].height;
    const int colors = options->h_shared == 0 ? 1 : 3;
    avifImage *image = avifImageCreate((uint32_t)width, (uint32_t)height, 8, format_of(options));
    self->image = image;
    if (image == NULL)
        return hr_fail(self->error, HR_NO_MEMORY, "no memory for an image");
    for (int c = 0; c < colors; c++) {
        const int across = c == 0 ? width : (width + options->h_shared - 1) / options->h_shared;
        const int down = c == 0 ? height : (height + options->v_shared - 1) / options->v_shared;
        if (!fits(&planes[c], across, down))
            return hr_fail(self->error, HR_FAILED, "planes do not match the image size");
        // libavif only reads the planes of an image that it encodes, and does not own these.
        image->yuvPlanes[c] = (uint8_t *)planes[c].data;
        image->yuvRowBytes[c] = (uint32_t)planes[c].stride;
    }
    if (options->has_alpha) {
        if (!fits(&planes[colors], width, height))
            return hr_fail(self->error, HR_FAILED, "planes do not match the image size");
        image->alphaPlane = (uint8_t *)planes[colors].data;
        image->alphaRowBytes = (uint32_t)planes[colors].stride;
    }
    // The colour space is sRGB unless there is a profile; the matrix is the matrix of JFIF in full range.
    image->yuvRange = AVIF_RANGE_FULL;
    image->matrixCoefficients = AVIF_MATRIX_COEFFICIENTS_BT601;
    image->colorPrimaries = AVIF_COLOR_PRIMARIES_BT709;
    image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_SRGB;
    if (options->exif_count > 0)
        avifImageSetMetadataExif(image, options->exif, options->exif_count);
    if (options->xmp_count > 0)
        avifImageSetMetadataXMP(image, options->xmp, options->xmp_count);
    if (options->icc_count > 0) {
        avifImageSetProfileICC(image, options->icc, options->icc_count);
        image->colorPrimaries = AVIF_COLOR_PRIMARIES_UNSPECIFIED;
        image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_UNSPECIFIED;
    }
    return HR_OK;
}

static hr_status add(encoder *self, const hr_plane *planes, const hr_avif_options *options, uint64_t time,
                     avifAddImageFlags flags)
{
    const hr_status status = describe(self, planes, options);
    if (status != HR_OK)
        return status;
    // aom reads this setting with the first image. Grey images, and therefore alpha, do not use it, because aom 3.6
    // would read missing chroma.
    if (options->is_drawn && options->h_shared != 0)
        avifEncoderSetCodecSpecificOption(self->avif, "color:tune-content", "screen");
    const avifResult result = avifEncoderAddImage(self->avif, self->image, time, flags);
    return result == AVIF_RESULT_OK ? HR_OK : fail(self, result);
}

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// Sets the times of creation and change in a sequence's headers to 0, so that equal images are equal files.
static void clear_times(uint8_t *boxes, size_t count)
{
    while (count >= 8) {
        const size_t size = big_endian(boxes);
        if (size < 8 || size > count)
            return;
        const uint8_t *type = boxes + 4;
        if (!memcmp(type, "moov", 4) || !memcmp(type, "trak", 4) || !memcmp(type, "mdia", 4))
            clear_times(boxes + 8, size - 8);
        else if ((!memcmp(type, "mvhd", 4) || !memcmp(type, "tkhd", 4) || !memcmp(type, "mdhd", 4)) && size >= 28)
            // Both times have 64 bits in version 1, and 32 in version 0.
            memset(boxes + 12, 0, boxes[8] == 1 ? 16 : 8);
        boxes += size;
        count -= size;
    }
}

static hr_status finish(encoder *self, hr_buffer *out)
{
    avifRWData file = AVIF_DATA_EMPTY;
    const avifResult result = avifEncoderFinish(self->avif, &file);
    hr_status status = result == AVIF_RESULT_OK ? HR_OK : fail(self, result);
    if (status == HR_OK && !hr_buffer_reserve(out, file.size))
        status = hr_fail(self->error, HR_NO_MEMORY, "no memory for the file");
    if (status == HR_OK) {
        clear_times(file.data, file.size);
        memcpy(out->data + out->count, file.data, file.size);
        out->count += file.size;
    }
    avifRWDataFree(&file);
    return status;
}

hr_status hr_avif_encode(const hr_plane *planes, const hr_avif_options *options, hr_buffer *out, hr_error *error)
{
    encoder self = {.error = error};
    error->message[0] = 0;
    if (planes[0].width > HR_AVIF_MAX_SIDE || planes[0].height > HR_AVIF_MAX_SIDE)
        return hr_fail(error, HR_TOO_LARGE, "more than an AV1 image can contain");
    hr_status status = begin(&self, options);
    if (status == HR_OK)
        status = add(&self, planes, options, 1, AVIF_ADD_IMAGE_FLAG_SINGLE);
    if (status == HR_OK)
        status = finish(&self, out);
    if (self.image != NULL)
        avifImageDestroy(self.image);
    if (self.avif != NULL)
        avifEncoderDestroy(self.avif);
    return status;
}

struct hr_avif_animator {
    encoder encoder;
    int width, height;
};

hr_status hr_avif_animator_open(int width, int height, const hr_avif_options *options, hr_avif_animator **out,
                                hr_error *error)
{
    error->message[0] = 0;
    *out = NULL;
    if (width > HR_AVIF_MAX_SIDE || height > HR_AVIF_MAX_SIDE)
        return hr_fail(error, HR_TOO_LARGE, "more than an AV1 image can contain");
    hr_avif_animator *self = calloc(1, sizeof *self);
    *out = self;
    if (self == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for an encoder");
    self->width = width;
    self->height = height;
    self->encoder.error = error;
    const hr_status status = begin(&self->encoder, options);
    if (status == HR_OK)
        self->encoder.avif->timescale = 1000;
    return status;
}

hr_status hr_avif_animator_add(hr_avif_animator *self, const hr_plane *planes, const hr_avif_options *options,
                               int milliseconds, hr_error *error)
{
    self->encoder.error = error;
    if (!fits(&planes[0], self->width, self->height))
        return hr_fail(error, HR_FAILED, "planes do not match the image size");
    const hr_status status =
        add(&self->encoder, planes, options, milliseconds > 0 ? (uint64_t)milliseconds : 1, AVIF_ADD_IMAGE_FLAG_NONE);
    // The planes belong to the caller.
    if (self->encoder.image != NULL)
        avifImageDestroy(self->encoder.image);
    self->encoder.image = NULL;
    return status;
}

hr_status hr_avif_animator_finish(hr_avif_animator *self, hr_buffer *out, hr_error *error)
{
    self->encoder.error = error;
    return finish(&self->encoder, out);
}

void hr_avif_animator_close(hr_avif_animator *self)
{
    if (self == NULL)
        return;
    if (self->encoder.avif != NULL)
        avifEncoderDestroy(self->encoder.avif);
    free(self);
}

#endif
