// Reads TIFF strip by strip or tile by tile, with libtiff's conversion to pixels of 8 bits where it is sufficient.

#include "hr_tiff_decoder.h"

#ifdef HR_TIFF

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hr_tiff_directories.h"
#include "hr_tiff_samples.h"

// MARK: The file in memory

static tmsize_t read_bytes(thandle_t handle, void *to, tmsize_t size)
{
    hr_tiff_decoder *decoder = handle;
    const size_t rest = decoder->position < decoder->count ? decoder->count - decoder->position : 0;
    const size_t taken = size > 0 && (size_t)size < rest ? (size_t)size : size > 0 ? rest : 0;
    memcpy(to, decoder->bytes + (taken > 0 ? decoder->position : 0), taken);
    // Replaces the offset of the first directory in the header.
    for (size_t i = decoder->position; i < decoder->position + taken && i < decoder->header_count; i++)
        ((uint8_t *)to)[i - decoder->position] = decoder->header[i];
    decoder->position += taken;
    return (tmsize_t)taken;
}

static tmsize_t write_bytes(thandle_t handle, void *from, tmsize_t size)
{
    (void)handle, (void)from, (void)size;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int from)
{
    hr_tiff_decoder *decoder = handle;
    const toff_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? decoder->position : decoder->count;
    if (offset > SIZE_MAX / 2)
        return (toff_t)-1;
    decoder->position = (size_t)(start + offset);
    return decoder->position;
}

static toff_t size_of(thandle_t handle) { return ((hr_tiff_decoder *)handle)->count; }

static int close_file(thandle_t handle)
{
    (void)handle;
    return 0;
}

// Strips are read in place.
static int map(thandle_t handle, void **base, toff_t *size)
{
    hr_tiff_decoder *decoder = handle;
    *base = (void *)(uintptr_t)decoder->bytes;
    *size = decoder->count;
    return 1;
}

static void unmap(thandle_t handle, void *base, toff_t size) { (void)handle, (void)base, (void)size; }

// MARK: Messages

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    hr_tiff_decoder *decoder = user;
    (void)tiff, (void)module;
    vsnprintf(decoder->message, sizeof decoder->message, format, arguments);
    return 1;
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

// libtiff's message, without its apology and its full stop.
static hr_status fail(hr_status status, const char *message, hr_error *error)
{
    char text[200];
    if (strncmp(message, "Sorry, ", 7) == 0)
        message += 7;
    snprintf(text, sizeof text, "%s", message);
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '.')
        text[length - 1] = 0;
    return hr_fail(error, status, text[0] != 0 ? text : "its structure breaks the rules");
}

// MARK: The header

static bool is_read(uint16_t compression)
{
    switch (compression) {
    case COMPRESSION_NONE:
    case COMPRESSION_CCITTRLE:
    case COMPRESSION_CCITTFAX3:
    case COMPRESSION_CCITTFAX4:
    case COMPRESSION_CCITTRLEW:
    case COMPRESSION_LZW:
    case COMPRESSION_JPEG:
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE:
    case COMPRESSION_PACKBITS:
        return true;
    default:
        return false;
    }
}

static const char *name_of(uint16_t compression)
{
    static const struct {
        uint16_t number;
        const char *name;
    } names[] = {
        {6, " (JPEG of TIFF 6.0)"}, {34661, " (JBIG)"},      {34676, " (SGI Log)"},   {34677, " (SGI Log)"},
        {34712, " (JPEG 2000)"},    {33003, " (JPEG 2000)"}, {33005, " (JPEG 2000)"}, {34887, " (LERC)"},
        {34925, " (LZMA)"},         {50000, " (Zstandard)"}, {50001, " (WebP)"},      {50002, " (JPEG XL)"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].number == compression)
            return names[i].name;
    return "";
}

// Reads the frame header of the first block, because libtiff supports only baseline JPEG and reports other files late.
static hr_status check_jpeg(TIFF *tiff, const hr_tiff_decoder *decoder, hr_error *error)
{
    const uint64_t start = TIFFGetStrileOffset(tiff, 0), length = TIFFGetStrileByteCount(tiff, 0);
    if (start >= decoder->count || length > decoder->count - start)
        return HR_OK;
    const uint8_t *bytes = decoder->bytes + start;
    for (uint64_t at = 2; at + 5 <= length && bytes[at] == 0xFF;) {
        const int marker = bytes[at + 1];
        if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) {
            if ((marker & 3) == 3)
                return hr_fail(error, HR_UNSUPPORTED, "lossless JPEG");
            return bytes[at + 4] == 8 ? HR_OK : hr_fail(error, HR_UNSUPPORTED, "JPEG of more than 8 bits");
        }
        if (marker == 0xF7)
            return hr_fail(error, HR_UNSUPPORTED, "JPEG-LS");
        if (marker == 0xDA)
            return HR_OK;
        at += 2 + ((uint64_t)bytes[at + 2] << 8 | bytes[at + 3]);
    }
    return HR_OK;
}

// Whether the work is proportional to the size of the file. It is not if strips share bytes, which are read repeatedly,
// or if most of a tile lies outside the image.
static bool is_bounded(TIFF *tiff, const hr_tiff_decoder *decoder, uint64_t block, uint64_t blocks, uint64_t raw)
{
    if (block == 0 || block > UINT64_MAX / 64 / (blocks + 1) || block * blocks > 16 * raw + (1 << 24))
        return false;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        const uint64_t bytes = TIFFGetStrileByteCount(tiff, (uint32_t)i);
        sum += bytes < decoder->count ? bytes : decoder->count;
    }
    return sum <= 2 * (uint64_t)decoder->count + (1 << 20);
}

static hr_status measure(hr_tiff_decoder *decoder, hr_error *error)
{
    TIFF *tiff = decoder->tiff;
    hr_tiff_info *info = &decoder->info;
    uint32_t width = 0, height = 0, rows = 0;
    uint16_t depth = 1, samples = 1, compression = COMPRESSION_NONE, orientation = 1, planes = 1;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) || !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height) ||
        width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
        return hr_fail(error, HR_CORRUPT, "its size is not valid");
    info->width = (int)width;
    info->height = (int)height;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &depth);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
    if (!is_read(compression)) {
        char message[60];
        snprintf(message, sizeof message, "compression %d%s", compression, name_of(compression));
        return hr_fail(error, HR_UNSUPPORTED, message);
    }
    if (depth == 0 || depth > 16 || samples == 0 || samples > 16)
        return hr_fail(error, HR_UNSUPPORTED, "samples of more than 16 bits, or more than 16 samples per pixel");
    uint32_t across = width;
    uint64_t blocks = 0, block = 0;
    if (TIFFIsTiled(tiff)) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &across);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &rows);
        block = TIFFTileSize64(tiff);
        blocks = TIFFNumberOfTiles(tiff);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        block = TIFFStripSize64(tiff);
        blocks = TIFFNumberOfStrips(tiff);
    }
    if (across == 0 || rows == 0 || blocks == 0 ||
        !is_bounded(tiff, decoder, block, blocks, (uint64_t)width * height * samples * (depth > 8 ? 2 : 1)))
        return hr_fail(error, HR_CORRUPT, "its strips or tiles do not match the image size");
    if (compression == COMPRESSION_JPEG) {
        const hr_status status = check_jpeg(tiff, decoder, error);
        if (status != HR_OK)
            return status;
    }
    info->depth = depth;
    info->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    info->is_lossy = compression == COMPRESSION_JPEG;
    // The pixels inside the image, four bytes each; a conversion also holds each plane of samples that is stored
    // separately.
    const int64_t columns = across < width ? across : width, lines = rows < height ? rows : height;
    info->block_bytes = columns * lines * 4 + (int64_t)block * (planes == PLANARCONFIG_SEPARATE ? samples : 1);
    return HR_OK;
}

static void read_profile(TIFF *tiff, hr_tiff_info *info)
{
    uint32_t count = 0;
    void *profile = NULL;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &count, &profile) && profile != NULL) {
        info->icc = profile;
        info->icc_count = count;
    }
}

static bool is_gray(const TIFFRGBAImage *image)
{
    return image->photometric == PHOTOMETRIC_MINISBLACK || image->photometric == PHOTOMETRIC_MINISWHITE;
}

// Keeps inks in their stored form; without a profile, libtiff would convert them to red, green and blue. 255 becomes
// the value without ink.
static void keep_inks(TIFFRGBAImage *image, uint32_t *to, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      int32_t from_skip, int32_t to_skip, unsigned char *from)
{
    const int samples = image->samplesperpixel;
    (void)x, (void)y;
    for (; height > 0; height--) {
        for (uint32_t i = 0; i < width; i++, from += samples)
            *to++ = ~(from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24);
        to += to_skip;
        from += (ptrdiff_t)from_skip * samples;
    }
}

static void keep_separate_inks(TIFFRGBAImage *image, uint32_t *to, uint32_t x, uint32_t y, uint32_t width,
                               uint32_t height, int32_t from_skip, int32_t to_skip, unsigned char *cyan,
                               unsigned char *magenta, unsigned char *yellow, unsigned char *black)
{
    (void)image, (void)x, (void)y;
    for (; height > 0; height--) {
        for (uint32_t i = 0; i < width; i++)
            *to++ = ~(*cyan++ | (uint32_t)*magenta++ << 8 | (uint32_t)*yellow++ << 16 | (uint32_t)*black++ << 24);
        to += to_skip;
        cyan += from_skip;
        magenta += from_skip;
        yellow += from_skip;
        black += from_skip;
    }
}

static TIFF *open_tiff(hr_tiff_decoder *decoder)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL)
        return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)decoder->limits.max_memory);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, decoder);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, decoder);
    TIFF *tiff =
        TIFFClientOpenExt("", "r", decoder, read_bytes, write_bytes, seek, close_file, size_of, map, unmap, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

// libtiff's conversion to pixels of 8 bits.
static hr_status begin_image(hr_tiff_decoder *decoder, hr_error *error)
{
    char message[1024] = "";
    if (!TIFFRGBAImageOK(decoder->tiff, message) || !TIFFRGBAImageBegin(&decoder->image, decoder->tiff, 1, message))
        return fail(HR_UNSUPPORTED, message, error);
    decoder->has_image = true;
    // libtiff would multiply straight colours by alpha, with this table.
    if (decoder->image.UaToAa != NULL)
        for (int i = 0; i < 256 * 256; i++)
            decoder->image.UaToAa[i] = (uint8_t)i;
    // Pixels keep their stored position; the caller rotates them.
    decoder->image.req_orientation = decoder->image.orientation;
    decoder->info.color_planes = is_gray(&decoder->image) ? 1 : 3;
    decoder->info.has_alpha = decoder->image.alpha != 0;
    if (decoder->image.photometric == PHOTOMETRIC_SEPARATED) {
        // libtiff treats black as alpha if planes are separate.
        decoder->info.color_planes = 4;
        decoder->info.has_alpha = false;
        if (decoder->image.isContig)
            decoder->image.put.contig = keep_inks;
        else
            decoder->image.put.separate = keep_separate_inks;
    }
    return HR_OK;
}

static void close_tiff(hr_tiff_decoder *decoder)
{
    if (decoder->has_image)
        TIFFRGBAImageEnd(&decoder->image);
    decoder->has_image = false;
    if (decoder->tiff != NULL)
        TIFFClose(decoder->tiff);
    decoder->tiff = NULL;
}

// Opens the image of a directory.
static hr_status open_directory(hr_tiff_decoder *decoder, uint64_t place, hr_error *error)
{
    close_tiff(decoder);
    decoder->info = (hr_tiff_info){0};
    decoder->position = 0;
    decoder->message[0] = 0;
    if (!hr_tiff_is_bounded(decoder->bytes, decoder->count, place))
        return hr_fail(error, HR_CORRUPT, "its directory lists more than the file can contain");
    decoder->header_count = hr_tiff_header(decoder->bytes, decoder->count, place, decoder->header);
    decoder->tiff = open_tiff(decoder);
    if (decoder->tiff == NULL)
        return fail(HR_CORRUPT, decoder->message, error);
    hr_status status = measure(decoder, error);
    if (status != HR_OK)
        return status;
    status = hr_tiff_find_samples(decoder->tiff, &decoder->samples, error);
    if (status != HR_OK)
        return status;
    if (decoder->samples.kind == HR_TIFF_BY_LIBRARY) {
        status = begin_image(decoder, error);
        if (status == HR_OK)
            read_profile(decoder->tiff, &decoder->info);
        return status;
    }
    decoder->info.color_planes = hr_tiff_color_planes(&decoder->samples);
    decoder->info.has_alpha = decoder->samples.alpha > 0;
    // The profile of a device-independent colour space does not describe red, green and blue.
    if (decoder->samples.kind != HR_TIFF_LAB)
        read_profile(decoder->tiff, &decoder->info);
    return HR_OK;
}

hr_status hr_tiff_open(const uint8_t *bytes, size_t count, hr_tiff_limits limits, hr_tiff_decoder **out,
                       hr_tiff_info *info, hr_error *error)
{
    // maximum number of images in a file that are tried; each costs the reading of a directory
    enum { MOST_TRIED = 8 };
    memset(info, 0, sizeof *info);
    error->message[0] = 0;
    hr_tiff_decoder *decoder = calloc(1, sizeof *decoder);
    *out = decoder;
    if (decoder == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    decoder->bytes = bytes;
    decoder->count = count;
    decoder->limits = limits;
    const hr_tiff_choice choice = hr_tiff_choose(bytes, count);
    if (choice.count == 0 && !choice.is_raw)
        return hr_fail(error, HR_CORRUPT, "it has no directory");
    hr_error first = {0};
    for (int i = 0; i < choice.count && i < MOST_TRIED; i++) {
        const hr_status status = open_directory(decoder, choice.places[i], error);
        if (status == HR_OK) {
            if (!TIFFGetField(decoder->tiff, TIFFTAG_ORIENTATION, &(uint16_t){0}) && choice.orientation > 0)
                decoder->info.orientation = choice.orientation;
            error->message[0] = 0;
            *info = decoder->info;
            return HR_OK;
        }
        if (i == 0)
            first = *error;
        if (status == HR_NO_MEMORY)
            return status;
    }
    if (choice.is_raw)
        return hr_fail(error, HR_UNSUPPORTED, "it is a raw photograph");
    *error = first;
    return first.status;
}

// MARK: Pixels

typedef struct block {
    uint32_t x, y, width, height;
} block;

// A colour that is stored premultiplied by alpha.
static uint8_t straight(uint32_t color, uint32_t alpha)
{
    if (alpha == 0 || color >= alpha)
        return alpha == 0 ? 0 : 255;
    return (uint8_t)((color * 255 + alpha / 2) / alpha);
}

static void unpack(const hr_tiff_decoder *decoder, const block *b, const uint32_t *raster, const hr_target *planes)
{
    const int colors = decoder->info.color_planes;
    const bool premultiplied = decoder->info.has_alpha && decoder->image.alpha == EXTRASAMPLE_ASSOCALPHA;
    for (uint32_t y = 0; y < b->height; y++) {
        for (uint32_t x = 0; x < b->width; x++) {
            const uint32_t pixel = raster[(size_t)y * b->width + x];
            const uint32_t alpha = TIFFGetA(pixel);
            for (int c = 0; c < colors; c++) {
                const uint32_t color = pixel >> (8 * c) & 255;
                planes[c].data[(size_t)(b->y + y) * planes[c].stride + b->x + x] =
                    premultiplied ? straight(color, alpha) : (uint8_t)color;
            }
            if (decoder->info.has_alpha)
                planes[colors].data[(size_t)(b->y + y) * planes[colors].stride + b->x + x] = (uint8_t)alpha;
        }
    }
}

// White, or transparent.
static void fill(const hr_tiff_decoder *decoder, const block *b, const hr_target *planes)
{
    const int count = decoder->info.color_planes + decoder->info.has_alpha;
    for (int c = 0; c < count; c++)
        for (uint32_t y = 0; y < b->height; y++)
            memset(planes[c].data + (size_t)(b->y + y) * planes[c].stride + b->x, decoder->info.has_alpha ? 0 : 255,
                   b->width);
}

static bool fits(const hr_tiff_info *info, const hr_target *planes)
{
    for (int c = 0; c < info->color_planes + info->has_alpha; c++)
        if (planes[c].width != info->width || planes[c].height != info->height ||
            planes[c].stride < (size_t)info->width)
            return false;
    return true;
}

static bool read_block(hr_tiff_decoder *decoder, const block *b, uint32_t *raster, const hr_target *planes)
{
    if (decoder->samples.kind != HR_TIFF_BY_LIBRARY)
        return hr_tiff_read_samples(decoder->tiff, &decoder->samples, b->x, b->y, planes);
    TIFFRGBAImage *image = &decoder->image;
    image->row_offset = (int)b->y;
    image->col_offset = (int)b->x;
    memset(raster, 0, (size_t)b->width * b->height * sizeof *raster);
    if (!TIFFRGBAImageGet(image, raster, b->width, b->height))
        return false;
    unpack(decoder, b, raster, planes);
    return true;
}

static hr_status read_blocks(hr_tiff_decoder *decoder, uint32_t across, uint32_t down, const hr_target *planes,
                             hr_error *error)
{
    const uint32_t width = (uint32_t)decoder->info.width, height = (uint32_t)decoder->info.height;
    const bool is_own = decoder->samples.kind != HR_TIFF_BY_LIBRARY;
    uint32_t *raster = is_own ? NULL : malloc((size_t)across * down * sizeof *raster);
    if (is_own ? !hr_tiff_begin_samples(decoder->tiff, &decoder->samples) : raster == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the pixels");
    int64_t lost = 0;
    for (uint32_t y = 0; y < height && lost * 2 <= (int64_t)width * height; y += down) {
        for (uint32_t x = 0; x < width; x += across) {
            const block b = {x, y, width - x < across ? width - x : across, height - y < down ? height - y : down};
            if (!read_block(decoder, &b, raster, planes)) {
                fill(decoder, &b, planes);
                lost += (int64_t)b.width * b.height;
            }
        }
    }
    free(raster);
    hr_tiff_end_samples(&decoder->samples);
    decoder->damaged = lost > 0;
    if (lost * 2 > (int64_t)width * height || (lost > 0 && decoder->limits.whole))
        return fail(HR_CORRUPT, decoder->message, error);
    return HR_OK;
}

hr_status hr_tiff_decode(hr_tiff_decoder *decoder, const hr_target *planes, hr_error *error)
{
    error->message[0] = 0;
    uint32_t across = (uint32_t)decoder->info.width, down = 0;
    if (!fits(&decoder->info, planes))
        return hr_fail(error, HR_FAILED, "planes do not match the image size");
    if (TIFFIsTiled(decoder->tiff)) {
        TIFFGetField(decoder->tiff, TIFFTAG_TILEWIDTH, &across);
        TIFFGetField(decoder->tiff, TIFFTAG_TILELENGTH, &down);
    } else {
        TIFFGetFieldDefaulted(decoder->tiff, TIFFTAG_ROWSPERSTRIP, &down);
    }
    if (across > (uint32_t)decoder->info.width)
        across = (uint32_t)decoder->info.width;
    if (down > (uint32_t)decoder->info.height)
        down = (uint32_t)decoder->info.height;
    return read_blocks(decoder, across, down, planes, error);
}

bool hr_tiff_is_damaged(const hr_tiff_decoder *decoder) { return decoder->damaged; }

void hr_tiff_close(hr_tiff_decoder *decoder)
{
    if (decoder == NULL)
        return;
    close_tiff(decoder);
    free(decoder);
}

#endif
