// Keeps only the APP1 and APP2 markers with useful content. libjpeg would keep all of them, and search its list for
// each further marker: reading the header of a file of 2 MB took minutes.

#include "hr_jpeg_markers.h"

#include <stdlib.h>
#include <string.h>

// A profile has at most 255 parts (ICC.1:2022, B.4), and only the first EXIF block is read.
enum { MOST_PARTS = 255, MOST_BLOCKS = 1 };

static int next_byte(j_decompress_ptr cinfo)
{
    struct jpeg_source_mgr *src = cinfo->src;
    if (src->bytes_in_buffer == 0)
        src->fill_input_buffer(cinfo);
    src->bytes_in_buffer--;
    return *src->next_input_byte++;
}

// "Exif", NUL and a fill byte that some writers do not set to NUL (Exif 2.32, 4.7.2); "ICC_PROFILE", NUL and two
// numbers.
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
        // Later markers are skipped without a search of the list, because a file may contain a million of them.
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
        // The rest of the file is in the buffer. An incomplete marker is ignored.
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

// The number of a part, the number of parts, and the name before them.
enum { NUMBER = 12, PARTS = 13, PART_HEADER = 14, PROFILE_HEADER = 128 };

// The parts in the order of their numbers; 0 if one of them is missing.
static int order_by_number(jpeg_saved_marker_ptr first, jpeg_saved_marker_ptr *parts)
{
    const int all = first->data[PARTS];
    int found = 0;
    for (jpeg_saved_marker_ptr m = first; m != NULL; m = m->next) {
        const int number = m->data[NUMBER];
        if (m->marker != JPEG_APP0 + 2 || m->data[PARTS] != all || number < 1 || number > all ||
            parts[number - 1] != NULL)
            continue;
        parts[number - 1] = m;
        ++found;
    }
    return found == all ? all : 0;
}

static int order_by_place(jpeg_saved_marker_ptr first, jpeg_saved_marker_ptr *parts)
{
    int count = 0;
    for (jpeg_saved_marker_ptr m = first; m != NULL && count < MOST_PARTS; m = m->next)
        if (m->marker == JPEG_APP0 + 2)
            parts[count++] = m;
    return count;
}

bool hr_jpeg_read_profile(j_decompress_ptr cinfo, uint8_t **icc, size_t *count)
{
    *icc = NULL;
    *count = 0;
    jpeg_saved_marker_ptr first = cinfo->marker_list;
    while (first != NULL && first->marker != JPEG_APP0 + 2)
        first = first->next;
    if (first == NULL)
        return true;
    jpeg_saved_marker_ptr parts[MOST_PARTS] = {NULL};
    int used = order_by_number(first, parts);
    const bool is_whole = used > 0;
    if (!is_whole)
        used = order_by_place(first, parts);
    size_t sum = 0;
    for (int i = 0; i < used; i++)
        sum += parts[i]->data_length - PART_HEADER;
    if (sum < PROFILE_HEADER)
        return true;
    uint8_t *joined = malloc(sum);
    if (joined == NULL)
        return false;
    size_t at = 0;
    for (int i = 0; i < used; i++) {
        memcpy(joined + at, parts[i]->data + PART_HEADER, parts[i]->data_length - PART_HEADER);
        at += parts[i]->data_length - PART_HEADER;
    }
    const size_t stated =
        (size_t)joined[0] << 24 | (size_t)joined[1] << 16 | (size_t)joined[2] << 8 | (size_t)joined[3];
    if (!is_whole && (stated < PROFILE_HEADER || stated > sum)) {
        free(joined);
        return true;
    }
    *icc = joined;
    *count = is_whole ? sum : stated;
    return true;
}
