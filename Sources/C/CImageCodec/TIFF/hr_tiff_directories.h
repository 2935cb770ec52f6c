#pragma once

#include "hr_types.h"

enum { HR_TIFF_MOST_DIRECTORIES = 64 };

/// The directories of a file that may be the image to show.
typedef struct hr_tiff_choice {
    /// Their offsets; the best is first.
    uint64_t places[HR_TIFF_MOST_DIRECTORIES];
    int count;
    /// The orientation of the first directory, 1 to 8, or 0. It applies to images without an orientation.
    int orientation;
    /// Whether the file is a raw photograph, or was written by a camera and starts with a reduced image.
    bool is_raw;
} hr_tiff_choice;

/// Reads the directories of a file: the chain from the first one, and the directories inside them, at most
/// HR_TIFF_MOST_DIRECTORIES.
///
/// The first image is chosen, unless it is marked as reduced, contains a larger image that is not reduced, or is
/// smaller than a raw photograph in the same file. Otherwise, the choice is all full images that are at least as large
/// as the raw photograph, the largest first. If a file contains only reduced images, they are the choice.
hr_tiff_choice hr_tiff_choose(const uint8_t *_Nonnull bytes, size_t count);

/// Whether a directory has few entries whose values together are at most as long as the file.
bool hr_tiff_is_bounded(const uint8_t *_Nonnull bytes, size_t count, uint64_t place);

/// The header of the file with another first directory: 8 bytes, or 16 of a BigTIFF.
size_t hr_tiff_header(const uint8_t *_Nonnull bytes, size_t count, uint64_t place, uint8_t header[_Nonnull 16]);
