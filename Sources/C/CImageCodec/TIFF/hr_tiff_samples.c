// Converts samples that libtiff's conversion to pixels rejects (depths other than 1, 2, 4, 8 and 16, inks of 16 bits),
// converts without their alpha (grey, palettes, inks), or converts for another white point (L*a*b*).

#include "hr_tiff_samples.h"

#ifdef HR_TIFF

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PHOTOMETRIC_ICC = 9 };

// MARK: The kind

static bool has_depth_of_library(int photometric, int depth, int count)
{
    const bool is_wide = depth == 8 || depth == 16;
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        return is_wide || (count == 1 && (depth == 1 || depth == 2 || depth == 4));
    case PHOTOMETRIC_RGB:
        return is_wide;
    case PHOTOMETRIC_PALETTE:
        return count == 1 && (depth == 1 || depth == 2 || depth == 4 || depth == 8);
    case PHOTOMETRIC_SEPARATED:
        return depth == 8;
    default:
        return false;
    }
}

static hr_tiff_kind kind_of(int photometric)
{
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        return HR_TIFF_GRAY;
    case PHOTOMETRIC_RGB:
        return HR_TIFF_RGB;
    case PHOTOMETRIC_PALETTE:
        return HR_TIFF_PALETTE;
    case PHOTOMETRIC_SEPARATED:
        return HR_TIFF_CMYK;
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICC:
        return HR_TIFF_LAB;
    default:
        return HR_TIFF_BY_LIBRARY;
    }
}

static int color_samples(hr_tiff_kind kind)
{
    switch (kind) {
    case HR_TIFF_GRAY:
    case HR_TIFF_PALETTE:
        return 1;
    case HR_TIFF_CMYK:
        return 4;
    default:
        return 3;
    }
}

int hr_tiff_color_planes(const hr_tiff_samples *samples)
{
    return samples->kind == HR_TIFF_GRAY ? 1 : samples->kind == HR_TIFF_CMYK ? 4 : 3;
}

// The first extra sample that is alpha. In colour images, libtiff also treats an extra sample of unknown meaning as
// alpha.
static void find_alpha(TIFF *tiff, hr_tiff_samples *samples)
{
    uint16_t count = 0, *kinds = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    const int first = color_samples(samples->kind);
    for (int i = 0; i < count && kinds != NULL && first + i < samples->count; i++) {
        const bool is_known = kinds[i] == EXTRASAMPLE_ASSOCALPHA || kinds[i] == EXTRASAMPLE_UNASSALPHA;
        if (is_known || (kinds[i] == EXTRASAMPLE_UNSPECIFIED && samples->kind == HR_TIFF_RGB)) {
            samples->alpha = first + i;
            samples->is_premultiplied = kinds[i] != EXTRASAMPLE_UNASSALPHA;
            return;
        }
    }
}

static bool find_palette(TIFF *tiff, hr_tiff_samples *samples)
{
    if (!TIFFGetField(tiff, TIFFTAG_COLORMAP, &samples->colors[0], &samples->colors[1], &samples->colors[2]))
        return false;
    // Some writers store 8 bits.
    for (int i = 0; i < 1 << samples->depth; i++)
        for (int c = 0; c < 3; c++)
            samples->has_wide_colors |= samples->colors[c][i] > 255;
    return true;
}

// Unsigned numbers, or signed numbers in L*a*b*.
static bool has_whole_numbers(TIFF *tiff, hr_tiff_kind kind)
{
    uint16_t format = SAMPLEFORMAT_UINT;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    return format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID ||
           (format == SAMPLEFORMAT_INT && kind == HR_TIFF_LAB);
}

static bool is_readable(TIFF *tiff, hr_tiff_samples *samples, uint16_t compression)
{
    uint16_t ink_set = INKSET_CMYK;
    if (samples->kind == HR_TIFF_CMYK)
        TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &ink_set);
    return ink_set == INKSET_CMYK && has_whole_numbers(tiff, samples->kind) &&
           samples->count >= color_samples(samples->kind) &&
           (samples->kind != HR_TIFF_LAB || samples->depth == 8 || samples->depth == 16) &&
           (samples->kind != HR_TIFF_PALETTE || find_palette(tiff, samples)) &&
           (compression != COMPRESSION_JPEG || samples->depth == 8);
}

hr_status hr_tiff_find_samples(TIFF *tiff, hr_tiff_samples *out, hr_error *error)
{
    uint16_t photometric = 0, depth = 1, count = 1, planes = PLANARCONFIG_CONTIG, compression = COMPRESSION_NONE;
    *out = (hr_tiff_samples){.kind = HR_TIFF_BY_LIBRARY};
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric))
        return HR_OK;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &depth);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &count);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    hr_tiff_samples found = {
        .kind = kind_of(photometric),
        .depth = depth,
        .count = count,
        .is_separate = planes == PLANARCONFIG_SEPARATE && count > 1,
        .is_inverted = photometric == PHOTOMETRIC_MINISWHITE,
        .is_icc_lab = photometric == PHOTOMETRIC_ICC,
    };
    if (found.kind == HR_TIFF_BY_LIBRARY)
        return HR_OK;
    find_alpha(tiff, &found);
    const bool keeps_alpha = found.alpha == 0 || found.kind == HR_TIFF_RGB;
    if (has_depth_of_library(photometric, depth, count) && keeps_alpha)
        return HR_OK;
    if (!is_readable(tiff, &found, compression))
        return hr_fail(error, HR_UNSUPPORTED, "samples of this depth, number or kind");
    *out = found;
    return HR_OK;
}

// MARK: Blocks

static size_t bytes_of_block(TIFF *tiff)
{
    return (size_t)(TIFFIsTiled(tiff) ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff));
}

bool hr_tiff_begin_samples(TIFF *tiff, hr_tiff_samples *samples)
{
    samples->block_bytes = bytes_of_block(tiff);
    samples->buffer = calloc(samples->is_separate ? (size_t)samples->count : 1, samples->block_bytes);
    return samples->buffer != NULL;
}

void hr_tiff_end_samples(hr_tiff_samples *samples)
{
    free(samples->buffer);
    samples->buffer = NULL;
}

static bool read_plane(TIFF *tiff, uint32_t x, uint32_t y, int plane, uint8_t *to, size_t count)
{
    // The missing samples of a damaged block must not be replaced by samples of another block.
    memset(to, 0, count);
    const tmsize_t size = (tmsize_t)count;
    if (TIFFIsTiled(tiff))
        return TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, (uint16_t)plane), to, size) >= 0;
    return TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, (uint16_t)plane), to, size) >= 0;
}

// Sample `index` of a row; samples of depths other than 8 and 16 are packed, highest bit first.
static unsigned sample_at(const uint8_t *row, size_t index, int depth)
{
    if (depth == 8)
        return row[index];
    if (depth == 16) {
        uint16_t value;
        memcpy(&value, row + 2 * index, sizeof value);
        return value;
    }
    unsigned value = 0;
    for (size_t bit = index * (size_t)depth; bit < (index + 1) * (size_t)depth; bit++)
        value = value << 1 | (row[bit / 8] >> (7 - bit % 8) & 1U);
    return value;
}

static uint8_t narrowed(unsigned value, int depth)
{
    const unsigned most = (1U << depth) - 1;
    return (uint8_t)((value * 255 + most / 2) / most);
}

static uint8_t clamped(double value) { return (uint8_t)(value <= 0 ? 0 : value >= 255 ? 255 : value + 0.5); }

static double cube_or_line(double value)
{
    const double limit = 6.0 / 29;
    return value > limit ? value * value * value : (value - 4.0 / 29) * 3 * limit * limit;
}

static double encoded(double light) { return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055; }

// CIE L*a*b* has the white point D50 (TIFF 6.0, section 23): the matrix is for sRGB, adapted to D50 by Bradford's
// method.
static void convert_lab(double lightness, double a, double b, uint8_t rgb[3])
{
    static const double white[3] = {0.96422, 1, 0.82521};
    static const double matrix[3][3] = {{3.1338561, -1.6168667, -0.4906146},
                                        {-0.9787684, 1.9161415, 0.0334540},
                                        {0.0719453, -0.2289914, 1.4052427}};
    const double y = (lightness + 16) / 116;
    const double xyz[3] = {white[0] * cube_or_line(y + a / 500), white[1] * cube_or_line(y),
                           white[2] * cube_or_line(y - b / 200)};
    for (int i = 0; i < 3; i++)
        rgb[i] = clamped(255 * encoded(fmax(0, matrix[i][0] * xyz[0] + matrix[i][1] * xyz[1] + matrix[i][2] * xyz[2])));
}

static void lab_pixel(const hr_tiff_samples *samples, const unsigned *values, uint8_t out[4])
{
    const bool is_wide = samples->depth == 16;
    if (samples->is_icc_lab) {
        const double unit = is_wide ? 256 : 1;
        convert_lab(values[0] * 100.0 / (255 * unit), values[1] / unit - 128, values[2] / unit - 128, out);
    } else if (is_wide) {
        convert_lab(values[0] * 100.0 / 65535, (int16_t)values[1] / 256.0, (int16_t)values[2] / 256.0, out);
    } else {
        convert_lab(values[0] * 100.0 / 255, (int8_t)values[1], (int8_t)values[2], out);
    }
}

static uint8_t straight(unsigned color, unsigned alpha)
{
    if (alpha == 0 || color >= alpha)
        return alpha == 0 ? 0 : 255;
    return (uint8_t)((color * 255 + alpha / 2) / alpha);
}

// Red, green and blue; or grey; or the light that inks leave.
static void convert_pixel(const hr_tiff_samples *samples, const unsigned *values, uint8_t alpha, uint8_t out[4])
{
    const int depth = samples->depth;
    switch (samples->kind) {
    case HR_TIFF_GRAY:
        out[0] = samples->is_inverted ? 255 - narrowed(values[0], depth) : narrowed(values[0], depth);
        break;
    case HR_TIFF_PALETTE:
        for (int c = 0; c < 3; c++) {
            const unsigned color = samples->colors[c][values[0]];
            out[c] = (uint8_t)(samples->has_wide_colors ? color >> 8 : color);
        }
        return;
    case HR_TIFF_LAB:
        lab_pixel(samples, values, out);
        return;
    default:
        for (int c = 0; c < hr_tiff_color_planes(samples); c++)
            out[c] = narrowed(values[c], depth);
        break;
    }
    if (samples->is_premultiplied)
        for (int c = 0; c < hr_tiff_color_planes(samples); c++)
            out[c] = straight(out[c], alpha);
    if (samples->kind == HR_TIFF_CMYK)
        for (int c = 0; c < 4; c++)
            out[c] = 255 - out[c];
}

bool hr_tiff_read_samples(TIFF *tiff, hr_tiff_samples *samples, uint32_t x, uint32_t y, const hr_target *planes)
{
    const int used = samples->alpha > 0 ? samples->alpha + 1 : color_samples(samples->kind);
    for (int plane = 0; plane < (samples->is_separate ? used : 1); plane++)
        if (!read_plane(tiff, x, y, plane, samples->buffer + (size_t)plane * samples->block_bytes,
                        samples->block_bytes))
            return false;
    const bool is_tiled = TIFFIsTiled(tiff) != 0;
    const size_t stride = (size_t)(is_tiled ? TIFFTileRowSize64(tiff) : TIFFScanlineSize64(tiff));
    uint32_t across = (uint32_t)planes[0].width - x, down = 0, most = across;
    if (is_tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &most);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &down);
        across = most < across ? most : across;
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &down);
    }
    const uint32_t left = (uint32_t)planes[0].height - y;
    down = down < left ? down : left;
    // Rows that do not fit the block are missing.
    if (stride == 0 || down > samples->block_bytes / stride)
        return false;
    const int colors = hr_tiff_color_planes(samples);
    for (uint32_t row = 0; row < down; row++) {
        const uint8_t *from = samples->buffer + (size_t)row * stride;
        for (uint32_t column = 0; column < across; column++) {
            unsigned values[16] = {0};
            for (int i = 0; i < used; i++)
                values[i] = samples->is_separate
                                ? sample_at(from + (size_t)i * samples->block_bytes, column, samples->depth)
                                : sample_at(from, (size_t)column * (size_t)samples->count + (size_t)i, samples->depth);
            const uint8_t alpha = samples->alpha > 0 ? narrowed(values[samples->alpha], samples->depth) : 255;
            uint8_t out[4];
            convert_pixel(samples, values, alpha, out);
            for (int c = 0; c < colors; c++)
                planes[c].data[(size_t)(y + row) * planes[c].stride + x + column] = out[c];
            if (samples->alpha > 0)
                planes[colors].data[(size_t)(y + row) * planes[colors].stride + x + column] = alpha;
        }
    }
    return true;
}

#endif
