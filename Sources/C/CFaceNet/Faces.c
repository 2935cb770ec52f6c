#include "Faces.h"

#include <math.h>

#include "Numbers.h"

#pragma clang fp contract(off)

static double probability(int16_t sum, float unit) { return hr_probability((double)sum * unit); }

/// The minimum sum whose probability is at least `wanted`; probabilities increase with the sum.
static int16_t least_sum(double wanted, float unit)
{
    int low = INT16_MIN, high = INT16_MAX;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (probability((int16_t)middle, unit) >= wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return (int16_t)low;
}

void hr_net_faces_begin(hr_net_faces *faces, const hr_net_model *model, float threshold, hr_net_face *memory)
{
    *faces = (hr_net_faces){.model = model, .threshold = threshold, .faces = memory};
    for (int level = 0; level < HR_NET_HEADS; ++level)
        for (int i = 0; i < 2; ++i)
            // Both probabilities are at most 1, so neither may be below the square of the threshold.
            faces->least[level][i] = least_sum((double)threshold * threshold * (1 - 1e-6),
                                               model->units[HR_NET_UNITS - HR_NET_HEADS + level].unit[i]);
}

static hr_net_face decoded(const int16_t *sums, const float *unit, float score, int x, int y, int stride)
{
    const float centre_x = ((float)x + (float)sums[2] * unit[2]) * (float)stride;
    const float centre_y = ((float)y + (float)sums[3] * unit[3]) * (float)stride;
    const float width = (float)(hr_exponential((double)sums[4] * unit[4]) * stride);
    const float height = (float)(hr_exponential((double)sums[5] * unit[5]) * stride);
    hr_net_face face = {centre_x - width / 2, centre_y - height / 2, width, height, score, {{0, 0}}};
    for (int i = 0; i < HR_NET_POINTS; ++i) {
        face.points[i].x = ((float)x + (float)sums[6 + 2 * i] * unit[6 + 2 * i]) * (float)stride;
        face.points[i].y = ((float)y + (float)sums[7 + 2 * i] * unit[7 + 2 * i]) * (float)stride;
    }
    return face;
}

static int before(float a, float b) { return (a > b) - (a < b); }

/// The order of faces: by decreasing score, then by position.
static int compare(const hr_net_face *a, const hr_net_face *b)
{
    int order = before(b->score, a->score);
    order = order ? order : before(a->y, b->y);
    order = order ? order : before(a->x, b->x);
    order = order ? order : before(a->width, b->width);
    return order ? order : before(a->height, b->height);
}

/// Moves the face at index `i` down to its place in a heap. The root of the heap is the last face in order.
static void sink(hr_net_face *heap, size_t i, size_t count)
{
    const hr_net_face moved = heap[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && compare(&heap[child], &heap[child + 1]) < 0)
            ++child;
        if (compare(&moved, &heap[child]) >= 0)
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

/// Sorts in place, unlike qsort(), which may allocate; keeps the best HR_NET_MAX_WINDOWS.
static void sort(hr_net_faces *faces)
{
    hr_net_face *heap = faces->faces;
    for (size_t i = faces->count / 2; i-- > 0;)
        sink(heap, i, faces->count);
    for (size_t last = faces->count; last-- > 1;) {
        const hr_net_face first = heap[0];
        heap[0] = heap[last];
        heap[last] = first;
        sink(heap, 0, last);
    }
    if (faces->count > HR_NET_MAX_WINDOWS)
        faces->count = HR_NET_MAX_WINDOWS;
}

void hr_net_faces_row(void *context, int level, int y, const int16_t *sums, int width)
{
    hr_net_faces *faces = context;
    const float *unit = faces->model->units[HR_NET_UNITS - HR_NET_HEADS + level].unit;
    const int16_t *least = faces->least[level];
    for (int x = 0; x < width; ++x, sums += 16) {
        if (sums[0] < least[0] || sums[1] < least[1])
            continue;
        const float score = (float)sqrt(probability(sums[0], unit[0]) * probability(sums[1], unit[1]));
        if (score < faces->threshold)
            continue;
        if (faces->count == (size_t)2 * HR_NET_MAX_WINDOWS)
            sort(faces);
        faces->faces[faces->count++] = decoded(sums, unit, score, x, y, 8 << level);
    }
}

static int overlaps(const hr_net_face *a, const hr_net_face *b, float most)
{
    const float left = a->x > b->x ? a->x : b->x, top = a->y > b->y ? a->y : b->y;
    const float right = a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width;
    const float bottom = a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height;
    if (right <= left || bottom <= top)
        return 0;
    const float both = (right - left) * (bottom - top);
    return both > most * (a->width * a->height + b->width * b->height - both);
}

void hr_net_faces_end(hr_net_faces *faces, float overlap)
{
    sort(faces);
    size_t kept = 0;
    for (size_t i = 0; i < faces->count; ++i) {
        size_t better = 0;
        while (better < kept && !overlaps(&faces->faces[better], &faces->faces[i], overlap))
            ++better;
        if (better == kept)
            faces->faces[kept++] = faces->faces[i];
    }
    faces->count = kept;
}
