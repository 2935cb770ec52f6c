#include <stdlib.h>

#include <webp/encode.h>
#include <webp/mux.h>

#include "hr_pixels.h"
#include "hr_webp.h"

struct hr_webp_animator {
    WebPAnimEncoder *webp;
    WebPConfig config;
    WebPPicture picture;
    uint8_t *packed;
    int64_t time;  // of the next frame
};

// The largest time that the encoder takes, and the largest of a frame (RFC 9649, 2.7.1.1).
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
        return hr_fail(error, HR_TOO_LARGE, "more than a WebP file can hold");
    hr_webp_animator *self = calloc(1, sizeof *self);
    *out = self;
    if (self == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for an encoder");
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&self->config) || !WebPPictureInit(&self->picture))
        return hr_fail(error, HR_FAILED, "the WebP library is of another version");
    options.anim_params.loop_count = animation->plays;
    options.allow_mixed = animation->mixed;
    self->config.quality = (float)animation->quality;
    self->config.method = animation->method;
    self->picture.use_argb = 1;
    self->picture.width = width;
    self->picture.height = height;
    self->packed = malloc((size_t)width * 4);
    self->webp = WebPAnimEncoderNew(width, height, &options);
    if (self->packed == NULL || self->webp == NULL || !WebPPictureAlloc(&self->picture))
        return hr_fail(error, HR_NO_MEMORY, "no memory for an encoder");
    return HR_OK;
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
            // Invisible pixels are equal, whatever colour they have.
            to[x] = alpha == 0 ? 0 : alpha << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        }
    }
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
    free(self);
}
