#include "hr_gif.h"

#include "hr_gif_source.h"

static int larger(int a, int b) { return a > b ? a : b; }

static bool has_pixels(const GifImageDesc *frame) { return frame->Width > 0 && frame->Height > 0; }

static void measure(const GifFileType *file, const GraphicsControlBlock *control, hr_gif_info *info)
{
    const GifImageDesc *frame = &file->Image;
    const bool shows = has_pixels(frame) && frame->Left >= 0 && frame->Top >= 0;
    info->width = shows ? larger(file->SWidth, frame->Left + frame->Width) : file->SWidth;
    info->height = shows ? larger(file->SHeight, frame->Top + frame->Height) : file->SHeight;
    const bool covers = frame->Width == info->width && frame->Height == info->height;
    info->has_alpha = !covers || control->TransparentColor != NO_TRANSPARENT_COLOR || hr_gif_colors(file) == NULL;
}

// Opens a file and moves to its first frame.
static hr_status open_file(hr_gif_source *from, GifFileType **out, GraphicsControlBlock *control, hr_gif_info *info,
                           hr_error *error)
{
    int code = 0;
    error->message[0] = 0;
    GifFileType *file = DGifOpen(from, hr_gif_read_bytes, &code);
    *out = file;
    if (file == NULL)
        return hr_gif_fail(from, code, error);
    for (bool is_first = true;; is_first = false) {
        switch (hr_gif_next_frame(file, control)) {
        case HR_GIF_FAILURE:
            return hr_gif_fail(from, file->Error, error);
        case HR_GIF_END:
            return hr_fail(error, HR_CORRUPT, is_first ? "it has no image" : "it has no pixels");
        case HR_GIF_FRAME:
            break;
        }
        measure(file, control, info);
        if (info->width > 0 && info->height > 0)
            break;
        // Without a screen size, the first frame with pixels determines it.
        hr_gif_skip_codes(file);
    }
    return HR_OK;
}

hr_status hr_gif_read(const uint8_t *bytes, size_t count, hr_gif_info *info, hr_error *error)
{
    hr_gif_source from = {bytes, count, 0};
    GifFileType *file;
    GraphicsControlBlock control;
    const hr_status status = open_file(&from, &file, &control, info, error);
    if (file != NULL)
        DGifCloseFile(file, NULL);
    return status;
}

typedef struct target {
    GifImageDesc frame;
    const ColorMapObject *colors;
    int transparent;
    bool has_alpha;
    const hr_target *planes;
    bool shows;  // any pixel is visible
    int rows;
} target;

// Writes a row of a frame to its position on the screen.
static void write_row(void *context, const GifPixelType *row, int line)
{
    target *to = context;
    to->rows++;
    const hr_target *planes = to->planes;
    const int y = to->frame.Top + line;
    if (y >= planes[0].height)
        return;
    const int left = to->frame.Left;
    for (int x = left; x < left + to->frame.Width && x < planes[0].width; x++) {
        const int index = row[x - left];
        // Colours beyond the table are transparent in browsers; without alpha they are black.
        if (to->has_alpha && (index == to->transparent || index >= to->colors->ColorCount))
            continue;
        const GifColorType color = index < to->colors->ColorCount ? to->colors->Colors[index] : (GifColorType){0, 0, 0};
        planes[0].data[(size_t)y * planes[0].stride + (size_t)x] = color.Red;
        planes[1].data[(size_t)y * planes[1].stride + (size_t)x] = color.Green;
        planes[2].data[(size_t)y * planes[2].stride + (size_t)x] = color.Blue;
        if (to->has_alpha)
            planes[3].data[(size_t)y * planes[3].stride + (size_t)x] = 255;
        to->shows = true;
    }
}

static hr_status decode_frame(GifFileType *file, int transparent, bool has_alpha, const hr_target *planes, bool *shows,
                              bool *is_damaged, hr_error *error)
{
    target to = {file->Image, hr_gif_colors(file), transparent, has_alpha, planes, false, 0};
    // A frame without colours or pixels shows nothing, so its codes do not matter.
    if (to.colors == NULL || !has_pixels(&to.frame)) {
        hr_gif_skip_codes(file);
        return HR_OK;
    }
    const hr_status status = hr_gif_read_rows(file, &to, write_row, error);
    *shows |= to.shows;
    // In an interlaced frame, the missing rows are spread over the whole frame.
    if ((status == HR_TRUNCATED || status == HR_CORRUPT) && to.shows && !to.frame.Interlace &&
        to.rows >= to.frame.Height - to.rows) {
        *is_damaged = true;
        error->message[0] = 0;
        return HR_OK;
    }
    return status;
}

static bool fits(const hr_gif_info *info, const hr_target *planes)
{
    for (int i = 0; i < (info->has_alpha ? 4 : 3); i++) {
        if (planes[i].width != info->width || planes[i].height != info->height)
            return false;
    }
    return true;
}

hr_status hr_gif_decode(const uint8_t *bytes, size_t count, int64_t max_area, const hr_gif_info *info,
                        const hr_target *planes, bool *is_damaged, hr_error *error)
{
    *is_damaged = false;
    hr_gif_source from = {bytes, count, 0};
    GifFileType *file;
    hr_gif_info found;
    GraphicsControlBlock control;
    hr_status status = open_file(&from, &file, &control, &found, error);
    if (status == HR_OK && (found.has_alpha != info->has_alpha || !fits(&found, planes)))
        status = hr_fail(error, HR_FAILED, "planes do not match the image size");
    bool shows = false;
    int64_t area = 0;
    while (status == HR_OK && !shows) {
        area += (int64_t)file->Image.Width * file->Image.Height;
        if (area > max_area)
            break;
        status = decode_frame(file, control.TransparentColor, found.has_alpha, planes, &shows, is_damaged, error);
        // The data after this frame are not needed, so they may be missing.
        if (status == HR_OK && !shows && hr_gif_next_frame(file, &control) != HR_GIF_FRAME)
            break;
    }
    if (file != NULL)
        DGifCloseFile(file, NULL);
    return status;
}
