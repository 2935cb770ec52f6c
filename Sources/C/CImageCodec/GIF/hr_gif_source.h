#pragma once

#include <gif_lib.h>

#include "hr_types.h"

/// The bytes that giflib reads.
typedef struct hr_gif_source {
    const uint8_t *_Nullable bytes;
    size_t count;
    size_t position;
} hr_gif_source;

typedef enum hr_gif_step { HR_GIF_FRAME, HR_GIF_END, HR_GIF_FAILURE } hr_gif_step;

/// giflib's callback; `UserData` is a source.
int hr_gif_read_bytes(GifFileType *_Nonnull file, GifByteType *_Nonnull to, int count);

/// Records giflib's error `code`.
hr_status hr_gif_fail(const hr_gif_source *_Nonnull from, int code, hr_error *_Nonnull error);

/// Moves to the description of the next frame, which giflib then stores in `file->Image`. `control` is the frame's
/// graphic control extension, or a default without a transparent colour.
hr_gif_step hr_gif_next_frame(GifFileType *_Nonnull file, GraphicsControlBlock *_Nonnull control);

/// The colours of the current frame; NULL if there are none.
const ColorMapObject *_Nullable hr_gif_colors(const GifFileType *_Nonnull file);

/// Skips the compressed pixels of the current frame; false if they end early.
bool hr_gif_skip_codes(GifFileType *_Nonnull file);

/// Reads the rows of the current frame in the order of the file. `write` is called with each row and its number.
hr_status hr_gif_read_rows(GifFileType *_Nonnull file, void *_Nonnull context,
                           void (*_Nonnull write)(void *_Nonnull context, const GifPixelType *_Nonnull row, int y),
                           hr_error *_Nonnull error);
