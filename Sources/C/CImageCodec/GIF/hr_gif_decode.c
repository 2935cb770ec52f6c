#include "hr_gif.h"

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

typedef struct source {
    const uint8_t *bytes;
    size_t count;
    size_t position;
} source;

static int read_bytes(GifFileType *file, GifByteType *to, int count)
{
    source *from = file->UserData;
    const size_t rest = from->count - from->position;
    const size_t read = (size_t)count < rest ? (size_t)count : rest;
    memcpy(to, from->bytes + from->position, read);
    from->position += read;
    return (int)read;
}

static hr_status fail(const source *from, int code, hr_error *error)
{
    if (code == D_GIF_ERR_NOT_ENOUGH_MEM)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    if (from->position >= from->count)
        return hr_fail(error, HR_TRUNCATED, "the data end early");
    const char *message = GifErrorString(code);
    return hr_fail(error, HR_CORRUPT, message != NULL ? message : "its blocks break the rules");
}

// Reads an extension; a graphic control extension sets the transparent colour of the next frame.
static bool read_extension(GifFileType *file, int *transparent)
{
    int code;
    GifByteType *block;
    if (DGifGetExtension(file, &code, &block) != GIF_OK)
        return false;
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE && block != NULL && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
        *transparent = control.TransparentColor;
    while (block != NULL) {
        if (DGifGetExtensionNext(file, &block) != GIF_OK)
            return false;
    }
    return true;
}

typedef enum next { NEXT_FRAME, NEXT_END, NEXT_FAILURE } next;

// Goes on to the description of the next frame, which giflib then holds in `file->Image`.
static next next_frame(GifFileType *file, int *transparent)
{
    *transparent = NO_TRANSPARENT_COLOR;
    for (;;) {
        GifRecordType type;
        if (DGifGetRecordType(file, &type) != GIF_OK)
            return NEXT_FAILURE;
        switch (type) {
        case IMAGE_DESC_RECORD_TYPE:
            return DGifGetImageDesc(file) == GIF_OK ? NEXT_FRAME : NEXT_FAILURE;
        case EXTENSION_RECORD_TYPE:
            if (!read_extension(file, transparent))
                return NEXT_FAILURE;
            break;
        default:
            return NEXT_END;
        }
    }
}

static int larger(int a, int b) { return a > b ? a : b; }

// Opens a file and goes on to its first frame.
static hr_status open_file(source *from, GifFileType **out, int *transparent, hr_gif_info *info, hr_error *error)
{
    int code = 0;
    error->message[0] = 0;
    GifFileType *file = DGifOpen(from, read_bytes, &code);
    *out = file;
    if (file == NULL)
        return fail(from, code, error);
    switch (next_frame(file, transparent)) {
    case NEXT_FAILURE:
        return fail(from, file->Error, error);
    case NEXT_END:
        return hr_fail(error, HR_CORRUPT, "it has no picture");
    case NEXT_FRAME:
        break;
    }
    const GifImageDesc *frame = &file->Image;
    if (frame->Width <= 0 || frame->Height <= 0 || frame->Left < 0 || frame->Top < 0)
        return hr_fail(error, HR_CORRUPT, "its first frame has no pixels");
    info->width = larger(file->SWidth, frame->Left + frame->Width);
    info->height = larger(file->SHeight, frame->Top + frame->Height);
    const bool covers = frame->Width == info->width && frame->Height == info->height;
    info->has_alpha = !covers || *transparent != NO_TRANSPARENT_COLOR;
    return HR_OK;
}

hr_status hr_gif_read(const uint8_t *bytes, size_t count, hr_gif_info *info, hr_error *error)
{
    source from = {bytes, count, 0};
    GifFileType *file;
    int transparent;
    const hr_status status = open_file(&from, &file, &transparent, info, error);
    if (file != NULL)
        DGifCloseFile(file, NULL);
    return status;
}

// Writes a row of a frame where it lies on the screen; true if any pixel is visible.
static bool write_row(const GifPixelType *row, const GifImageDesc *frame, const ColorMapObject *map, int transparent,
                      int y, bool has_alpha, const hr_plane *planes)
{
    if (y >= planes[0].height)
        return false;
    bool shows = false;
    const int end = frame->Left + frame->Width;
    for (int x = frame->Left; x < end && x < planes[0].width; x++) {
        const int index = row[x - frame->Left];
        // Colours beyond the table are transparent in browsers; without alpha they are black.
        if (has_alpha && (index == transparent || index >= map->ColorCount))
            continue;
        const GifColorType color = index < map->ColorCount ? map->Colors[index] : (GifColorType){0, 0, 0};
        planes[0].data[(size_t)y * planes[0].stride + (size_t)x] = color.Red;
        planes[1].data[(size_t)y * planes[1].stride + (size_t)x] = color.Green;
        planes[2].data[(size_t)y * planes[2].stride + (size_t)x] = color.Blue;
        if (has_alpha)
            planes[3].data[(size_t)y * planes[3].stride + (size_t)x] = 255;
        shows = true;
    }
    return shows;
}

static hr_status decode_frame(GifFileType *file, int transparent, bool has_alpha, const hr_plane *planes, bool *shows,
                              hr_error *error)
{
    static const int first[] = {0, 4, 2, 1};
    static const int step[] = {8, 8, 4, 2};
    const source *from = file->UserData;
    const GifImageDesc frame = file->Image;
    const ColorMapObject *map = frame.ColorMap != NULL ? frame.ColorMap : file->SColorMap;
    if (map == NULL)
        return hr_fail(error, HR_CORRUPT, "it has no colours");
    GifPixelType *row = malloc((size_t)frame.Width + 1);
    if (row == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the rows");
    hr_status status = HR_OK;
    for (int pass = 0; pass < (frame.Interlace ? 4 : 1) && status == HR_OK; pass++) {
        const int start = frame.Interlace ? first[pass] : 0;
        for (int y = start; y < frame.Height && status == HR_OK; y += frame.Interlace ? step[pass] : 1) {
            if (DGifGetLine(file, row, frame.Width) != GIF_OK)
                status = fail(from, file->Error, error);
            else
                *shows |= write_row(row, &frame, map, transparent, frame.Top + y, has_alpha, planes);
        }
    }
    free(row);
    return status;
}

static bool fits(const hr_gif_info *info, const hr_plane *planes)
{
    for (int i = 0; i < (info->has_alpha ? 4 : 3); i++) {
        if (planes[i].width != info->width || planes[i].height != info->height)
            return false;
    }
    return true;
}

hr_status hr_gif_decode(const uint8_t *bytes, size_t count, int64_t max_area, const hr_gif_info *info,
                        const hr_plane *planes, hr_error *error)
{
    source from = {bytes, count, 0};
    GifFileType *file;
    hr_gif_info found;
    int transparent;
    hr_status status = open_file(&from, &file, &transparent, &found, error);
    if (status == HR_OK && (found.has_alpha != info->has_alpha || !fits(&found, planes)))
        status = hr_fail(error, HR_FAILED, "planes do not fit the picture");
    bool shows = false;
    int64_t area = 0;
    while (status == HR_OK && !shows) {
        area += (int64_t)file->Image.Width * file->Image.Height;
        if (area > max_area)
            break;
        status = decode_frame(file, transparent, found.has_alpha, planes, &shows, error);
        // What follows is not needed, so that it may be missing.
        if (status == HR_OK && !shows && next_frame(file, &transparent) != NEXT_FRAME)
            break;
    }
    if (file != NULL)
        DGifCloseFile(file, NULL);
    return status;
}
