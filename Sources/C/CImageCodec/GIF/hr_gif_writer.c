#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "hr_gif.h"

struct hr_gif_writer {
    GifFileType *file;
    hr_buffer buffer;
    int width, height, plays;
    bool begun;
    hr_gif_palette global;
};

static int write_bytes(GifFileType *file, const GifByteType *from, int count)
{
    hr_gif_writer *writer = file->UserData;
    if (count <= 0 || !hr_buffer_reserve(&writer->buffer, (size_t)count))
        return 0;
    memcpy(writer->buffer.data + writer->buffer.count, from, (size_t)count);
    writer->buffer.count += (size_t)count;
    return count;
}

static hr_status fail(const hr_gif_writer *writer, hr_error *error)
{
    const int code = writer->file != NULL ? writer->file->Error : E_GIF_ERR_NOT_ENOUGH_MEM;
    if (code == E_GIF_ERR_NOT_ENOUGH_MEM || code == E_GIF_ERR_WRITE_FAILED)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the file");
    const char *message = GifErrorString(code);
    return hr_fail(error, HR_FAILED, message != NULL ? message : "the GIF encoder refused its parameters");
}

hr_status hr_gif_writer_open(int width, int height, int plays, hr_gif_writer **out, hr_error *error)
{
    error->message[0] = 0;
    hr_gif_writer *writer = NULL;
    *out = NULL;
    if (width < 1 || height < 1 || width > 65535 || height > 65535)
        return hr_fail(error, HR_TOO_LARGE, "more than a GIF file can contain");
    writer = calloc(1, sizeof *writer);
    *out = writer;
    if (writer == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for an encoder");
    writer->width = width;
    writer->height = height;
    writer->plays = plays;
    int code = 0;
    writer->file = EGifOpen(writer, write_bytes, &code);
    return writer->file == NULL ? fail(writer, error) : HR_OK;
}

static ColorMapObject *map_of(const hr_gif_palette *colors)
{
    ColorMapObject *map = GifMakeMapObject(1 << GifBitSize(colors->count), NULL);
    if (map == NULL)
        return NULL;
    for (int i = 0; i < colors->count && i < map->ColorCount; i++)
        map->Colors[i] = (GifColorType){colors->rgb[3 * i], colors->rgb[3 * i + 1], colors->rgb[3 * i + 2]};
    return map;
}

static bool same_colors(const hr_gif_palette *a, const hr_gif_palette *b)
{
    return a->count == b->count && memcmp(a->rgb, b->rgb, (size_t)a->count * 3) == 0;
}

// Writes the screen with the colours of the first frame, and the number of times that the animation plays.
static bool begin(hr_gif_writer *writer, const hr_gif_palette *colors)
{
    GifFileType *file = writer->file;
    ColorMapObject *map = map_of(colors);
    if (map == NULL)
        return false;
    EGifSetGifVersion(file, true);
    const int result = EGifPutScreenDesc(file, writer->width, writer->height, 8, 0, map);
    GifFreeMapObject(map);
    if (result != GIF_OK)
        return false;
    writer->global = *colors;
    writer->begun = true;
    if (writer->plays == 1)
        return true;
    // The extension counts repetitions after the first time, and 0 is forever.
    const int repeats = writer->plays < 1 ? 0 : writer->plays > 65536 ? 65535 : writer->plays - 1;
    const uint8_t count[] = {1, (uint8_t)(repeats & 255), (uint8_t)(repeats >> 8)};
    return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file, sizeof count, count) == GIF_OK && EGifPutExtensionTrailer(file) == GIF_OK;
}

static bool put_control(hr_gif_writer *writer, int transparent, int disposal, int delay)
{
    const GraphicsControlBlock control = {
        .DisposalMode = disposal,
        .DelayTime = delay < 0       ? 0
                     : delay > 65535 ? 65535
                                     : delay,
        .TransparentColor = transparent,
    };
    GifByteType bytes[4];
    return EGifPutExtension(writer->file, GRAPHICS_EXT_FUNC_CODE, (int)EGifGCBToExtension(&control, bytes), bytes) ==
           GIF_OK;
}

static bool put_frame(hr_gif_writer *writer, const hr_target *indices, int x, int y, const hr_gif_palette *colors,
                      int disposal, int delay)
{
    GifFileType *file = writer->file;
    if ((!writer->begun && !begin(writer, colors)) || !put_control(writer, colors->transparent, disposal, delay))
        return false;
    // giflib copies the colours, and would not free the colours of the last frame if this frame has none.
    if (file->Image.ColorMap != NULL)
        GifFreeMapObject(file->Image.ColorMap);
    file->Image.ColorMap = NULL;
    ColorMapObject *map = NULL;
    if (!same_colors(colors, &writer->global)) {
        map = map_of(colors);
        if (map == NULL)
            return false;
    }
    int result = EGifPutImageDesc(file, x, y, indices->width, indices->height, false, map);
    if (map != NULL)
        GifFreeMapObject(map);
    for (int row = 0; row < indices->height && result == GIF_OK; row++)
        result = EGifPutLine(file, indices->data + (size_t)row * indices->stride, indices->width);
    return result == GIF_OK;
}

// Browsers show colours beyond the table as transparent. Such pixels get the index of the transparent colour or,
// without one, the index after the table.
static void limit_indices(const hr_target *indices, hr_gif_palette *colors)
{
    const int limit = colors->count;
    int other = colors->transparent >= 0 && colors->transparent < limit ? colors->transparent : -1;
    for (int y = 0; y < indices->height; y++) {
        uint8_t *row = indices->data + (size_t)y * indices->stride;
        for (int x = 0; x < indices->width; x++) {
            if (row[x] < limit)
                continue;
            if (other < 0) {
                // An index beyond the table implies that the table is not full.
                other = limit;
                memset(colors->rgb + 3 * limit, 0, 3);
                colors->count = limit + 1;
                colors->transparent = other;
            }
            row[x] = (uint8_t)other;
        }
    }
    if (colors->transparent >= colors->count)
        colors->transparent = NO_TRANSPARENT_COLOR;
}

hr_status hr_gif_writer_put(hr_gif_writer *writer, const hr_target *indices, int x, int y, const hr_gif_palette *colors,
                            int disposal, int delay, hr_error *error)
{
    if (x < 0 || y < 0 || indices->width < 1 || indices->height < 1 || indices->width > writer->width - x ||
        indices->height > writer->height - y || colors->count < 1 || colors->count > 256)
        return hr_fail(error, HR_FAILED, "a frame outside the canvas");
    hr_gif_palette limited = *colors;
    limit_indices(indices, &limited);
    return put_frame(writer, indices, x, y, &limited, disposal, delay) ? HR_OK : fail(writer, error);
}

hr_status hr_gif_writer_finish(hr_gif_writer *writer, hr_buffer *out, hr_error *error)
{
    if (!writer->begun)
        return hr_fail(error, HR_FAILED, "an animation without frames");
    int code = 0;
    const int result = EGifCloseFile(writer->file, &code);
    writer->file = NULL;
    if (result != GIF_OK)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the file");
    *out = writer->buffer;
    writer->buffer = (hr_buffer){0};
    return HR_OK;
}

void hr_gif_writer_close(hr_gif_writer *writer)
{
    if (writer == NULL)
        return;
    if (writer->file != NULL)
        EGifCloseFile(writer->file, NULL);
    hr_buffer_free(&writer->buffer);
    free(writer);
}
