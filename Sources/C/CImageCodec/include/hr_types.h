#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a call; the message with it comes from the library.
typedef enum hr_status {
    HR_OK = 0,
    HR_CORRUPT,      ///< The data break the format's rules, or too much of the image is lost.
    HR_TRUNCATED,    ///< The data end before the image is complete.
    HR_UNSUPPORTED,  ///< A valid file with a feature that the library lacks.
    HR_TOO_LARGE,    ///< More pixels or memory than allowed.
    HR_NO_MEMORY,
    HR_FAILED  ///< An invalid call of the library.
} hr_status;

typedef struct hr_error {
    hr_status status;
    char message[256];  ///< One line, ended by NUL.
} hr_error;

/// Samples of one byte in rows, which are only read; row y starts at `data + y * stride`.
typedef struct hr_plane {
    const uint8_t *_Nonnull data;
    size_t stride;  ///< Bytes from one row to the next, at least `width`.
    int width;
    int height;
} hr_plane;

/// A plane that a call writes, or changes in place.
typedef struct hr_target {
    uint8_t *_Nonnull data;
    size_t stride;  ///< Bytes from one row to the next, at least `width`.
    int width;
    int height;
} hr_target;

/// A growing buffer for a file. Must be zero-initialised, and freed with hr_buffer_free.
typedef struct hr_buffer {
    uint8_t *_Nullable data;
    size_t count;
    size_t capacity;
} hr_buffer;

/// Reserves `more` bytes after `count`; false if memory is exhausted.
bool hr_buffer_reserve(hr_buffer *_Nonnull buffer, size_t more);

void hr_buffer_free(hr_buffer *_Nonnull buffer);

/// Records a failure and returns its status.
hr_status hr_fail(hr_error *_Nonnull error, hr_status status, const char *_Nonnull message);
