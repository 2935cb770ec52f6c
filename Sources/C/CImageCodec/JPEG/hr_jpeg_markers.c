// Keeps the APP1 and APP2 markers of a file that mean something, which libjpeg keeps all of. It walks through those that
// it has for each further one: a file of 2 MB took minutes before its size was known.

#include "hr_jpeg_markers.h"

#include <stdbool.h>
#include <string.h>

// A profile has at most 255 parts (ICC.1:2022, B.4), and of EXIF only the first block is read.
enum { MOST_PARTS = 255, MOST_BLOCKS = 1 };

static int next_byte(j_decompress_ptr cinfo)
{
    struct jpeg_source_mgr *src = cinfo->src;
    if (src->bytes_in_buffer == 0)
        src->fill_input_buffer(cinfo);
    src->bytes_in_buffer--;
    return *src->next_input_byte++;
}

// "Exif", NUL and a fill byte that some writers do not set to NUL (Exif 2.32, 4.7.2); "ICC_PROFILE", NUL and two numbers.
static bool has_meaning(int marker, const JOCTET *data, size_t count)
{
    if (marker == JPEG_APP0 + 1)
        return count > 6 && memcmp(data, "Exif", 5) == 0;
    return count >= 14 && memcmp(data, "ICC_PROFILE", 12) == 0;
}

static void keep(j_decompress_ptr cinfo, const JOCTET *data, size_t count)
{
    jpeg_saved_marker_ptr *end = &cinfo->marker_list;
    int same = 0;
    for (; *end != NULL; end = &(*end)->next)
        same += (*end)->marker == cinfo->unread_marker;
    if (same >= (cinfo->unread_marker == JPEG_APP0 + 1 ? MOST_BLOCKS : MOST_PARTS)) {
        // Later ones are skipped without a look at the list, of which a file may have a million.
        jpeg_save_markers(cinfo, cinfo->unread_marker, 0);
        return;
    }
    jpeg_saved_marker_ptr kept =
        (*cinfo->mem->alloc_large)((j_common_ptr)cinfo, JPOOL_IMAGE, sizeof(struct jpeg_marker_struct) + count);
    *kept = (struct jpeg_marker_struct){
        .marker = (UINT8)cinfo->unread_marker,
        .original_length = (unsigned)count,
        .data_length = (unsigned)count,
        .data = (JOCTET *)(kept + 1),
    };
    memcpy(kept->data, data, count);
    *end = kept;
}

static boolean read_marker(j_decompress_ptr cinfo)
{
    const int high = next_byte(cinfo);
    const long count = (high << 8 | next_byte(cinfo)) - 2;
    if (count > 0) {
        // All of the file that is left is in the buffer. A marker that is not complete means nothing.
        if ((size_t)count <= cinfo->src->bytes_in_buffer &&
            has_meaning(cinfo->unread_marker, cinfo->src->next_input_byte, (size_t)count))
            keep(cinfo, cinfo->src->next_input_byte, (size_t)count);
        cinfo->src->skip_input_data(cinfo, count);
    }
    cinfo->unread_marker = 0;
    return TRUE;
}

void hr_jpeg_keep_markers(j_decompress_ptr cinfo)
{
    jpeg_set_marker_processor(cinfo, JPEG_APP0 + 1, read_marker);
    jpeg_set_marker_processor(cinfo, JPEG_APP0 + 2, read_marker);
}
