#pragma once

#include "hr_types.h"

/// The properties of a GIF file up to its first frame.
typedef struct hr_gif_info {
    /// The screen, extended to contain the first frame, as in browsers.
    int width;
    int height;
    bool has_alpha;  ///< The first frame has a transparent colour or no colours, or does not cover the whole screen.
} hr_gif_info;

/// Reads up to the first frame.
hr_status hr_gif_read(const uint8_t *_Nonnull bytes, size_t count, hr_gif_info *_Nonnull info,
                      hr_error *_Nonnull error);

/// Decodes the first frame with a visible pixel into red, green, blue and, if `info` has alpha, straight alpha; other
/// pixels are unchanged. Frames without visible pixels are skipped until they add up to `max_area` pixels. If the data
/// end or break after at least half of the rows of a non-interlaced frame, the call succeeds and `*is_damaged` is true.
hr_status hr_gif_decode(const uint8_t *_Nonnull bytes, size_t count, int64_t max_area, const hr_gif_info *_Nonnull info,
                        const hr_target *_Nonnull planes, bool *_Nonnull is_damaged, hr_error *_Nonnull error);

/// Colours of a frame.
typedef struct hr_gif_palette {
    int count;        ///< 1 to 256
    int transparent;  ///< The index of the transparent colour; -1 for none.
    uint8_t rgb[768];
} hr_gif_palette;

/// One frame of an animation.
typedef struct hr_gif_frame {
    int x, y, width, height;  ///< Position on the screen; may extend beyond it.
    int disposal;             ///< 2 clears the frame after its time, 3 restores the previous content; 0 and 1 keep it.
    int delay;                ///< Hundredths of a second.
    hr_gif_palette colors;
} hr_gif_frame;

/// Reads frames one after the other.
typedef struct hr_gif_decoder hr_gif_decoder;

/// Reads the screen.
hr_status hr_gif_open(const uint8_t *_Nonnull bytes, size_t count, hr_gif_decoder *_Nullable *_Nonnull out,
                      hr_error *_Nonnull error);

/// Moves to the next frame, whose pixels must be drawn or copied once; `*found` is false at the end.
hr_status hr_gif_next(hr_gif_decoder *_Nonnull decoder, hr_gif_frame *_Nonnull frame, bool *_Nonnull found,
                      hr_error *_Nonnull error);

/// Draws the visible pixels of the frame on the screen: red, green, blue and alpha. Pixels outside are clipped.
hr_status hr_gif_draw(hr_gif_decoder *_Nonnull decoder, const hr_target *_Nonnull canvas, hr_error *_Nonnull error);

/// Copies the frame's indices in the rectangle of the screen whose top left is (x, y) and whose size is the size of
/// `indices`. Samples outside the frame are unchanged. If the frame has no colours, all samples are unchanged.
hr_status hr_gif_copy(hr_gif_decoder *_Nonnull decoder, int x, int y, const hr_target *_Nonnull indices,
                      hr_error *_Nonnull error);

void hr_gif_close(hr_gif_decoder *_Nullable decoder);

/// Writes frames of indices unchanged.
typedef struct hr_gif_writer hr_gif_writer;

/// Starts a file that plays `plays` times, 0 for forever.
hr_status hr_gif_writer_open(int width, int height, int plays, hr_gif_writer *_Nullable *_Nonnull out,
                             hr_error *_Nonnull error);

/// Writes a frame with its top left corner at (x, y), inside the screen. Indices beyond its colours become transparent
/// in place.
hr_status hr_gif_writer_put(hr_gif_writer *_Nonnull writer, const hr_target *_Nonnull indices, int x, int y,
                            const hr_gif_palette *_Nonnull colors, int disposal, int delay, hr_error *_Nonnull error);

/// Ends the file, which moves to `out`.
hr_status hr_gif_writer_finish(hr_gif_writer *_Nonnull writer, hr_buffer *_Nonnull out, hr_error *_Nonnull error);

void hr_gif_writer_close(hr_gif_writer *_Nullable writer);

/// Chooses colours, and stores only the changes of each frame.
typedef struct hr_gif_encoder hr_gif_encoder;

/// Starts a file that plays `plays` times, 0 for forever. `quality` is 1 to 100. At 100, every change is kept. From 80
/// to 99, the same small changes are omitted. Below 80, a lower quality omits larger changes.
hr_status hr_gif_encoder_open(int width, int height, int plays, int quality, hr_gif_encoder *_Nullable *_Nonnull out,
                              hr_error *_Nonnull error);

/// Adds a frame of red, green, blue and, with `has_alpha`, straight alpha, each of the screen's size.
hr_status hr_gif_encoder_add(hr_gif_encoder *_Nonnull encoder, const hr_plane *_Nonnull planes, bool has_alpha,
                             int milliseconds, hr_error *_Nonnull error);

/// Ends the file, which moves to `out`.
hr_status hr_gif_encoder_finish(hr_gif_encoder *_Nonnull encoder, hr_buffer *_Nonnull out, hr_error *_Nonnull error);

void hr_gif_encoder_close(hr_gif_encoder *_Nullable encoder);
