#include "hr_yuv.h"

#include <math.h>
#include <string.h>

hr_matrix hr_matrix_of(int coefficients, int primaries)
{
    switch (coefficients) {
    case 0:
        return (hr_matrix){HR_MATRIX_IDENTITY, 0, 0};
    case 1:
        return (hr_matrix){HR_MATRIX_WEIGHTS, 0.2126, 0.0722};
    case 2:  // Unspecified: as in other decoders.
    case 5:
    case 6:
        return (hr_matrix){HR_MATRIX_BT601, 0.299, 0.114};
    case 4:
        return (hr_matrix){HR_MATRIX_WEIGHTS, 0.30, 0.11};
    case 7:
        return (hr_matrix){HR_MATRIX_WEIGHTS, 0.212, 0.087};
    case 8:
        return (hr_matrix){HR_MATRIX_YCGCO, 0, 0};
    case 9:
        return (hr_matrix){HR_MATRIX_WEIGHTS, 0.2627, 0.0593};
    case 12:  // Derived from the primaries.
        switch (primaries) {
        case 1:
            return hr_matrix_of(1, primaries);
        case 5:  // BT.470 BG
            return (hr_matrix){HR_MATRIX_WEIGHTS, 0.2220, 0.0713};
        case 6:
        case 7:
            return (hr_matrix){HR_MATRIX_WEIGHTS, 0.2124, 0.0866};
        case 9:
            return hr_matrix_of(9, primaries);
        case 12:
            return (hr_matrix){HR_MATRIX_WEIGHTS, 0.2290, 0.0793};
        default:
            return (hr_matrix){HR_MATRIX_UNKNOWN, 0, 0};
        }
    default:
        return (hr_matrix){HR_MATRIX_UNKNOWN, 0, 0};
    }
}

static inline int clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

// `zero` becomes `result`, and a value `steps` higher becomes 255 more.
static uint8_t narrowed(int value, int zero, int steps, int result)
{
    const int64_t twice = (int64_t)(value - zero) * 255 * 2 + steps;
    const int64_t quotient = twice >= 0 ? twice / (2 * steps) : -((-twice + 2 * steps - 1) / (2 * steps));
    return (uint8_t)clamped((int)quotient + result);
}

static void fill_table(uint8_t *table, int depth, hr_range range)
{
    const int count = 1 << depth;
    const bool chroma = range == HR_FULL_CHROMA || range == HR_LIMITED_CHROMA;
    // Limited range is defined for at least eight bits (H.273, 8.3).
    const int unit = depth > 8 ? 1 << (depth - 8) : 1;
    const bool limited = depth >= 8 && (range == HR_LIMITED || range == HR_LIMITED_CHROMA);
    const int zero = chroma ? count / 2 : limited ? 16 * unit : 0;
    const int steps = limited ? (chroma ? 224 : 219) * unit : count - 1;
    for (int value = 0; value < count; value++)
        table[value] = narrowed(value, zero, steps, chroma ? 128 : 0);
}

static inline int last(int a, int end) { return a < end ? a : end - 1; }

void hr_narrow(const hr_samples *from, hr_range range, int x, int y, const hr_target *to)
{
    uint8_t table[1 << 16];
    const int highest = (1 << from->depth) - 1;
    fill_table(table, from->depth, range);
    for (int row = 0; row < to->height; row++) {
        const uint8_t *start = (const uint8_t *)from->data + (size_t)last(y + row, from->height) * from->stride;
        uint8_t *out = to->data + (size_t)row * to->stride;
        const int available = from->width - x < to->width ? from->width - x : to->width;
        if (from->depth > 8) {
            const uint16_t *in = (const uint16_t *)start + x;
            for (int i = 0; i < available; i++)
                out[i] = table[in[i] <= highest ? in[i] : highest];
        } else if (from->depth == 8 && (range == HR_FULL || range == HR_FULL_CHROMA)) {
            memcpy(out, start + x, (size_t)available);
        } else {
            for (int i = 0; i < available; i++)
                out[i] = table[start[x + i] <= highest ? start[x + i] : highest];
        }
        for (int i = available; i < to->width; i++)
            out[i] = out[available - 1];
    }
}

typedef struct row {
    uint8_t *restrict a;
    uint8_t *restrict b;
    uint8_t *restrict c;
    int width;
} row;

static void weighted_row(const row *r, int red_cr, int green_cb, int green_cr, int blue_cb)
{
    for (int x = 0; x < r->width; x++) {
        const int luma = (r->a[x] << 16) + 32768;
        const int cb = r->b[x] - 128;
        const int cr = r->c[x] - 128;
        r->a[x] = (uint8_t)clamped((luma + red_cr * cr) >> 16);
        r->b[x] = (uint8_t)clamped((luma - green_cb * cb - green_cr * cr) >> 16);
        r->c[x] = (uint8_t)clamped((luma + blue_cb * cb) >> 16);
    }
}

static void ycgco_row(const row *r)
{
    for (int x = 0; x < r->width; x++) {
        const int luma = r->a[x];
        const int cg = r->b[x] - 128;
        const int co = r->c[x] - 128;
        r->a[x] = (uint8_t)clamped(luma - cg + co);
        r->b[x] = (uint8_t)clamped(luma + cg);
        r->c[x] = (uint8_t)clamped(luma - cg - co);
    }
}

static void identity_row(const row *r)
{
    for (int x = 0; x < r->width; x++) {
        const uint8_t green = r->a[x];
        r->a[x] = r->c[x];
        r->c[x] = r->b[x];
        r->b[x] = green;
    }
}

void hr_matrix_to_rgb(hr_matrix matrix, const hr_target *planes)
{
    const double green = 1 - matrix.red - matrix.blue;
    const int red_cr = (int)lround(2 * (1 - matrix.red) * 65536);
    const int blue_cb = (int)lround(2 * (1 - matrix.blue) * 65536);
    const int green_cb = (int)lround(2 * matrix.blue * (1 - matrix.blue) / green * 65536);
    const int green_cr = (int)lround(2 * matrix.red * (1 - matrix.red) / green * 65536);
    for (int y = 0; y < planes[0].height; y++) {
        const row r = {planes[0].data + (size_t)y * planes[0].stride, planes[1].data + (size_t)y * planes[1].stride,
                       planes[2].data + (size_t)y * planes[2].stride, planes[0].width};
        switch (matrix.kind) {
        case HR_MATRIX_IDENTITY:
            identity_row(&r);
            break;
        case HR_MATRIX_YCGCO:
            ycgco_row(&r);
            break;
        default:
            weighted_row(&r, red_cr, green_cb, green_cr, blue_cb);
        }
    }
}

void hr_unpremultiply(const hr_target *plane, const hr_plane *alpha)
{
    for (int y = 0; y < plane->height; y++) {
        uint8_t *value = plane->data + (size_t)y * plane->stride;
        const uint8_t *opacity = alpha->data + (size_t)y * alpha->stride;
        for (int x = 0; x < plane->width; x++) {
            if (opacity[x] != 0)
                value[x] = (uint8_t)clamped((value[x] * 255 + opacity[x] / 2) / opacity[x]);
        }
    }
}
