#include "hr_pixels.h"

#include <string.h>

// Transposing byte by byte uses the cache and the vector unit inefficiently; tiles of 16 by 16 use both well.
typedef uint8_t tile_row __attribute__((vector_size(16)));

enum { TILE = 16 };

static inline tile_row low_pairs(tile_row a, tile_row b)
{
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline tile_row high_pairs(tile_row a, tile_row b)
{
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// Interleaving row k with row k + 8, repeated four times, moves element (i, j) to (j, i).
static void transpose_tile(const uint8_t *from, ptrdiff_t from_step, uint8_t *to, ptrdiff_t to_step)
{
    tile_row a[TILE], b[TILE];
    for (int k = 0; k < TILE; k++)
        memcpy(&a[k], from + k * from_step, TILE);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < TILE / 2; k++) {
            b[2 * k] = low_pairs(a[k], a[k + TILE / 2]);
            b[2 * k + 1] = high_pairs(a[k], a[k + TILE / 2]);
        }
        for (int k = 0; k < TILE / 2; k++) {
            a[2 * k] = low_pairs(b[k], b[k + TILE / 2]);
            a[2 * k + 1] = high_pairs(b[k], b[k + TILE / 2]);
        }
    }
    for (int k = 0; k < TILE; k++)
        memcpy(to + k * to_step, &a[k], TILE);
}

// to(x, y) = from(y, x), where a step may be negative to read or write rows upwards.
static void transpose(const uint8_t *from, ptrdiff_t from_step, uint8_t *to, ptrdiff_t to_step, int width, int height)
{
    const int whole_width = width - width % TILE;
    const int whole_height = height - height % TILE;
    for (int y = 0; y < whole_height; y += TILE) {
        for (int x = 0; x < whole_width; x += TILE)
            transpose_tile(from + x * from_step + y, from_step, to + y * to_step + x, to_step);
    }
    for (int y = 0; y < height; y++) {
        for (int x = y < whole_height ? whole_width : 0; x < width; x++)
            to[y * to_step + x] = from[x * from_step + y];
    }
}

static void reverse(const uint8_t *restrict from, uint8_t *restrict to, int width)
{
    for (int x = 0; x < width; x++)
        to[x] = from[width - 1 - x];
}

void hr_orient(const hr_plane *from, int orientation, const hr_target *to)
{
    const ptrdiff_t from_step = (ptrdiff_t)from->stride;
    const ptrdiff_t to_step = (ptrdiff_t)to->stride;
    const uint8_t *from_last = from->data + (from->height - 1) * from_step;
    uint8_t *to_last = to->data + (to->height - 1) * to_step;
    switch (orientation) {
    case 2:
    case 3:
        for (int y = 0; y < to->height; y++)
            reverse(orientation == 2 ? from->data + y * from_step : from_last - y * from_step, to->data + y * to_step,
                    to->width);
        break;
    case 4:
        for (int y = 0; y < to->height; y++)
            memcpy(to->data + y * to_step, from_last - y * from_step, (size_t)to->width);
        break;
    case 5:  // to(x, y) = from(y, x)
        transpose(from->data, from_step, to->data, to_step, to->width, to->height);
        break;
    case 6:  // a rotation by 90° to the right: to(x, y) = from(y, last - x)
        transpose(from_last, -from_step, to->data, to_step, to->width, to->height);
        break;
    case 7:  // to(x, y) = from(last - y, last - x)
        transpose(from_last, -from_step, to_last, -to_step, to->width, to->height);
        break;
    case 8:  // a rotation by 90° to the left: to(x, y) = from(last - y, x)
        transpose(from->data, from_step, to_last, -to_step, to->width, to->height);
        break;
    default:
        hr_copy(from, 0, 0, to);
    }
}
