#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>
#include <webp/mux.h>

#include "hr_pixels.h"
#include "hr_webp.h"

// A rectangle of whole pairs of pixels, as in frames of WebP.
struct box {
    int left, top, right, bottom;
};

struct hr_webp_animator {
    WebPAnimEncoder *webp;
    WebPConfig config;
    WebPPicture picture;
    uint8_t *packed;
    int64_t time;       // time of the next frame
    uint32_t *last;     // the previous frame in the encoder
    struct box stored;  // a rectangle around its part that the encoder stored
    bool has_last;
};

// The maximum time that the encoder supports, and the maximum of a frame (RFC 9649, 2.7.1.1).
static const int64_t last_time = 0x7FFFFFFF;

static hr_status fail(hr_webp_animator *self, hr_error *error)
{
    if (self->picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
        self->picture.error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the file");
    return hr_fail(error, HR_FAILED, WebPAnimEncoderGetError(self->webp));
}

hr_status hr_webp_animator_open(int width, int height, const hr_webp_animation *animation, hr_webp_animator **out,
                                hr_error *error)
{
    error->message[0] = 0;
    *out = NULL;
    if (width < 1 || height < 1 || width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION)
        return hr_fail(error, HR_TOO_LARGE, "more than a WebP file can contain");
    hr_webp_animator *self = calloc(1, sizeof *self);
    *out = self;
    if (self == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for an encoder");
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&self->config) || !WebPPictureInit(&self->picture))
        return hr_fail(error, HR_FAILED, "the WebP library has an incompatible version");
    options.anim_params.loop_count = animation->plays;
    options.allow_mixed = animation->mixed;
    self->config.quality = (float)animation->quality;
    self->config.method = animation->method;
    self->picture.use_argb = 1;
    self->picture.width = width;
    self->picture.height = height;
    self->packed = malloc((size_t)width * 4);
    self->last = malloc((size_t)width * (size_t)height * 4);
    self->stored = (struct box){0, 0, width, height};
    self->webp = WebPAnimEncoderNew(width, height, &options);
    if (self->packed == NULL || self->last == NULL || self->webp == NULL || !WebPPictureAlloc(&self->picture))
        return hr_fail(error, HR_NO_MEMORY, "no memory for an encoder");
    return HR_OK;
}

static uint32_t alpha_of(uint32_t pixel) { return pixel >> 24; }

static void include(struct box *all, int x, int y)
{
    x &= ~1;
    y &= ~1;
    if (all->right <= all->left)
        *all = (struct box){x, y, x + 2, y + 2};
    all->left = x < all->left ? x : all->left;
    all->top = y < all->top ? y : all->top;
    all->right = x + 2 > all->right ? x + 2 : all->right;
    all->bottom = y + 2 > all->bottom ? y + 2 : all->bottom;
}

static bool is_translucent(uint32_t pixel) { return alpha_of(pixel) > 0 && alpha_of(pixel) < 255; }

// Whether pixels are equal, even if the alpha of one pixel was changed by 1 below.
static bool is_same(uint32_t a, uint32_t b)
{
    const int difference = (int)alpha_of(a) - (int)alpha_of(b);
    return a == b || (is_translucent(a) && is_translucent(b) && abs(difference) <= 1 && (a << 8) == (b << 8));
}

static uint32_t *row_of(const hr_webp_animator *self, int y)
{
    return self->picture.argb + (size_t)y * (size_t)self->picture.argb_stride;
}

static uint32_t *last_row(const hr_webp_animator *self, int y)
{
    return self->last + (size_t)y * (size_t)self->picture.width;
}

// The pixels that differ from the previous frame; `*vanished` is true if one of them became transparent.
static struct box changed(const hr_webp_animator *self, bool *vanished)
{
    struct box found = {0};
    *vanished = false;
    for (int y = 0; y < self->picture.height; y++) {
        const uint32_t *new = row_of(self, y), *old = last_row(self, y);
        for (int x = 0; x < self->picture.width; x++) {
            if (is_same(new[x], old[x]))
                continue;
            include(&found, x, y);
            *vanished |= alpha_of(new[x]) == 0;
        }
    }
    return found;
}

// libwebp 1.2 blends a frame over the previous frame even if translucent pixels in its rectangle did not change; these
// pixels then become less transparent with every frame. It does not blend if their alpha differs, so the alpha is
// changed by 1 of 255.
static void alternate_alpha(const hr_webp_animator *self, struct box box)
{
    for (int y = 0; y < self->picture.height; y++) {
        uint32_t *new = row_of(self, y);
        const uint32_t *old = last_row(self, y);
        for (int x = 0; x < self->picture.width; x++) {
            if (y < box.top || y >= box.bottom || x < box.left || x >= box.right)
                new[x] = old[x];
            else if (is_translucent(new[x]) && alpha_of(new[x]) == alpha_of(old[x]))
                new[x] += alpha_of(new[x]) < 128 ? 1u << 24 : -(1u << 24);
        }
    }
}

static void keep_blending_exact(hr_webp_animator *self)
{
    if (self->has_last) {
        bool vanished = false;
        struct box box = changed(self, &vanished);
        // Only in this case may the encoder clear its stored pixels and store them again.
        if (vanished) {
            include(&box, self->stored.left, self->stored.top);
            include(&box, self->stored.right - 1, self->stored.bottom - 1);
        }
        alternate_alpha(self, box);
        if (box.right > box.left)
            self->stored = box;
    }
    for (int y = 0; y < self->picture.height; y++)
        memcpy(last_row(self, y), row_of(self, y), (size_t)self->picture.width * 4);
    self->has_last = true;
}

hr_status hr_webp_animator_add(hr_webp_animator *self, const hr_plane *planes, bool has_alpha, int milliseconds,
                               hr_error *error)
{
    const int channels = has_alpha ? 4 : 3;
    for (int y = 0; y < self->picture.height; y++) {
        hr_pack_row(planes, channels, y, self->packed);
        uint32_t *to = self->picture.argb + (size_t)y * (size_t)self->picture.argb_stride;
        for (int x = 0; x < self->picture.width; x++) {
            const uint8_t *p = self->packed + (size_t)x * (size_t)channels;
            const uint32_t alpha = has_alpha ? p[3] : 255;
            // Invisible pixels are equal, regardless of their colour.
            to[x] = alpha == 0 ? 0 : alpha << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        }
    }
    keep_blending_exact(self);
    if (!WebPAnimEncoderAdd(self->webp, &self->picture, (int)self->time, &self->config))
        return fail(self, error);
    self->time = self->time + milliseconds < last_time ? self->time + milliseconds : last_time;
    return HR_OK;
}

hr_status hr_webp_animator_finish(hr_webp_animator *self, hr_buffer *out, hr_error *error)
{
    WebPData data;
    WebPDataInit(&data);
    if (!WebPAnimEncoderAdd(self->webp, NULL, (int)self->time, NULL) || !WebPAnimEncoderAssemble(self->webp, &data))
        return fail(self, error);
    // Both are allocated with malloc.
    *out = (hr_buffer){(uint8_t *)data.bytes, data.size, data.size};
    return HR_OK;
}

void hr_webp_animator_close(hr_webp_animator *self)
{
    if (self == NULL)
        return;
    WebPPictureFree(&self->picture);
    if (self->webp != NULL)
        WebPAnimEncoderDelete(self->webp);
    free(self->packed);
    free(self->last);
    free(self);
}
