// Reads TIFF with libtiff's conversion to pixels of 8 bits, one strip or tile after the other.

#include "hr_tiff.h"

#ifdef HR_TIFF

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

struct hr_tiff_decoder {
    TIFF *tiff;
    const uint8_t *bytes;
    size_t count, position;
    hr_tiff_limits limits;
    hr_tiff_info info;
    TIFFRGBAImage image;
    bool has_image;
    bool damaged;
    char message[200];
};

// MARK: The file in memory

static tmsize_t read_bytes(thandle_t handle, void *to, tmsize_t size)
{
    hr_tiff_decoder *decoder = handle;
    const size_t rest = decoder->position < decoder->count ? decoder->count - decoder->position : 0;
    const size_t taken = size > 0 && (size_t)size < rest ? (size_t)size : size > 0 ? rest : 0;
    memcpy(to, decoder->bytes + (taken > 0 ? decoder->position : 0), taken);
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

// Strips are read where they are.
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

// libtiff's own words, without their apology and their dot.
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

// MARK: The directory

// libtiff describes each tag that it does not know anew, sorts all of those for each further one, and keeps a copy of the
// values of every entry, also where entries share them: some hundred kilobytes took half a gigabyte.
enum { MOST_ENTRIES = 1000, MOST_SHARED_BYTES = 1 << 16 };

static uint64_t number_at(const hr_tiff_decoder *decoder, uint64_t place, int width)
{
    if (place > decoder->count || decoder->count - place < (uint64_t)width)
        return 0;
    const bool is_little = decoder->bytes[0] == 'I';
    uint64_t value = 0;
    for (int i = 0; i < width; i++)
        value = value << 8 | decoder->bytes[place + (uint64_t)(is_little ? width - 1 - i : i)];
    return value;
}

// The bytes of a value of a type (TIFF 6.0, section 2, and BigTIFF).
static uint64_t bytes_of(uint64_t type)
{
    static const uint8_t sizes[] = {1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 1, 1, 8, 8, 8};
    return type < sizeof sizes ? sizes[type] : 1;
}

// Whether the first directory has few entries, whose values together are not longer than the file.
static bool has_bounded_directory(const hr_tiff_decoder *decoder)
{
    // 43 stands for offsets of 64 bits.
    const bool is_big = number_at(decoder, 2, 2) == 43;
    const int width = is_big ? 8 : 4;
    const uint64_t start = number_at(decoder, is_big ? 8 : 4, width);
    const uint64_t entries = number_at(decoder, start, is_big ? 8 : 2);
    if (entries > MOST_ENTRIES)
        return false;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < entries; i++) {
        const uint64_t place = start + (is_big ? 8 : 2) + i * (uint64_t)(4 + 2 * width);
        const uint64_t count = number_at(decoder, place + 4, width);
        // More values than the file has bytes are not read.
        if (count <= decoder->count)
            sum += count * bytes_of(number_at(decoder, place + 2, 2));
    }
    return sum <= decoder->count + MOST_SHARED_BYTES;
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

// More than the file has pixels for: strips that share bytes are read again and again, and most of a tile may lie outside.
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
        char message[40];
        snprintf(message, sizeof message, "compression %d", compression);
        return hr_fail(error, HR_UNSUPPORTED, message);
    }
    if (depth == 0 || depth > 16 || samples == 0 || samples > 16)
        return hr_fail(error, HR_UNSUPPORTED, "samples of more than 16 bits, or more than 16 samples a pixel");
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
        return hr_fail(error, HR_CORRUPT, "its strips or tiles do not fit the picture");
    info->depth = depth;
    info->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    info->is_lossy = compression == COMPRESSION_JPEG;
    // The pixels inside of the picture, four bytes each; a conversion holds each plane of samples that is stored apart.
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

// Inks as they are stored, where libtiff would make red, green and blue of them without a profile; 255 becomes no ink.
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

hr_status hr_tiff_open(const uint8_t *bytes, size_t count, hr_tiff_limits limits, hr_tiff_decoder **out,
                       hr_tiff_info *info, hr_error *error)
{
    memset(info, 0, sizeof *info);
    error->message[0] = 0;
    hr_tiff_decoder *decoder = calloc(1, sizeof *decoder);
    *out = decoder;
    if (decoder == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    decoder->bytes = bytes;
    decoder->count = count;
    decoder->limits = limits;
    if (!has_bounded_directory(decoder))
        return hr_fail(error, HR_CORRUPT, "its directory lists more than the file can have");
    decoder->tiff = open_tiff(decoder);
    if (decoder->tiff == NULL)
        return fail(HR_CORRUPT, decoder->message, error);
    // The first picture of a raw photograph is a thumbnail.
    uint32_t version_count = 0;
    void *version = NULL;
    if (TIFFGetField(decoder->tiff, TIFFTAG_DNGVERSION, &version_count, &version))
        return hr_fail(error, HR_UNSUPPORTED, "it is a raw photograph (DNG)");
    const hr_status status = measure(decoder, error);
    if (status != HR_OK)
        return status;
    char message[1024] = "";
    if (!TIFFRGBAImageOK(decoder->tiff, message) || !TIFFRGBAImageBegin(&decoder->image, decoder->tiff, 1, message))
        return fail(HR_UNSUPPORTED, message, error);
    decoder->has_image = true;
    // libtiff would multiply straight colours by alpha, with this table.
    if (decoder->image.UaToAa != NULL)
        for (int i = 0; i < 256 * 256; i++)
            decoder->image.UaToAa[i] = (uint8_t)i;
    // Pixels stay where they are; the caller turns them.
    decoder->image.req_orientation = decoder->image.orientation;
    decoder->info.color_planes = is_gray(&decoder->image) ? 1 : 3;
    decoder->info.has_alpha = decoder->image.alpha != 0;
    if (decoder->image.photometric == PHOTOMETRIC_SEPARATED) {
        // libtiff calls black alpha if planes are separate.
        decoder->info.color_planes = 4;
        decoder->info.has_alpha = false;
        if (decoder->image.isContig)
            decoder->image.put.contig = keep_inks;
        else
            decoder->image.put.separate = keep_separate_inks;
    }
    read_profile(decoder->tiff, &decoder->info);
    *info = decoder->info;
    return HR_OK;
}

// MARK: Pixels

typedef struct block {
    uint32_t x, y, width, height;
} block;

// A colour that is stored multiplied by alpha.
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

static hr_status read_blocks(hr_tiff_decoder *decoder, uint32_t across, uint32_t down, const hr_target *planes,
                             hr_error *error)
{
    TIFFRGBAImage *image = &decoder->image;
    const uint32_t width = (uint32_t)decoder->info.width, height = (uint32_t)decoder->info.height;
    uint32_t *raster = malloc((size_t)across * down * sizeof *raster);
    if (raster == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the pixels");
    int64_t lost = 0;
    for (uint32_t y = 0; y < height && lost * 2 <= (int64_t)width * height; y += down) {
        for (uint32_t x = 0; x < width; x += across) {
            const block b = {x, y, width - x < across ? width - x : across, height - y < down ? height - y : down};
            image->row_offset = (int)y;
            image->col_offset = (int)x;
            memset(raster, 0, (size_t)b.width * b.height * sizeof *raster);
            if (TIFFRGBAImageGet(image, raster, b.width, b.height)) {
                unpack(decoder, &b, raster, planes);
            } else {
                fill(decoder, &b, planes);
                lost += (int64_t)b.width * b.height;
            }
        }
    }
    free(raster);
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
        return hr_fail(error, HR_FAILED, "planes do not fit the picture");
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
    if (decoder->has_image)
        TIFFRGBAImageEnd(&decoder->image);
    if (decoder->tiff != NULL)
        TIFFClose(decoder->tiff);
    free(decoder);
}

#endif
