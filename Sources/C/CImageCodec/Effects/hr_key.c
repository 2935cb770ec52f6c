#include "hr_key.h"

#include "hr_rows.h"
#include "hr_variants.h"

#include <math.h>

/// The key's chroma: its direction, and the inverse of its length.
typedef struct {
    float cb, cr, scale;
} chroma;

static inline __attribute__((always_inline)) float blue_difference(float r, float g, float b)
{
    return -0.168736F * r - 0.331264F * g + 0.5F * b;
}

static inline __attribute__((always_inline)) float red_difference(float r, float g, float b)
{
    return 0.5F * r - 0.418688F * g - 0.081312F * b;
}

static inline __attribute__((always_inline)) float bounded(float value, float most)
{
    value = value > 0 ? value : 0;
    return value < most ? value : most;
}

typedef struct {
    const uint8_t *r, *g, *b;
    uint8_t *to_r, *to_g, *to_b, *to_alpha;
    int width;
} row;

HR_KERNEL key_row_kernel(const row *rows, const hr_key *key, chroma of)
{
    const row at = *rows;
    const float slope = 1 / (key->clear - key->opaque), most = 255;
    for (int x = 0; x < at.width; x++) {
        const float r = at.r[x], g = at.g[x], b = at.b[x];
        const float cb = blue_difference(r, g, b), cr = red_difference(r, g, b);
        // Coordinates along the key's chroma and across it. If the distance across reaches the distance along, the
        // pixel contains no key.
        const float along = (cb * of.cb + cr * of.cr) * of.scale;
        const float across = (cr * of.cb - cb * of.cr) * of.scale;
        const float share = bounded(along - (across < 0 ? -across : across), 1);
        const float opacity = bounded((key->clear - share) * slope, 1);
        // The colour that was mixed with the key: (pixel - share * key) / (1 - share).
        const float taken = bounded(share * key->spill, 0.98F), rest = 1 / (1 - taken);
        at.to_r[x] = (uint8_t)(int)(bounded((r - taken * key->red) * rest, most) + 0.5F);
        at.to_g[x] = (uint8_t)(int)(bounded((g - taken * key->green) * rest, most) + 0.5F);
        at.to_b[x] = (uint8_t)(int)(bounded((b - taken * key->blue) * rest, most) + 0.5F);
        at.to_alpha[x] = (uint8_t)(int)(opacity * 255 + 0.5F);
    }
}
HR_VARIANTS(key_row, (const row *rows, const hr_key *key, chroma of), (rows, key, of))

void hr_key_out(const hr_plane *from, const hr_plane *alpha, const hr_target *to, const hr_key *key)
{
    const float cb = blue_difference(key->red, key->green, key->blue);
    const float cr = red_difference(key->red, key->green, key->blue);
    const float length = fmaxf(hypotf(cb, cr), 1);
    const chroma of = {cb / length, cr / length, 1 / length};
    for (int y = 0; y < to[0].height; y++) {
        const row rows = {hr_row(&from[0], y),      hr_row(&from[1], y),
                          hr_row(&from[2], y),      hr_target_row(&to[0], y),
                          hr_target_row(&to[1], y), hr_target_row(&to[2], y),
                          hr_target_row(&to[3], y), to[0].width};
        key_row(&rows, key, of);
        if (!alpha)
            continue;
        const uint8_t *own = hr_row(alpha, y);
        for (int x = 0; x < rows.width; x++)
            rows.to_alpha[x] = (uint8_t)((rows.to_alpha[x] * own[x] + 127) / 255);
    }
}
