#include "hr_pixels.h"

#include <string.h>

#include "hr_rows.h"

void hr_unpack_row(const uint8_t *packed, const hr_target *planes, int channels, int y)
{
    const int width = planes[0].width;
    uint8_t *restrict a = hr_target_row(&planes[0], y);
    uint8_t *restrict b = channels > 1 ? hr_target_row(&planes[1], y) : NULL;
    uint8_t *restrict c = channels > 2 ? hr_target_row(&planes[2], y) : NULL;
    uint8_t *restrict d = channels > 3 ? hr_target_row(&planes[3], y) : NULL;
    switch (channels) {
    case 1:
        memcpy(a, packed, (size_t)width);
        break;
    case 2:
        for (int x = 0; x < width; x++) {
            a[x] = packed[2 * x];
            b[x] = packed[2 * x + 1];
        }
        break;
    case 3:
        for (int x = 0; x < width; x++) {
            a[x] = packed[3 * x];
            b[x] = packed[3 * x + 1];
            c[x] = packed[3 * x + 2];
        }
        break;
    default:
        for (int x = 0; x < width; x++) {
            a[x] = packed[4 * x];
            b[x] = packed[4 * x + 1];
            c[x] = packed[4 * x + 2];
            d[x] = packed[4 * x + 3];
        }
    }
}

void hr_pack_row(const hr_plane *planes, int channels, int y, uint8_t *restrict packed)
{
    const int width = planes[0].width;
    const uint8_t *a = hr_row(&planes[0], y);
    const uint8_t *b = channels > 1 ? hr_row(&planes[1], y) : NULL;
    const uint8_t *c = channels > 2 ? hr_row(&planes[2], y) : NULL;
    const uint8_t *d = channels > 3 ? hr_row(&planes[3], y) : NULL;
    switch (channels) {
    case 1:
        memcpy(packed, a, (size_t)width);
        break;
    case 2:
        for (int x = 0; x < width; x++) {
            packed[2 * x] = a[x];
            packed[2 * x + 1] = b[x];
        }
        break;
    case 3:
        for (int x = 0; x < width; x++) {
            packed[3 * x] = a[x];
            packed[3 * x + 1] = b[x];
            packed[3 * x + 2] = c[x];
        }
        break;
    default:
        for (int x = 0; x < width; x++) {
            packed[4 * x] = a[x];
            packed[4 * x + 1] = b[x];
            packed[4 * x + 2] = c[x];
            packed[4 * x + 3] = d[x];
        }
    }
}

void hr_copy(const hr_plane *from, int x, int y, const hr_target *to)
{
    for (int row = 0; row < to->height; row++)
        memcpy(hr_target_row(to, row), hr_row(from, y + row) + x, (size_t)to->width);
}

void hr_fill(const hr_target *plane, uint8_t value)
{
    for (int y = 0; y < plane->height; y++)
        memset(hr_target_row(plane, y), value, (size_t)plane->width);
}

bool hr_is_filled(const hr_plane *plane, uint8_t value)
{
    for (int y = 0; y < plane->height; y++) {
        const uint8_t *row = hr_row(plane, y);
        uint8_t different = 0;
        for (int x = 0; x < plane->width; x++)
            different |= row[x] ^ value;
        if (different)
            return false;
    }
    return true;
}

void hr_flatten(const hr_plane *from, const hr_plane *alpha, const hr_target *to)
{
    for (int y = 0; y < to->height; y++) {
        const uint8_t *value = hr_row(from, y);
        const uint8_t *opacity = hr_row(alpha, y);
        uint8_t *out = hr_target_row(to, y);
        for (int x = 0; x < to->width; x++) {
            // (n + 128 + (n + 128) / 256) / 256 is n / 255 rounded, for n up to 255².
            uint32_t n = (uint32_t)value[x] * opacity[x] + 255u * (255u - opacity[x]) + 128;
            out[x] = (uint8_t)((n + (n >> 8)) >> 8);
        }
    }
}

void hr_blend(const hr_plane *from, const hr_plane *alpha, const hr_target *to)
{
    for (int y = 0; y < to->height; y++) {
        const uint8_t *value = hr_row(from, y);
        const uint8_t *opacity = hr_row(alpha, y);
        uint8_t *out = hr_target_row(to, y);
        for (int x = 0; x < to->width; x++) {
            uint32_t n = (uint32_t)value[x] * opacity[x] + (uint32_t)out[x] * (255u - opacity[x]) + 128;
            out[x] = (uint8_t)((n + (n >> 8)) >> 8);
        }
    }
}

void hr_luma(const hr_plane *rgb, const hr_target *to)
{
    for (int y = 0; y < to->height; y++) {
        const uint8_t *r = hr_row(&rgb[0], y);
        const uint8_t *g = hr_row(&rgb[1], y);
        const uint8_t *b = hr_row(&rgb[2], y);
        uint8_t *out = hr_target_row(to, y);
        // 0.299, 0.587 and 0.114 in 1/65536.
        for (int x = 0; x < to->width; x++)
            out[x] = (uint8_t)((19595u * r[x] + 38470u * g[x] + 7471u * b[x] + 32768u) >> 16);
    }
}

void hr_multiply(const hr_plane *light, const hr_plane *key, const hr_target *to)
{
    for (int y = 0; y < to->height; y++) {
        const uint8_t *value = hr_row(light, y);
        const uint8_t *factor = hr_row(key, y);
        uint8_t *out = hr_target_row(to, y);
        for (int x = 0; x < to->width; x++) {
            uint32_t n = (uint32_t)value[x] * factor[x] + 128;
            out[x] = (uint8_t)((n + (n >> 8)) >> 8);
        }
    }
}

void hr_invert(const hr_plane *from, const hr_target *to)
{
    for (int y = 0; y < to->height; y++) {
        const uint8_t *value = hr_row(from, y);
        uint8_t *out = hr_target_row(to, y);
        for (int x = 0; x < to->width; x++)
            out[x] = (uint8_t)(255 - value[x]);
    }
}

hr_alpha_uses hr_find_alpha_uses(const hr_plane *alpha)
{
    hr_alpha_uses uses = {false, false};
    for (int y = 0; y < alpha->height; y++) {
        const uint8_t *row = hr_row(alpha, y);
        uint8_t transparent = 0, translucent = 0;
        for (int x = 0; x < alpha->width; x++) {
            transparent |= row[x] == 0;
            // 0 wraps around to 255.
            translucent |= (uint8_t)(row[x] - 1) < 254;
        }
        uses.transparent |= transparent != 0;
        uses.translucent |= translucent != 0;
    }
    return uses;
}

void hr_hide(const hr_plane *from, const hr_plane *alpha, const hr_target *to)
{
    for (int y = 0; y < from->height; y++) {
        const uint8_t *restrict samples = hr_row(from, y);
        const uint8_t *restrict opacity = hr_row(alpha, y);
        uint8_t *restrict result = hr_target_row(to, y);
        for (int x = 0; x < from->width; x++)
            result[x] = opacity[x] == 0 ? 255 : samples[x];
    }
}

size_t hr_count_changes(const hr_plane *plane, const hr_plane *other, uint8_t tolerance)
{
    size_t count = 0;
    for (int y = 0; y < plane->height; y++) {
        const uint8_t *a = hr_row(plane, y);
        const uint8_t *b = hr_row(other, y);
        uint32_t changed = 0;
        for (int x = 0; x < plane->width; x++) {
            const uint8_t difference = a[x] > b[x] ? a[x] - b[x] : b[x] - a[x];
            changed += difference > tolerance;
        }
        count += changed;
    }
    return count;
}
