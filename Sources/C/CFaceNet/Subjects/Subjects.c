// The interface: checks an image, reserves memory for it, evaluates the network, and converts its outputs to boxes.

#include <stdlib.h>

#include "Numbers.h"
#include "SubjectRun.h"

#pragma clang fp contract(off)

struct hr_subjects {
    const hr_subjects_model *model;
    hr_subject_memory memory;
    size_t capacity;
};

/// An object of a cell, and the index of the cell.
typedef struct {
    hr_subject subject;
    int32_t cell;
} hr_candidate;

typedef struct {
    float threshold;
    int left, top;  // margins of the image
    hr_candidate *found;
    int32_t count, cells;  // cells of the heads so far
} hr_candidates;

hr_net_status hr_subjects_make(const hr_subjects_model *model, hr_subjects **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return HR_NET_OUT_OF_MEMORY;
    (*out)->model = model;
    return HR_NET_OK;
}

void hr_subjects_free(hr_subjects *subjects)
{
    if (!subjects)
        return;
    free(subjects->memory.base);
    free(subjects);
}

static int is_valid(size_t side) { return side >= 1 && side <= HR_SUBJECTS_MAX_SIDE; }

/// The maximum number of cells of all heads for an image: strides 8, 16, 32 and 64.
static size_t cells_of(size_t width, size_t height)
{
    size_t count = 0;
    for (int stride = 8; stride <= 64; stride *= 2)
        count += ((width + 31) / 32 * 32 / (size_t)stride + 1) * ((height + 31) / 32 * 32 / (size_t)stride + 1);
    return count;
}

/// Objects that are returned, then the candidates.
static size_t found_bytes(size_t width, size_t height)
{
    const size_t bytes = HR_SUBJECTS_MAX_COUNT * sizeof(hr_subject) + cells_of(width, height) * sizeof(hr_candidate);
    return (bytes + 63) / 64 * 64;
}

size_t hr_subjects_memory(size_t width, size_t height)
{
    if (!is_valid(width) || !is_valid(height))
        return 0;
    hr_subject_run run;
    hr_subject_memory memory = {NULL, found_bytes(width, height)};
    hr_subject_run_begin(&run, NULL, width, height, &memory);
    return memory.used;
}

/// Reserves memory; it only grows. Returns 0 if memory is exhausted.
static int reserve(hr_subjects *subjects, size_t bytes)
{
    if (bytes <= subjects->capacity)
        return 1;
    free(subjects->memory.base);
    subjects->memory.base = aligned_alloc(64, bytes);
    subjects->capacity = subjects->memory.base ? bytes : 0;
    if (subjects->memory.base)
        memset(subjects->memory.base, 0, bytes);
    return subjects->memory.base != NULL;
}

/// The distance of a side from its cell, in strides: the mean of the bins, weighted by their probabilities.
static float distance(const int16_t *sums, const float *unit)
{
    float logits[HR_BINS], most = (float)sums[0] * unit[0];
    for (int i = 0; i < HR_BINS; ++i) {
        logits[i] = (float)sums[i] * unit[i];
        most = logits[i] > most ? logits[i] : most;
    }
    double sum = 0, mean = 0;
    for (int i = 0; i < HR_BINS; ++i) {
        const double weight = hr_exponential((double)logits[i] - (double)most);
        sum += weight;
        mean += i * weight;
    }
    return (float)(mean / sum);
}

static void add_cells(void *context, int head, int first, int width, const int16_t *sums, const float *unit, int count)
{
    hr_candidates *all = context;
    const int stride = 8 << head;
    for (int i = 0; i < count; ++i, sums += HR_OUTPUTS, ++all->cells) {
        int kind = 0;
        float most = (float)sums[0] * unit[0];
        for (int n = 1; n < HR_SUBJECTS_CLASSES; ++n) {
            const float logit = (float)sums[n] * unit[n];
            kind = logit > most ? n : kind;
            most = logit > most ? logit : most;
        }
        const float score = (float)hr_probability((double)most);
        if (score < all->threshold)
            continue;
        const float x = (float)((first + i) % width * stride - all->left);
        const float y = (float)((first + i) / width * stride - all->top);
        float sides[4];
        for (int side = 0; side < 4; ++side) {
            const int at = HR_SUBJECTS_CLASSES + side * HR_BINS;
            sides[side] = distance(sums + at, unit + at) * (float)stride;
        }
        const hr_subject subject = {x - sides[0], y - sides[1], x + sides[2], y + sides[3], score, kind};
        all->found[all->count++] = (hr_candidate){subject, all->cells};
    }
}

/// Whether `a` comes after `b`: by decreasing score, then by cell.
static int is_after(const hr_candidate *a, const hr_candidate *b)
{
    if (a->subject.score != b->subject.score)
        return a->subject.score < b->subject.score;
    return a->cell > b->cell;
}

/// Moves the candidate at index `i` down to its place in a heap. The root of the heap is the last candidate in order.
static void sink(hr_candidate *heap, int32_t i, int32_t count)
{
    const hr_candidate moved = heap[i];
    for (int32_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_after(&heap[child + 1], &heap[child]))
            ++child;
        if (!is_after(&heap[child], &moved))
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

/// Sorts in place, unlike qsort(), which may allocate.
static void sort(hr_candidate *heap, int32_t count)
{
    for (int32_t i = count / 2; i-- > 0;)
        sink(heap, i, count);
    for (int32_t last = count; last-- > 1;) {
        const hr_candidate first = heap[0];
        heap[0] = heap[last];
        heap[last] = first;
        sink(heap, 0, last);
    }
}

static float area(const hr_subject *box) { return (box->right - box->left) * (box->bottom - box->top); }

static int overlaps(const hr_subject *a, const hr_subject *b, float most)
{
    const float left = a->left > b->left ? a->left : b->left, top = a->top > b->top ? a->top : b->top;
    const float right = a->right < b->right ? a->right : b->right;
    const float bottom = a->bottom < b->bottom ? a->bottom : b->bottom;
    if (right <= left || bottom <= top)
        return 0;
    const float both = (right - left) * (bottom - top);
    return both > most * (area(a) + area(b) - both);
}

/// Keeps the best of overlapping objects; returns their number.
static size_t kept(const hr_candidates *all, hr_subject *to, float overlap)
{
    size_t count = 0;
    for (int32_t i = 0; i < all->count && count < HR_SUBJECTS_MAX_COUNT; ++i) {
        const hr_subject *one = &all->found[i].subject;
        size_t better = 0;
        while (better < count && !(to[better].kind == one->kind && overlaps(&to[better], one, overlap)))
            ++better;
        if (better == count)
            to[count++] = *one;
    }
    return count;
}

hr_net_status hr_subjects_detect(hr_subjects *subjects, const hr_net_image *image, float threshold, float overlap,
                                 hr_subject_findings *findings)
{
    const size_t bytes = hr_subjects_memory(image->width, image->height);
    if (bytes == 0)
        return HR_NET_INVALID_IMAGE;
    for (int i = 0; i < HR_COLOURS; ++i)
        if (image->bytes_per_row[i] < image->width)
            return HR_NET_INVALID_IMAGE;
    if (!(threshold >= 0 && threshold <= 1) || !(overlap >= 0 && overlap <= 1))
        return HR_NET_INVALID_LIMIT;
    if (!reserve(subjects, bytes))
        return HR_NET_OUT_OF_MEMORY;

    hr_subject *best = (hr_subject *)(void *)subjects->memory.base;
    hr_subject_run run;
    subjects->memory.used = found_bytes(image->width, image->height);
    hr_subject_run_begin(&run, subjects->model, image->width, image->height, &subjects->memory);
    hr_candidates all = {.threshold = threshold, .left = run.left, .top = run.top};
    all.found = (hr_candidate *)(void *)(best + HR_SUBJECTS_MAX_COUNT);
    run.sink = (hr_subject_sink){add_cells, &all};
    hr_subject_evaluate(&run, image);
    sort(all.found, all.count);
    const size_t count = kept(&all, best, overlap);
    *findings = (hr_subject_findings){count > 0 ? best : NULL, count};
    return HR_NET_OK;
}
