// Fills the memory of libde265's images with noise, so that blocks that are not decoded can be found.

#include "hr_hevc_fill.h"

#ifdef HR_HEIC

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 64,
    // Vector code reads beyond the last row.
    PADDING = 64,
    NOISE = 4096,
    NOISE_STEP = 97,
    // images of one item, which should contain one
    MOST_PICTURES = 8,
};

// Before the samples of a plane.
typedef struct plane_head {
    void *memory;
    int width, height, depth;
} plane_head;

_Static_assert(sizeof(plane_head) <= ALIGNMENT, "the head of a plane fits before its samples");

static uint16_t noise[2 * NOISE];

// The noise of a row; the noise of the next row is shifted.
static const uint16_t *noise_at(int y) { return noise + (unsigned)y * NOISE_STEP % NOISE; }

static uint16_t sample_mask(const plane_head *head) { return (uint16_t)((1u << head->depth) - 1); }

static void fill(const plane_head *head, uint8_t *samples, size_t stride, uint16_t inversion)
{
    const uint16_t mask = sample_mask(head);
    const size_t width = head->depth > 8 ? stride / 2 : stride;
    for (int y = 0; y < head->height; y++) {
        uint8_t *row = samples + (size_t)y * stride;
        const uint16_t *from = noise_at(y);
        for (size_t start = 0; start < width; start += NOISE) {
            const size_t count = width - start < NOISE ? width - start : NOISE;
            if (head->depth > 8) {
                uint16_t *to = (uint16_t *)(void *)row + start;
                for (size_t x = 0; x < count; x++)
                    to[x] = (from[x] ^ inversion) & mask;
            } else {
                for (size_t x = 0; x < count; x++)
                    row[start + x] = (uint8_t)(from[x] ^ inversion);
            }
        }
    }
}

static void free_planes(struct de265_image *image)
{
    for (int i = 0; i < 3; i++) {
        plane_head *head = de265_get_image_plane_user_data(image, i);
        if (head != NULL)
            free(head->memory);
        de265_set_image_plane(image, i, NULL, 0, NULL);
    }
}

static bool add_plane(struct de265_image *image, int channel, int width, int height, uint16_t inversion)
{
    const int depth = de265_get_bits_per_pixel(image, channel);
    if (depth < 8 || depth > 16)
        return false;
    const size_t samples = ((size_t)width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t stride = samples * (depth > 8 ? 2 : 1);
    const size_t size = (stride * (size_t)height + ALIGNMENT + PADDING + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint8_t *memory = aligned_alloc(ALIGNMENT, size);
    if (memory == NULL)
        return false;
    plane_head *head = (plane_head *)(void *)memory;
    *head = (plane_head){memory, width, height, depth};
    fill(head, memory + ALIGNMENT, stride, inversion);
    memset(memory + ALIGNMENT + stride * (size_t)height, 0, PADDING);
    de265_set_image_plane(image, channel, memory + ALIGNMENT, (int)stride, head);
    return true;
}

static int get_buffer(de265_decoder_context *context, struct de265_image_spec *spec, struct de265_image *image,
                      void *opaque)
{
    (void)context;
    hr_hevc_fill *of = opaque;
    // Copies for filters may belong to no decoder.
    const uint16_t inversion = of != NULL ? of->inversion : 0;
    if (of != NULL) {
        of->is_refused |=
            spec->width > of->most_width || spec->height > of->most_height || of->pictures == MOST_PICTURES;
        if (of->is_refused)
            return 0;
        of->pictures++;
    }
    const enum de265_chroma chroma = de265_get_chroma_format(image);
    const int across = chroma == de265_chroma_444 ? 1 : 2;
    const int down = chroma == de265_chroma_420 ? 2 : 1;
    for (int i = 0; i < 3; i++)
        de265_set_image_plane(image, i, NULL, 0, NULL);
    bool done = add_plane(image, 0, spec->width, spec->height, inversion);
    for (int i = 1; i < 3 && done && chroma != de265_chroma_mono; i++)
        done = add_plane(image, i, (spec->width + across - 1) / across, (spec->height + down - 1) / down, inversion);
    if (!done)
        free_planes(image);
    return done;
}

static void release_buffer(de265_decoder_context *context, struct de265_image *image, void *opaque)
{
    (void)context;
    (void)opaque;
    free_planes(image);
}

static const struct de265_image_allocation allocation = {get_buffer, release_buffer};

static unsigned sample(const plane_head *head, const uint8_t *row, int x)
{
    return head->depth > 8 ? ((const uint16_t *)(const void *)row)[x] : row[x];
}

// Whether any block kept its noise. The deblocking filter changes at most three luma samples and one chroma sample on
// both sides of an edge, so that the inner four samples of a block are unfiltered.
static bool keeps_noise(const struct de265_image *image, int channel, uint16_t inversion)
{
    const plane_head *head = de265_get_image_plane_user_data(image, channel);
    int stride = 0;
    if (head == NULL || de265_get_image_plane(image, channel, &stride) == NULL)
        return false;
    const uint8_t *samples = (const uint8_t *)head->memory + ALIGNMENT;
    const uint16_t mask = sample_mask(head);
    const int side = channel == 0 ? 8 : 4;
    for (int y = side / 2 - 1; y + 1 < head->height; y += side) {
        const uint8_t *row = samples + (size_t)y * (size_t)stride, *next = row + stride;
        const uint16_t *above = noise_at(y), *below = noise_at(y + 1);
        for (int x = side / 2 - 1; x + 1 < head->width; x += side) {
            const int i = x % NOISE, j = (x + 1) % NOISE;
            if (sample(head, row, x) == ((above[i] ^ inversion) & mask) &&
                sample(head, row, x + 1) == ((above[j] ^ inversion) & mask) &&
                sample(head, next, x) == ((below[i] ^ inversion) & mask) &&
                sample(head, next, x + 1) == ((below[j] ^ inversion) & mask))
                return true;
        }
    }
    return false;
}

bool hr_hevc_keeps_noise(const struct de265_image *image, const hr_hevc_fill *fill)
{
    bool keeps = false;
    for (int i = 0; i < 3; i++)
        keeps |= keeps_noise(image, i, fill->inversion);
    return keeps;
}

void hr_hevc_set_fill(de265_decoder_context *context, hr_hevc_fill *fill)
{
    // libde265 1.0.11 uses only the pointer, and the functions of hr_hevc_prepare_fills.
    de265_set_image_allocation_functions(context, (struct de265_image_allocation *)&allocation, fill);
}

void hr_hevc_prepare_fills(void)
{
    uint32_t state = 0x2545F491;
    for (int i = 0; i < NOISE; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        noise[i] = noise[i + NOISE] = (uint16_t)(state >> 8);
    }
    // The structure is not constant; libde265 uses it for all images.
    *(struct de265_image_allocation *)de265_get_default_image_allocation_functions() = allocation;
}

#endif
