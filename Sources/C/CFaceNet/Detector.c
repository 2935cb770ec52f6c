// The interface: checks an image, reserves memory for it, and evaluates the network.

#include <stdlib.h>

#include "Faces.h"

struct hr_net_detector {
    const hr_net_model *model;
    hr_net_memory_block memory;
    size_t capacity;
};

hr_net_status hr_net_detector_make(const hr_net_model *model, hr_net_detector **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return HR_NET_OUT_OF_MEMORY;
    (*out)->model = model;
    return HR_NET_OK;
}

void hr_net_detector_free(hr_net_detector *detector)
{
    if (!detector)
        return;
    free(detector->memory.base);
    free(detector);
}

enum { FACE_BYTES = 2 * HR_NET_MAX_WINDOWS * sizeof(hr_net_face) };

static int is_valid(size_t side) { return side >= 1 && side <= HR_NET_MAX_SIDE; }

size_t hr_net_memory(size_t width, size_t height)
{
    if (!is_valid(width) || !is_valid(height))
        return 0;
    hr_net_pass pass;
    hr_net_memory_block memory = {NULL, FACE_BYTES};
    hr_net_pass_begin(&pass, NULL, width, height, &memory);
    return memory.used;
}

/// Reserves memory; it only grows. Returns 0 if memory is exhausted.
static int reserve(hr_net_detector *detector, size_t bytes)
{
    if (bytes <= detector->capacity)
        return 1;
    free(detector->memory.base);
    detector->memory.base = aligned_alloc(64, bytes);
    detector->capacity = detector->memory.base ? bytes : 0;
    return detector->memory.base != NULL;
}

hr_net_status hr_net_detect(hr_net_detector *detector, const hr_net_image *image, float threshold, float overlap,
                            hr_net_findings *findings)
{
    const size_t bytes = hr_net_memory(image->width, image->height);
    if (bytes == 0)
        return HR_NET_INVALID_IMAGE;
    for (int i = 0; i < 3; ++i)
        if (image->bytes_per_row[i] < image->width)
            return HR_NET_INVALID_IMAGE;
    if (!(threshold >= 0 && threshold <= 1) || !(overlap >= 0 && overlap <= 1))
        return HR_NET_INVALID_LIMIT;
    if (!reserve(detector, bytes))
        return HR_NET_OUT_OF_MEMORY;

    hr_net_face *memory = (hr_net_face *)(void *)detector->memory.base;
    hr_net_faces faces;
    hr_net_faces_begin(&faces, detector->model, threshold, memory);
    hr_net_pass pass;
    detector->memory.used = FACE_BYTES;
    hr_net_pass_begin(&pass, detector->model, image->width, image->height, &detector->memory);
    pass.sink = (hr_net_sink){hr_net_faces_row, &faces};
    hr_net_pass_run(&pass, image);
    hr_net_faces_end(&faces, overlap);
    *findings = (hr_net_findings){faces.count > 0 ? faces.faces : NULL, faces.count};
    return HR_NET_OK;
}
