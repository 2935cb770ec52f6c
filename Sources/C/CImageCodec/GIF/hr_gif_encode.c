#include <stdlib.h>
#include <string.h>

#include "hr_gif.h"
#include "hr_gif_palette.h"
#include "hr_pixels.h"

// Tuned on animations at equal SSIM: docs/contributing/format-internals.md.
enum {
    // pixels with a smaller difference from the shown pixels stay unchanged
    TOLERANCE = 2,
    // the maximum mean squared error for a later frame to reuse the colours of the first frame
    REUSE_ERROR = 20,
    // number of pixels that justify one more colour in a frame's own table
    PIXELS_PER_COLOR = 8,
    // Sixteenths of an error that go to the neighbours.
    DITHER = 8,
};

typedef struct rect {
    int left, top, right, bottom;
} rect;

struct hr_gif_encoder {
    hr_gif_writer *writer;
    int width, height;
    int tolerance;
    uint8_t *shown;   // the values of the pixels on the screen when they were drawn; transparent if they have no alpha
    uint8_t *frame;   // the values of the new frame
    uint8_t *part;    // the changed pixels of the new frame; other pixels are transparent
    uint8_t *packed;  // a row
    int16_t *errors;  // errors of two rows
    hr_gif_nearest *nearest;
    hr_gif_palette global;
    // The last frame, which is written when its disposal and delay are known.
    bool has_pending;
    hr_target pending;  // indices
    rect place;
    hr_gif_palette colors;
    int disposal;
    int64_t end;      // end of its time, in milliseconds since the start
    int64_t written;  // sum of the delays of earlier frames, in hundredths of a second
};

hr_status hr_gif_encoder_open(int width, int height, int plays, int quality, hr_gif_encoder **out, hr_error *error)
{
    error->message[0] = 0;
    hr_gif_encoder *self = calloc(1, sizeof *self);
    *out = self;
    if (self == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for an encoder");
    const hr_status status = hr_gif_writer_open(width, height, plays, &self->writer, error);
    if (status != HR_OK)
        return status;
    const size_t area = (size_t)width * (size_t)height;
    self->width = width;
    self->height = height;
    self->tolerance = quality >= 100 ? 0 : TOLERANCE + (80 - (quality > 80 ? 80 : quality)) / 5;
    self->shown = calloc(area, 4);
    self->frame = malloc(area * 4);
    self->part = malloc(area * 4);
    self->packed = malloc((size_t)width * 4);
    self->errors = malloc(((size_t)width + 2) * 6 * sizeof *self->errors);
    self->nearest = malloc(sizeof *self->nearest);
    self->pending.data = malloc(area);
    if (self->shown == NULL || self->frame == NULL || self->part == NULL || self->packed == NULL ||
        self->errors == NULL || self->nearest == NULL || self->pending.data == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for an encoder");
    return HR_OK;
}

// Interleaves planes; each pixel becomes opaque or transparent.
static void pack(const hr_gif_encoder *self, const hr_plane *planes, bool has_alpha)
{
    const int channels = has_alpha ? 4 : 3;
    for (int y = 0; y < self->height; y++) {
        hr_pack_row(planes, channels, y, self->packed);
        uint8_t *to = self->frame + (size_t)y * (size_t)self->width * 4;
        for (int x = 0; x < self->width; x++) {
            const uint8_t *from = self->packed + x * channels;
            const bool visible = !has_alpha || from[3] >= 128;
            for (int c = 0; c < 3; c++)
                to[4 * x + c] = visible ? from[c] : 0;
            to[4 * x + 3] = visible ? 255 : 0;
        }
    }
}

static void include(rect *all, int x, int y)
{
    if (all->right <= all->left) {
        *all = (rect){x, y, x + 1, y + 1};
        return;
    }
    all->left = x < all->left ? x : all->left;
    all->top = y < all->top ? y : all->top;
    all->right = x >= all->right ? x + 1 : all->right;
    all->bottom = y >= all->bottom ? y + 1 : all->bottom;
}

static rect joined(rect a, rect b)
{
    include(&a, b.left, b.top);
    include(&a, b.right - 1, b.bottom - 1);
    return a;
}

static bool is_empty(rect r) { return r.right <= r.left; }

// The pixels that were visible and have become transparent.
static rect vanished(const hr_gif_encoder *self)
{
    rect found = {0};
    for (int y = 0; y < self->height; y++) {
        const size_t row = (size_t)y * (size_t)self->width * 4;
        for (int x = 0; x < self->width; x++)
            if (self->shown[row + (size_t)x * 4 + 3] > self->frame[row + (size_t)x * 4 + 3])
                include(&found, x, y);
    }
    return found;
}

// Marks the pixels that must be drawn, and clears all other pixels in `part`.
static rect changed(const hr_gif_encoder *self, size_t *count)
{
    rect found = {0};
    *count = 0;
    for (int y = 0; y < self->height; y++) {
        for (int x = 0; x < self->width; x++) {
            const size_t at = ((size_t)y * (size_t)self->width + (size_t)x) * 4;
            const uint8_t *new = self->frame + at, *old = self->shown + at;
            bool differs = new[3] != 0 && old[3] == 0;
            for (int c = 0; c < 3 && !differs; c++)
                differs = new[3] != 0 && abs(new[c] - old[c]) > self->tolerance;
            if (differs) {
                include(&found, x, y);
                *count += 1;
                memcpy(self->part + at, new, 4);
            } else {
                memset(self->part + at, 0, 4);
            }
        }
    }
    return found;
}

// Extends the pending frame, so that its disposal clears a larger part of the screen.
static void extend_pending(hr_gif_encoder *self, rect to)
{
    const rect from = self->place;
    const int width = to.right - to.left, height = to.bottom - to.top;
    const int old_width = from.right - from.left;
    uint8_t *data = self->pending.data;
    // Rows move to the end, so the last row is moved first.
    for (int y = height - 1; y >= 0; y--) {
        const int old = y + to.top - from.top;
        uint8_t *row = data + (size_t)y * (size_t)width;
        const int left = from.left - to.left;
        if (old >= 0 && old < from.bottom - from.top)
            memmove(row + left, data + (size_t)old * (size_t)old_width, (size_t)old_width);
        const bool has = old >= 0 && old < from.bottom - from.top;
        memset(row, self->colors.transparent, (size_t)(has ? left : width));
        if (has)
            memset(row + left + old_width, self->colors.transparent, (size_t)(width - left - old_width));
    }
    self->place = to;
    self->pending.width = width;
    self->pending.height = height;
    self->pending.stride = (size_t)width;
}

static bool shows_transparency(const hr_gif_encoder *self)
{
    const size_t count = (size_t)self->pending.width * (size_t)self->pending.height;
    return memchr(self->pending.data, self->colors.transparent, count) != NULL;
}

static hr_status flush(hr_gif_encoder *self, hr_error *error)
{
    if (!self->has_pending)
        return HR_OK;
    // End times instead of delays are rounded, so that long animations do not drift. Browsers slow down delays of less
    // than 2.
    int64_t delay = (self->end + 5) / 10 - self->written;
    delay = delay < 2 ? 2 : delay > 65535 ? 65535 : delay;
    self->written += delay;
    self->has_pending = false;
    // A frame without a transparent colour is opaque.
    if (!shows_transparency(self))
        self->colors.transparent = -1;
    return hr_gif_writer_put(self->writer, &self->pending, self->place.left, self->place.top, &self->colors,
                             self->disposal, (int)delay, error);
}

static void use_colors(hr_gif_encoder *self, const hr_gif_palette *colors)
{
    self->colors = *colors;
    hr_gif_palette visible = *colors;
    // The transparent colour comes last.
    visible.count -= 1;
    hr_gif_nearest_reset(self->nearest, &visible);
}

// Chooses the colours of the pending frame: the colours of the first frame if they are good enough. False if memory is
// exhausted.
static bool choose_colors(hr_gif_encoder *self, size_t changes, bool *exact)
{
    const size_t area = (size_t)self->width * (size_t)self->height;
    const bool is_first = self->global.count <= 1;
    *exact = false;
    if (!is_first) {
        use_colors(self, &self->global);
        if (hr_gif_nearest_error(self->nearest, self->part, area) <= REUSE_ERROR)
            return true;
    }
    size_t most = is_first ? HR_GIF_MOST_COLORS : changes / PIXELS_PER_COLOR + 8;
    if (most > HR_GIF_MOST_COLORS)
        most = HR_GIF_MOST_COLORS;
    hr_gif_palette colors;
    if (!hr_gif_choose_colors(self->part, area, (int)most, &colors, exact))
        return false;
    colors.transparent = colors.count;
    memset(colors.rgb + 3 * colors.count++, 0, 3);
    if (is_first)
        self->global = colors;
    use_colors(self, &colors);
    return true;
}

static int clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

// Floyd and Steinberg's error diffusion (1976), every other row from right to left. Unchanged pixels are skipped.
static void dither(hr_gif_encoder *self, bool exact)
{
    const int width = self->place.right - self->place.left;
    const size_t row_errors = ((size_t)self->width + 2) * 3;
    memset(self->errors, 0, 2 * row_errors * sizeof *self->errors);
    const int strength = exact ? 0 : DITHER;
    for (int y = self->place.top; y < self->place.bottom; y++) {
        int16_t *now = self->errors + (y % 2 == 0 ? 0 : row_errors) + 3;
        int16_t *below = self->errors + (y % 2 == 0 ? row_errors : 0) + 3;
        memset(below - 3, 0, row_errors * sizeof *below);
        uint8_t *to = self->pending.data + (size_t)(y - self->place.top) * (size_t)width;
        const int step = y % 2 == 0 ? 1 : -1;
        for (int i = 0; i < width; i++) {
            const int x = step > 0 ? i : width - 1 - i;
            const uint8_t *p = self->part + ((size_t)y * (size_t)self->width + (size_t)(self->place.left + x)) * 4;
            if (p[3] == 0) {
                to[x] = (uint8_t)self->colors.transparent;
                continue;
            }
            int value[3];
            for (int c = 0; c < 3; c++)
                value[c] = clamped(p[c] + (now[3 * x + c] + 8) / 16);
            const int index = hr_gif_nearest_find(self->nearest, value[0], value[1], value[2]);
            to[x] = (uint8_t)index;
            for (int c = 0; c < 3 && strength > 0; c++) {
                const int error = (value[c] - self->nearest->colors.rgb[3 * index + c]) * strength / 16;
                now[3 * (x + step) + c] += (int16_t)(7 * error);
                below[3 * (x - step) + c] += (int16_t)(3 * error);
                below[3 * x + c] += (int16_t)(5 * error);
                below[3 * (x + step) + c] += (int16_t)error;
            }
        }
    }
}

static void remember_shown(hr_gif_encoder *self)
{
    const size_t area = (size_t)self->width * (size_t)self->height;
    for (size_t i = 0; i < area; i++)
        if (self->part[4 * i + 3] != 0)
            memcpy(self->shown + 4 * i, self->part + 4 * i, 4);
}

static void clear_shown(hr_gif_encoder *self, rect r)
{
    for (int y = r.top; y < r.bottom; y++)
        memset(self->shown + ((size_t)y * (size_t)self->width + (size_t)r.left) * 4, 0, (size_t)(r.right - r.left) * 4);
}

hr_status hr_gif_encoder_add(hr_gif_encoder *self, const hr_plane *planes, bool has_alpha, int milliseconds,
                             hr_error *error)
{
    pack(self, planes, has_alpha);
    const rect gone = vanished(self);
    if (!is_empty(gone)) {
        // A pixel becomes transparent only if the previous frame clears it.
        extend_pending(self, joined(self->place, gone));
        self->disposal = 2;
        clear_shown(self, self->place);
    }
    size_t changes = 0;
    rect place = changed(self, &changes);
    if (is_empty(place) && is_empty(gone) && self->has_pending) {
        self->end += milliseconds;
        return HR_OK;
    }
    const hr_status status = flush(self, error);
    if (status != HR_OK)
        return status;
    if (is_empty(place))
        place = (rect){0, 0, 1, 1};
    self->place = place;
    self->pending.width = place.right - place.left;
    self->pending.height = place.bottom - place.top;
    self->pending.stride = (size_t)self->pending.width;
    self->disposal = 1;
    self->end += milliseconds;
    bool exact = false;
    if (!choose_colors(self, changes, &exact))
        return hr_fail(error, HR_NO_MEMORY, "no memory for the colours");
    dither(self, exact);
    remember_shown(self);
    self->has_pending = true;
    return HR_OK;
}

hr_status hr_gif_encoder_finish(hr_gif_encoder *self, hr_buffer *out, hr_error *error)
{
    const hr_status status = flush(self, error);
    return status == HR_OK ? hr_gif_writer_finish(self->writer, out, error) : status;
}

void hr_gif_encoder_close(hr_gif_encoder *self)
{
    if (self == NULL)
        return;
    hr_gif_writer_close(self->writer);
    free(self->shown);
    free(self->frame);
    free(self->part);
    free(self->packed);
    free(self->errors);
    free(self->nearest);
    free(self->pending.data);
    free(self);
}
