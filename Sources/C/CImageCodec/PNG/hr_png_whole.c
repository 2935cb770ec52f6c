#include "hr_png_whole.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "hr_pixels.h"

// Larger images are read row by row, so that they need no more memory than their planes.
static const size_t most_bytes = (size_t)32 << 20;
// A filter reads four bytes of a pixel of three.
static const size_t padding = 4;

static uint32_t number(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

size_t hr_png_whole_bytes(int width, int height, int channels, size_t count)
{
    const size_t row = 1 + (size_t)width * (size_t)channels;
    return (size_t)height > most_bytes / row ? 0 : row * (size_t)height + padding + count;
}

// Copies the data of consecutive IDAT chunks. Returns their number of bytes; 0 if one of them is damaged.
static size_t join_chunks(const hr_png_plain *file, uint8_t *to)
{
    size_t place = file->start, sum = 0;
    while (file->count - place >= 12 && memcmp(file->bytes + place + 4, "IDAT", 4) == 0) {
        const uint8_t *chunk = file->bytes + place;
        const size_t length = number(chunk);
        if (length > file->count - place - 12)
            return 0;
        if (!file->ignores_checksums && libdeflate_crc32(0, chunk + 4, length + 4) != number(chunk + 8 + length))
            return 0;
        memcpy(to + sum, chunk + 8, length);
        sum += length;
        place += 12 + length;
    }
    return sum;
}

// The rows, each after a byte for its filter, and padding; NULL if they are damaged or do not fit into memory.
static uint8_t *inflate_rows(const hr_png_plain *file, size_t rows)
{
    uint8_t *joined = malloc(file->count);
    uint8_t *inflated = malloc(rows + padding);
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    bool sound = joined != NULL && inflated != NULL && decompressor != NULL;
    if (sound) {
        const size_t count = join_chunks(file, joined);
        // Also verifies the checksum, and that there are neither more nor fewer rows.
        sound = libdeflate_zlib_decompress(decompressor, joined, count, inflated, rows, NULL) == LIBDEFLATE_SUCCESS;
    }
    if (decompressor != NULL)
        libdeflate_free_decompressor(decompressor);
    free(joined);
    if (sound) {
        memset(inflated + rows, 0, padding);
        return inflated;
    }
    free(inflated);
    return NULL;
}

bool hr_png_may_be_sound(const hr_png_plain *file, const hr_target *planes)
{
    const size_t row = 1 + (size_t)planes[0].width * (size_t)file->channels;
    if (hr_png_whole_bytes(planes[0].width, planes[0].height, file->channels, file->count) == 0)
        return true;
    hr_png_plain lenient = *file;
    lenient.ignores_checksums = true;
    uint8_t *rows = inflate_rows(&lenient, row * (size_t)planes[0].height);
    free(rows);
    return rows != NULL;
}

// Four samples of 16 bits each, because differences of samples need more than 8 bits. The vectors have eight lanes,
// because vectors of four are not a machine type everywhere; the upper half is not used.
typedef int16_t lanes __attribute__((vector_size(16)));
typedef uint8_t octets __attribute__((vector_size(8)));

static inline lanes load(const uint8_t *at)
{
    octets value = {0};
    memcpy(&value, at, 4);
    return __builtin_convertvector(value, lanes);
}

static inline void store(lanes value, uint8_t *at, int channels)
{
    const octets narrow = __builtin_convertvector(value, octets);
    memcpy(at, &narrow, (size_t)channels);
}

static inline lanes absolute(lanes value)
{
    const lanes negative = value < 0;
    return (value ^ negative) - negative;
}

// The prediction from the three neighbours (PNG, third edition, 9.4): of left, above and above left, the nearest to
// their gradient.
static inline lanes paeth(lanes left, lanes above, lanes corner)
{
    const lanes p = above - corner, q = left - corner;
    const lanes to_left = absolute(p), to_above = absolute(q), to_corner = absolute(p + q);
    const lanes is_left = (to_left <= to_above) & (to_left <= to_corner);
    const lanes is_above = ~is_left & (to_above <= to_corner);
    return (left & is_left) | (above & is_above) | (corner & ~(is_left | is_above));
}

typedef enum filter { NONE, SUB, UP, AVERAGE, PAETH } filter;

// The filters that depend on the pixel to the left, for pixels of three and four samples; they process a pixel at a
// time.
static inline void unfilter_pixels(filter kind, uint8_t *row, const uint8_t *above_row, size_t count, int channels)
{
    lanes left = {0}, corner = {0};
    for (size_t i = 0; i < count; i += (size_t)channels) {
        const lanes above = load(above_row + i);
        const lanes guess = kind == SUB ? left : kind == AVERAGE ? (left + above) >> 1 : paeth(left, above, corner);
        left = (load(row + i) + guess) & 0xFF;
        corner = above;
        store(left, row + i, channels);
    }
}

// The same filters, which process a sample at a time.
static void unfilter_samples(filter kind, uint8_t *row, const uint8_t *above_row, size_t count, int channels)
{
    for (size_t i = 0; i < count; i++) {
        const bool is_first = i < (size_t)channels;
        const int left = is_first ? 0 : row[i - (size_t)channels], above = above_row[i];
        const int corner = is_first ? 0 : above_row[i - (size_t)channels];
        const int to_left = abs(above - corner), to_above = abs(left - corner),
                  to_corner = abs(left + above - 2 * corner);
        const int nearest = to_left <= to_above && to_left <= to_corner ? left : to_above <= to_corner ? above : corner;
        row[i] = (uint8_t)(row[i] + (kind == SUB ? left : kind == AVERAGE ? (left + above) >> 1 : nearest));
    }
}

static void unfilter(filter kind, uint8_t *row, const uint8_t *above, size_t count, int channels)
{
    if (kind == NONE)
        return;
    if (kind == UP) {
        for (size_t i = 0; i < count; i++)
            row[i] = (uint8_t)(row[i] + above[i]);
        return;
    }
    // Each call has constant arguments, so that the compiler generates a loop for each call.
    if (channels == 3 && kind == SUB)
        unfilter_pixels(SUB, row, above, count, 3);
    else if (channels == 3 && kind == AVERAGE)
        unfilter_pixels(AVERAGE, row, above, count, 3);
    else if (channels == 3)
        unfilter_pixels(PAETH, row, above, count, 3);
    else if (channels == 4 && kind == SUB)
        unfilter_pixels(SUB, row, above, count, 4);
    else if (channels == 4 && kind == AVERAGE)
        unfilter_pixels(AVERAGE, row, above, count, 4);
    else if (channels == 4)
        unfilter_pixels(PAETH, row, above, count, 4);
    else
        unfilter_samples(kind, row, above, count, channels);
}

bool hr_png_read_whole(const hr_png_plain *file, const hr_target *planes)
{
    const size_t row = (size_t)planes[0].width * (size_t)file->channels;
    const int height = planes[0].height;
    if (hr_png_whole_bytes(planes[0].width, height, file->channels, file->count) == 0)
        return false;
    uint8_t *rows = inflate_rows(file, (1 + row) * (size_t)height);
    uint8_t *zeroes = calloc(1, row + padding);
    bool sound = rows != NULL && zeroes != NULL;
    for (int y = 0; y < height && sound; y++) {
        uint8_t *samples = rows + (size_t)y * (1 + row) + 1;
        const uint8_t kind = samples[-1];
        sound = kind <= PAETH;
        if (!sound)
            break;
        unfilter((filter)kind, samples, y == 0 ? zeroes : samples - row - 1, row, file->channels);
        hr_unpack_row(samples, planes, file->channels, y);
    }
    free(zeroes);
    free(rows);
    return sound;
}
