#include "hr_gif_source.h"

#include <stdlib.h>
#include <string.h>

// The first byte of an extension (GIF89a, 23 to 26).
enum { EXTENSION_INTRODUCER = 0x21 };

// A frame has one graphic control extension; the limit bounds the others.
enum { MOST_EXTENSIONS = 1000 };

int hr_gif_read_bytes(GifFileType *file, GifByteType *to, int count)
{
    hr_gif_source *from = file->UserData;
    const size_t rest = from->count - from->position;
    const size_t read = (size_t)count < rest ? (size_t)count : rest;
    if (read > 0)
        memcpy(to, from->bytes + from->position, read);
    from->position += read;
    return (int)read;
}

hr_status hr_gif_fail(const hr_gif_source *from, int code, hr_error *error)
{
    if (code == D_GIF_ERR_NOT_ENOUGH_MEM)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a decoder");
    if (from->position >= from->count)
        return hr_fail(error, HR_TRUNCATED, "the data end early");
    const char *message = GifErrorString(code);
    return hr_fail(error, HR_CORRUPT, message != NULL ? message : "its blocks break the rules");
}

// Skips blocks up to the empty block that ends them. giflib reads each block with two calls, and a file of 20 MB may
// have millions of blocks.
static bool skip_blocks(hr_gif_source *from)
{
    while (from->position < from->count) {
        const size_t count = from->bytes[from->position++];
        if (count == 0)
            return true;
        if (count > from->count - from->position)
            break;
        from->position += count;
    }
    from->position = from->count;
    return false;
}

// Skips extensions that do not affect a frame, such as comments.
static bool skip_extensions(hr_gif_source *from)
{
    while (from->count - from->position >= 2 && from->bytes[from->position] == EXTENSION_INTRODUCER &&
           from->bytes[from->position + 1] != GRAPHICS_EXT_FUNC_CODE) {
        from->position += 2;
        if (!skip_blocks(from))
            return false;
    }
    return true;
}

// Some writers treat the three bits as flags: 4 restores the previous content, as in browsers. Higher values are
// meaningless.
static int disposal_of(int stored)
{
    return stored == 4 ? DISPOSE_PREVIOUS : stored > 4 ? DISPOSAL_UNSPECIFIED : stored;
}

static bool read_extension(GifFileType *file, GraphicsControlBlock *control)
{
    int code;
    GifByteType *block;
    if (DGifGetExtension(file, &code, &block) != GIF_OK)
        return false;
    GraphicsControlBlock found;
    if (code == GRAPHICS_EXT_FUNC_CODE && block != NULL && DGifExtensionToGCB(block[0], block + 1, &found) == GIF_OK) {
        *control = found;
        control->DisposalMode = disposal_of(found.DisposalMode);
    }
    return block == NULL || skip_blocks(file->UserData);
}

// giflib keeps the description and the colours of every frame, but only the current frame is needed.
static void forget_frames(GifFileType *file)
{
    GifFreeSavedImages(file);
    file->SavedImages = NULL;
    file->ImageCount = 0;
}

hr_gif_step hr_gif_next_frame(GifFileType *file, GraphicsControlBlock *control)
{
    *control = (GraphicsControlBlock){.DisposalMode = DISPOSAL_UNSPECIFIED, .TransparentColor = NO_TRANSPARENT_COLOR};
    forget_frames(file);
    for (int extensions = 0; extensions <= MOST_EXTENSIONS; extensions++) {
        GifRecordType type;
        if (!skip_extensions(file->UserData) || DGifGetRecordType(file, &type) != GIF_OK)
            return HR_GIF_FAILURE;
        switch (type) {
        case IMAGE_DESC_RECORD_TYPE:
            return DGifGetImageDesc(file) == GIF_OK ? HR_GIF_FRAME : HR_GIF_FAILURE;
        case EXTENSION_RECORD_TYPE:
            if (!read_extension(file, control))
                return HR_GIF_FAILURE;
            break;
        default:
            return HR_GIF_END;
        }
    }
    return HR_GIF_FAILURE;
}

const ColorMapObject *hr_gif_colors(const GifFileType *file)
{
    return file->Image.ColorMap != NULL ? file->Image.ColorMap : file->SColorMap;
}

bool hr_gif_skip_codes(GifFileType *file)
{
    int size;
    GifByteType *block;
    int result = DGifGetCode(file, &size, &block);
    while (result == GIF_OK && block != NULL)
        result = DGifGetCodeNext(file, &block);
    return result == GIF_OK;
}

hr_status hr_gif_read_rows(GifFileType *file, void *context, void (*write)(void *, const GifPixelType *, int),
                           hr_error *error)
{
    static const int first[] = {0, 4, 2, 1};
    static const int step[] = {8, 8, 4, 2};
    const GifImageDesc frame = file->Image;
    if (frame.Width <= 0 || frame.Height <= 0) {
        // The codes of a frame without pixels do not matter; if they end early, no frame follows.
        hr_gif_skip_codes(file);
        return HR_OK;
    }
    GifPixelType *row = malloc((size_t)frame.Width + 1);
    if (row == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for the rows");
    hr_status status = HR_OK;
    for (int pass = 0; pass < (frame.Interlace ? 4 : 1) && status == HR_OK; pass++) {
        const int start = frame.Interlace ? first[pass] : 0;
        for (int y = start; y < frame.Height && status == HR_OK; y += frame.Interlace ? step[pass] : 1) {
            if (DGifGetLine(file, row, frame.Width) != GIF_OK)
                status = hr_gif_fail(file->UserData, file->Error, error);
            else
                write(context, row, y);
        }
    }
    free(row);
    return status;
}
