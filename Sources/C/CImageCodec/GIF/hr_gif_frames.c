#include <stdlib.h>
#include <string.h>

#include "hr_gif.h"
#include "hr_gif_source.h"

struct hr_gif_decoder {
    hr_gif_source source;
    GifFileType *file;
    int transparent;
};

hr_status hr_gif_open(const uint8_t *bytes, size_t count, hr_gif_decoder **out, hr_error *error)
{
    error->message[0] = 0;
    hr_gif_decoder *decoder = calloc(1, sizeof *decoder);
    *out = decoder;
    if (decoder == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    decoder->source = (hr_gif_source){bytes, count, 0};
    int code = 0;
    decoder->file = DGifOpen(&decoder->source, hr_gif_read_bytes, &code);
    return decoder->file == NULL ? hr_gif_fail(&decoder->source, code, error) : HR_OK;
}

hr_status hr_gif_next(hr_gif_decoder *decoder, hr_gif_frame *frame, bool *found, hr_error *error)
{
    GraphicsControlBlock control;
    GifFileType *file = decoder->file;
    *found = false;
    switch (hr_gif_next_frame(file, &control)) {
    case HR_GIF_FAILURE:
        return hr_gif_fail(&decoder->source, file->Error, error);
    case HR_GIF_END:
        return HR_OK;
    case HR_GIF_FRAME:
        break;
    }
    const ColorMapObject *colors = hr_gif_colors(file);
    decoder->transparent = control.TransparentColor;
    *frame = (hr_gif_frame){
        .x = file->Image.Left,
        .y = file->Image.Top,
        .width = file->Image.Width,
        .height = file->Image.Height,
        .disposal = control.DisposalMode,
        .delay = control.DelayTime,
        // Without a colour table, no pixel is visible.
        .colors = {.count = colors == NULL ? 1 : colors->ColorCount,
                   .transparent = colors == NULL ? 0 : control.TransparentColor},
    };
    for (int i = 0; colors != NULL && i < colors->ColorCount && i < 256; i++) {
        const GifColorType color = colors->Colors[i];
        memcpy(frame->colors.rgb + 3 * i, (uint8_t[]){color.Red, color.Green, color.Blue}, 3);
    }
    *found = true;
    return HR_OK;
}

typedef struct drawing {
    GifImageDesc frame;
    const ColorMapObject *colors;
    int transparent;
    const hr_target *planes;
} drawing;

static void draw_row(void *context, const GifPixelType *row, int line)
{
    const drawing *to = context;
    const hr_target *planes = to->planes;
    const int y = to->frame.Top + line;
    if (y >= planes[0].height)
        return;
    const int left = to->frame.Left;
    const int end = left + to->frame.Width < planes[0].width ? left + to->frame.Width : planes[0].width;
    for (int x = left; x < end; x++) {
        const int index = row[x - left];
        // Colours beyond the table are transparent in browsers.
        if (index == to->transparent || index >= to->colors->ColorCount)
            continue;
        const GifColorType color = to->colors->Colors[index];
        planes[0].data[(size_t)y * planes[0].stride + (size_t)x] = color.Red;
        planes[1].data[(size_t)y * planes[1].stride + (size_t)x] = color.Green;
        planes[2].data[(size_t)y * planes[2].stride + (size_t)x] = color.Blue;
        planes[3].data[(size_t)y * planes[3].stride + (size_t)x] = 255;
    }
}

// The codes of a frame without colours do not matter; if they end early, no frame follows.
static hr_status skip(hr_gif_decoder *decoder)
{
    hr_gif_skip_codes(decoder->file);
    return HR_OK;
}

hr_status hr_gif_draw(hr_gif_decoder *decoder, const hr_target *canvas, hr_error *error)
{
    drawing to = {decoder->file->Image, hr_gif_colors(decoder->file), decoder->transparent, canvas};
    if (to.colors == NULL)
        return skip(decoder);
    return hr_gif_read_rows(decoder->file, &to, draw_row, error);
}

typedef struct copying {
    GifImageDesc frame;
    const hr_target *indices;
    int x, y;
} copying;

static void copy_row(void *context, const GifPixelType *row, int line)
{
    const copying *to = context;
    const int y = to->frame.Top + line - to->y;
    if (y < 0 || y >= to->indices->height)
        return;
    for (int x = 0; x < to->indices->width; x++) {
        const int column = to->x + x - to->frame.Left;
        if (column >= 0 && column < to->frame.Width)
            to->indices->data[(size_t)y * to->indices->stride + (size_t)x] = row[column];
    }
}

hr_status hr_gif_copy(hr_gif_decoder *decoder, int x, int y, const hr_target *indices, hr_error *error)
{
    copying to = {decoder->file->Image, indices, x, y};
    if (hr_gif_colors(decoder->file) == NULL)
        return skip(decoder);
    return hr_gif_read_rows(decoder->file, &to, copy_row, error);
}

void hr_gif_close(hr_gif_decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->file != NULL)
        DGifCloseFile(decoder->file, NULL);
    free(decoder);
}
