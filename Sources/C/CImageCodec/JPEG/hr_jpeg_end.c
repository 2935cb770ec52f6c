#include "hr_jpeg_end.h"

#include <stdlib.h>
#include <string.h>

enum {
    TEM = 0x01,
    SOF0 = 0xC0,
    DHT = 0xC4,
    JPG = 0xC8,
    DAC = 0xCC,
    SOF15 = 0xCF,
    SOI = 0xD8,
    SOS = 0xDA,
    DQT = 0xDB,
    DNL = 0xDC,
    DRI = 0xDD
};

static bool is_restart(int marker) { return marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7; }

static size_t number_at(const uint8_t *bytes) { return (size_t)bytes[0] << 8 | bytes[1]; }

// The offset after the next marker, whose code is not 0; `count` if there is no marker.
static size_t after_marker(const uint8_t *bytes, size_t at, size_t count)
{
    while (at < count) {
        const uint8_t *found = memchr(bytes + at, 0xFF, count - at);
        if (found == NULL)
            return count;
        at = (size_t)(found - bytes);
        while (at < count && bytes[at] == 0xFF)
            ++at;
        if (at < count && bytes[at] != 0)
            return at + 1;
    }
    return count;
}

// MARK: Trailers

// The start of libjpeg's private struct jpeg_marker_reader, the same since version 5.
typedef struct marker_reader {
    void (*reset)(j_decompress_ptr);
    int (*read_markers)(j_decompress_ptr);
} marker_reader;

static marker_reader *reader_of(j_decompress_ptr cinfo) { return (marker_reader *)(void *)cinfo->marker; }

// Huffman tables of at most 256 symbols each (T.81, B.2.4.2).
static bool are_huffman_tables(const uint8_t *content, size_t count)
{
    while (count > 0) {
        size_t symbols = 0;
        for (size_t i = 1; count >= 17 && i < 17; i++)
            symbols += content[i];
        if (count < 17 || symbols > 256 || symbols > count - 17 || (content[0] & 0xEF) > 3)
            return false;
        content += 17 + symbols;
        count -= 17 + symbols;
    }
    return true;
}

// B.2.4.1
static bool are_quantization_tables(const uint8_t *content, size_t count)
{
    while (count > 0) {
        const size_t length = 1 + (size_t)(content[0] >> 4 ? 128 : 64);
        if ((content[0] & 15) > 3 || content[0] >> 5 || length > count)
            return false;
        content += length;
        count -= length;
    }
    return true;
}

// B.2.3, and G.1.1.1 for progressive files.
static bool is_scan(const struct jpeg_decompress_struct *cinfo, const uint8_t *content, size_t count)
{
    const size_t components = count > 0 ? content[0] : 0;
    if (components < 1 || components > MAX_COMPS_IN_SCAN || count != 4 + 2 * components)
        return false;
    for (size_t i = 0; i < components; i++) {
        bool is_known = false;
        for (int c = 0; c < cinfo->num_components; c++)
            is_known |= cinfo->comp_info[c].component_id == content[1 + 2 * i];
        if (!is_known)
            return false;
    }
    const uint8_t *rest = content + 1 + 2 * components;
    const int first = rest[0], last = rest[1], earlier = rest[2] >> 4, bit = rest[2] & 15;
    if (!cinfo->progressive_mode)
        return true;
    return (first == 0 ? last == 0 : components == 1 && first <= last && last < DCTSIZE2) && bit <= 13 &&
           (earlier == 0 || earlier == bit + 1);
}

// Whether libjpeg accepts the content of a segment between two scans.
static bool is_segment(int marker, const uint8_t *content, size_t count)
{
    switch (marker) {
    case DHT:
        return are_huffman_tables(content, count);
    case DQT:
        return are_quantization_tables(content, count);
    case DRI:
    case DNL:
        return count == 2;
    case DAC:
        return count % 2 == 0;
    default:
        return marker == JPEG_COM || (marker >= JPEG_APP0 && marker <= JPEG_APP0 + 15);
    }
}

// Whether another scan follows, with only segments before it. `marker` is a marker that was already read, or 0.
static bool has_scan(const hr_jpeg_decoder *decoder, size_t at, int marker)
{
    const uint8_t *bytes = decoder->bytes;
    for (;;) {
        if (marker == 0) {
            at = after_marker(bytes, at, decoder->count);
            if (at == decoder->count)
                return false;
            marker = bytes[at - 1];
        }
        if (is_restart(marker) || marker == TEM) {
            marker = 0;
            continue;
        }
        if (decoder->count - at < 2)
            return false;
        const size_t length = number_at(bytes + at);
        if (length < 2 || length > decoder->count - at)
            return false;
        if (marker == SOS)
            return is_scan(&decoder->cinfo, bytes + at + 2, length - 2);
        if (!is_segment(marker, bytes + at + 2, length - 2))
            return false;
        at += length;
        marker = 0;
    }
}

static int read_markers(j_decompress_ptr cinfo)
{
    hr_jpeg_decoder *decoder = cinfo->client_data;
    const uint8_t *next = cinfo->src->next_input_byte;
    // A file whose scans are known is complete. After the end of the file, libjpeg reads an inserted marker. After a
    // scan with the whole image, any other marker belongs to a trailer, which libjpeg would reject.
    const bool is_inside =
        (uintptr_t)next >= (uintptr_t)decoder->bytes && (uintptr_t)next < (uintptr_t)decoder->bytes + decoder->count;
    if (cinfo->input_scan_number > 0 && is_inside && decoder->fill_at_end == NULL &&
        (!jpeg_has_multiple_scans(cinfo) || !has_scan(decoder, (size_t)(next - decoder->bytes), cinfo->unread_marker)))
        cinfo->unread_marker = JPEG_EOI;
    return decoder->read_markers(cinfo);
}

void hr_jpeg_end_before_trailer(hr_jpeg_decoder *decoder)
{
    marker_reader *reader = reader_of(&decoder->cinfo);
    decoder->read_markers = reader->read_markers;
    reader->read_markers = read_markers;
}

// MARK: Height

// The offset of the height in the frame header if the height is 0, with `*rest` set to the end of the first scan's
// header; otherwise 0.
static size_t find_missing_height(const uint8_t *bytes, size_t count, size_t *rest)
{
    size_t place = 0;
    for (size_t at = 2; at + 4 <= count && bytes[at] == 0xFF;) {
        const int marker = bytes[at + 1];
        if (marker == 0xFF) {
            ++at;
            continue;
        }
        const size_t length = number_at(bytes + at + 2);
        if (marker == SOI || length < 2 || length > count - at - 2)
            return 0;
        const bool is_frame = marker >= SOF0 && marker <= SOF15 && marker != DHT && marker != JPG && marker != DAC;
        if (is_frame) {
            if (length < 8 || place > 0 || number_at(bytes + at + 5) != 0)
                return 0;
            place = at + 5;
        }
        at += 2 + length;
        if (marker == SOS) {
            *rest = at;
            return place;
        }
    }
    return 0;
}

bool hr_jpeg_read_height(hr_jpeg_decoder *decoder)
{
    const uint8_t *bytes = decoder->bytes;
    size_t at = 0;
    const size_t place = find_missing_height(bytes, decoder->count, &at);
    if (place == 0)
        return true;
    do
        at = after_marker(bytes, at, decoder->count);
    while (at < decoder->count && is_restart(bytes[at - 1]));
    if (decoder->count - at < 4 || bytes[at - 1] != DNL || number_at(bytes + at) != 4 || number_at(bytes + at + 2) == 0)
        return true;
    decoder->amended = malloc(decoder->count);
    if (decoder->amended == NULL)
        return false;
    memcpy(decoder->amended, bytes, decoder->count);
    memcpy(decoder->amended + place, bytes + at + 2, 2);
    decoder->bytes = decoder->amended;
    return true;
}
