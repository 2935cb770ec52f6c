#include "hr_avif.h"

#ifdef HR_AVIF

#include <stdlib.h>

#include <avif/avif.h>

#include "hr_quiet.h"

struct hr_avif_decoder {
    avifDecoder *avif;
    hr_heif_info info;
};

static hr_status fail(const avifDecoder *avif, avifResult result, hr_error *error)
{
    const char *message = avif->diag.error[0] != 0 ? avif->diag.error : avifResultToString(result);
    switch (result) {
    case AVIF_RESULT_OUT_OF_MEMORY:
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    case AVIF_RESULT_TRUNCATED_DATA:
    case AVIF_RESULT_IO_ERROR:
    case AVIF_RESULT_WAITING_ON_IO:
        return hr_fail(error, HR_TRUNCATED, "the data end early");
    case AVIF_RESULT_NO_CODEC_AVAILABLE:
    case AVIF_RESULT_NOT_IMPLEMENTED:
    case AVIF_RESULT_UNSUPPORTED_DEPTH:
        return hr_fail(error, HR_UNSUPPORTED, message);
    default:
        return hr_fail(error, HR_CORRUPT, message);
    }
}

// The clean aperture in whole pixels (ISO/IEC 14496-12, 12.1.4); the whole image if the aperture is not inside it.
static void read_crop(const avifImage *image, hr_heif_info *info)
{
    const avifCleanApertureBox *box = &image->clap;
    info->x = 0;
    info->y = 0;
    info->crop_width = info->width;
    info->crop_height = info->height;
    if (!(image->transformFlags & AVIF_TRANSFORM_CLAP) || box->widthD == 0 || box->heightD == 0 ||
        box->horizOffD == 0 || box->vertOffD == 0)
        return;
    const double width = (double)box->widthN / box->widthD;
    const double height = (double)box->heightN / box->heightD;
    // The offsets are signed.
    const double x = (info->width - width) / 2 + (double)(int32_t)box->horizOffN / (int32_t)box->horizOffD;
    const double y = (info->height - height) / 2 + (double)(int32_t)box->vertOffN / (int32_t)box->vertOffD;
    if (!(x > -1 && y > -1 && width >= 1 && height >= 1 && x + width < info->width + 1 &&
          y + height < info->height + 1))
        return;
    info->x = x > 0 ? (int)(x + 0.5) : 0;
    info->y = y > 0 ? (int)(y + 0.5) : 0;
    info->crop_width = (int)(width + 0.5);
    info->crop_height = (int)(height + 0.5);
    if (info->x >= info->width)
        info->x = info->width - 1;
    if (info->y >= info->height)
        info->y = info->height - 1;
    if (info->crop_width > info->width - info->x)
        info->crop_width = info->width - info->x;
    if (info->crop_height > info->height - info->y)
        info->crop_height = info->height - info->y;
}

// The anticlockwise rotation and the subsequent mirroring, as one EXIF orientation.
static int orientation(const avifImage *image)
{
    static const int turned[4] = {1, 8, 3, 6};
    static const int flipped[2][4] = {
        {4, 5, 2, 7},  // top and bottom exchanged
        {2, 7, 4, 5},  // left and right exchanged
    };
    const int angle = image->transformFlags & AVIF_TRANSFORM_IROT ? image->irot.angle & 3 : 0;
    return image->transformFlags & AVIF_TRANSFORM_IMIR ? flipped[image->imir.mode & 1][angle] : turned[angle];
}

static void read_info(const avifDecoder *avif, hr_heif_info *info)
{
    const avifImage *image = avif->image;
    info->width = (int)image->width;
    info->height = (int)image->height;
    read_crop(image, info);
    info->orientation = orientation(image);
    info->depth = (int)image->depth;
    info->h_shared = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV444 ? 1 : 2;
    info->v_shared = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV420 ? 2 : 1;
    if (image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400) {
        info->h_shared = 0;
        info->v_shared = 0;
    }
    info->has_alpha = avif->alphaPresent;
    info->premultiplied = image->alphaPremultiplied;
    info->primaries = image->colorPrimaries;
    info->transfer = image->transferCharacteristics;
    info->matrix = image->matrixCoefficients;
    info->full_range = image->yuvRange == AVIF_RANGE_FULL;
    info->icc = image->icc.size > 0 ? image->icc.data : NULL;
    info->icc_count = image->icc.size;
}

static avifResult parse(avifDecoder *avif)
{
    hr_quiet_begin();
    const avifResult result = avifDecoderParse(avif);
    hr_quiet_end();
    return result;
}

hr_status hr_avif_open(const uint8_t *bytes, size_t count, hr_heif_limits limits, hr_avif_decoder **out,
                       hr_heif_info *info, hr_error *error)
{
    error->message[0] = 0;
    hr_avif_decoder *decoder = calloc(1, sizeof *decoder);
    *out = decoder;
    if (decoder == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    avifDecoder *avif = avifDecoderCreate();
    decoder->avif = avif;
    if (avif == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    avif->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    avif->maxThreads = 1;
    // The size limit must not exceed the limit of the library.
    if (limits.max_pixels < AVIF_DEFAULT_IMAGE_SIZE_LIMIT)
        avif->imageSizeLimit = (uint32_t)limits.max_pixels;
    avif->imageDimensionLimit = (uint32_t)limits.max_side;
    avif->imageCountLimit = (uint32_t)limits.max_frames;
    avif->ignoreExif = AVIF_TRUE;
    avif->ignoreXMP = AVIF_TRUE;
    // Crops with odd edges and other deviations of common encoders are accepted.
    avif->strictFlags = AVIF_STRICT_DISABLED;
    avifResult result = avifDecoderSetIOMemory(avif, bytes, count);
    if (result == AVIF_RESULT_OK)
        result = parse(avif);
    if (result != AVIF_RESULT_OK)
        return fail(avif, result, error);
    read_info(avif, &decoder->info);
    *info = decoder->info;
    if (info->width <= 0 || info->height <= 0 || info->depth < 8 || info->depth > 12)
        return hr_fail(error, HR_CORRUPT, "its size or depth is not valid");
    return HR_OK;
}

static hr_samples samples(const avifImage *image, const uint8_t *data, uint32_t stride, int width, int height)
{
    return (hr_samples){data, stride, width, height, (int)image->depth};
}

hr_status hr_avif_decode(hr_avif_decoder *decoder, hr_heif_image *picture, hr_error *error)
{
    avifDecoder *avif = decoder->avif;
    hr_quiet_begin();
    const avifResult result = avifDecoderNextImage(avif);
    hr_quiet_end();
    if (result != AVIF_RESULT_OK)
        return fail(avif, result, error);
    const avifImage *image = avif->image;
    hr_heif_info info = {0};
    read_info(avif, &info);
    const hr_heif_info *stated = &decoder->info;
    // The coded image may differ from the properties in the boxes.
    if (info.width != stated->width || info.height != stated->height || info.h_shared != stated->h_shared ||
        info.v_shared != stated->v_shared || info.depth != stated->depth || image->yuvPlanes[0] == NULL)
        return hr_fail(error, HR_CORRUPT, "its image differs from the description in its boxes");
    picture->planes[0] = samples(image, image->yuvPlanes[0], image->yuvRowBytes[0], info.width, info.height);
    for (int i = 1; i < 3 && info.h_shared > 0; i++) {
        const int across = (info.width + info.h_shared - 1) / info.h_shared;
        const int down = (info.height + info.v_shared - 1) / info.v_shared;
        if (image->yuvPlanes[i] == NULL)
            return hr_fail(error, HR_CORRUPT, "it has no chroma");
        picture->planes[i] = samples(image, image->yuvPlanes[i], image->yuvRowBytes[i], across, down);
    }
    if (info.has_alpha && image->alphaPlane != NULL)
        picture->alpha = samples(image, image->alphaPlane, image->alphaRowBytes, info.width, info.height);
    return HR_OK;
}

int hr_avif_frames(const hr_avif_decoder *decoder) { return decoder->avif->imageCount; }

void hr_avif_close(hr_avif_decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->avif != NULL)
        avifDecoderDestroy(decoder->avif);
    free(decoder);
}

#endif
