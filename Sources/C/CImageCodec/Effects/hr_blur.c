#include "hr_filter.h"

#include "hr_gauss.h"
#include "hr_variants.h"

HR_KERNEL raise_kernel(const uint8_t *from, uint16_t *to, int width)
{
    for (int x = 0; x < width; x++)
        to[x] = (uint16_t)(from[x] * HR_FIELD_ONE);
}
HR_VARIANTS(raise, (const uint8_t *from, uint16_t *to, int width), (from, to, width))

HR_KERNEL weigh_kernel(const uint8_t *from, const uint8_t *alpha, uint16_t *to, int width)
{
    // 128 / 255 is 32897 / 65536, with an error below one.
    for (int x = 0; x < width; x++)
        to[x] = (uint16_t)(((uint32_t)(uint16_t)(from[x] * alpha[x]) * 32897U) >> 16);
}
HR_VARIANTS(weigh, (const uint8_t *from, const uint8_t *alpha, uint16_t *to, int width), (from, alpha, to, width))

HR_KERNEL lower_kernel(const uint16_t *from, uint8_t *to, int width)
{
    for (int x = 0; x < width; x++) {
        const uint16_t value = (uint16_t)((from[x] + HR_FIELD_ONE / 2) / HR_FIELD_ONE);
        to[x] = (uint8_t)(value < 255 ? value : 255);
    }
}
HR_VARIANTS(lower, (const uint16_t *from, uint8_t *to, int width), (from, to, width))

static inline __attribute__((always_inline)) float unweighed(uint16_t value, uint16_t alpha)
{
    const float level = (float)value * 255 / (float)(alpha > 0 ? alpha : 1);
    return level < 255 ? level : 255;
}

HR_KERNEL unweigh_kernel(const uint16_t *from, const uint16_t *alpha, uint8_t *to, int width)
{
    for (int x = 0; x < width; x++)
        to[x] = (uint8_t)(int)(unweighed(from[x], alpha[x]) + 0.5F);
}
HR_VARIANTS(unweigh, (const uint16_t *from, const uint16_t *alpha, uint8_t *to, int width), (from, alpha, to, width))

static inline __attribute__((always_inline)) uint8_t sharpened(float value, float soft, float amount)
{
    value += amount * (value - soft);
    value = value > 0 ? value : 0;
    return (uint8_t)(int)((value < 255 ? value : 255) + 0.5F);
}

HR_KERNEL sharpen_kernel(const uint8_t *from, const uint16_t *soft, uint8_t *to, float amount, int width)
{
    for (int x = 0; x < width; x++)
        to[x] = sharpened(from[x], (float)soft[x] / HR_FIELD_ONE, amount);
}
HR_VARIANTS(sharpen, (const uint8_t *from, const uint16_t *soft, uint8_t *to, float amount, int width),
            (from, soft, to, amount, width))

HR_KERNEL sharpen_visible_kernel(const uint8_t *from, const uint16_t *soft, const uint16_t *alpha, uint8_t *to,
                                 float amount, int width)
{
    for (int x = 0; x < width; x++)
        to[x] = sharpened(from[x], unweighed(soft[x], alpha[x]), amount);
}
HR_VARIANTS(sharpen_visible,
            (const uint8_t *from, const uint16_t *soft, const uint16_t *alpha, uint8_t *to, float amount, int width),
            (from, soft, alpha, to, amount, width))

/// Copies a plane into a field, which is mirrored outside the image.
static void fill(hr_field *field, const hr_plane *from, const hr_plane *alpha)
{
    for (int y = 0; y < field->height; y++) {
        const int row = hr_mirrored(y, from->height);
        const uint8_t *samples = from->data + (size_t)row * from->stride;
        uint16_t *to = field->data + (size_t)y * field->stride;
        if (alpha)
            weigh(samples, alpha->data + (size_t)row * alpha->stride, to, from->width);
        else
            raise(samples, to, from->width);
        for (int x = from->width; x < field->width; x++)
            to[x] = to[hr_mirrored(x, from->width)];
    }
}

/// One row of a plane, of its blurred field and of the blurred alpha, which may be NULL.
typedef struct {
    const uint8_t *from;
    const uint16_t *soft, *alpha;
    uint8_t *to;
    int width;
} result_row;

static void write_blurred(const result_row *row)
{
    if (row->alpha)
        unweigh(row->soft, row->alpha, row->to, row->width);
    else
        lower(row->soft, row->to, row->width);
}

static void write_sharpened(const result_row *row, float amount)
{
    if (row->alpha)
        sharpen_visible(row->from, row->soft, row->alpha, row->to, amount, row->width);
    else
        sharpen(row->from, row->soft, row->to, amount, row->width);
}

static const uint16_t *row_of(const hr_field *field, int y) { return field->data + (size_t)y * field->stride; }

/// Blurs; or sharpens with an `amount`, which keeps alpha.
static hr_status smooth(const hr_plane *from, const hr_plane *alpha, const hr_target *to, int count, double deviation,
                        const float *amount, hr_error *error)
{
    if (!(deviation >= 0.1 && deviation <= 1000))
        return hr_fail(error, HR_FAILED, "a blur of an invalid width");
    const int width = to[0].width, height = to[0].height;
    const int wide = hr_gauss_side(width, deviation), high = hr_gauss_side(height, deviation);
    hr_field opacity = {0}, field = {0};
    bool done = hr_field_make(&field, wide, high);
    if (done && alpha) {
        done = hr_field_make(&opacity, wide, high);
        if (done) {
            fill(&opacity, alpha, NULL);
            done = hr_gauss(&opacity, deviation);
        }
        for (int y = 0; done && !amount && y < height; y++)
            lower(row_of(&opacity, y), to[count].data + (size_t)y * to[count].stride, width);
    }
    for (int i = 0; done && i < count; i++) {
        fill(&field, &from[i], alpha);
        done = hr_gauss(&field, deviation);
        for (int y = 0; done && y < height; y++) {
            const result_row row = {from[i].data + (size_t)y * from[i].stride, row_of(&field, y),
                                    alpha ? row_of(&opacity, y) : NULL, to[i].data + (size_t)y * to[i].stride, width};
            if (amount)
                write_sharpened(&row, *amount);
            else
                write_blurred(&row);
        }
    }
    hr_field_free(&field);
    hr_field_free(&opacity);
    return done ? HR_OK : hr_fail(error, HR_NO_MEMORY, "no memory for a blur");
}

hr_status hr_blur(const hr_plane *from, const hr_plane *alpha, const hr_target *to, int count, double deviation,
                  hr_error *error)
{
    return smooth(from, alpha, to, count, deviation, NULL, error);
}

hr_status hr_sharpen(const hr_plane *from, const hr_plane *alpha, const hr_target *to, int count, double deviation,
                     float amount, hr_error *error)
{
    return smooth(from, alpha, to, count, deviation, &amount, error);
}
