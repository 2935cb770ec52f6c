#include "hr_gif_palette.h"

#include <stdlib.h>
#include <string.h>

// Squared differences are weighted by the approximate fraction of each channel in luma.
enum { RED = 3, GREEN = 5, BLUE = 2 };
static const float weights[3] = {RED, GREEN, BLUE};

/// Pixels of a colour, or of colours that share the five highest bits of each channel.
typedef struct bin {
    float mean[3];
    float count;
} bin;

typedef struct box {
    int start, end;  // of the bins
    float error;     // squared error of all of its pixels
    int axis;        // axis with the largest part of the error
} box;

// Uses the exact colours if there are at most `most`.
static bool exact_colors(const uint8_t *rgba, size_t count, int most, hr_gif_palette *colors)
{
    enum { SLOTS = 1024 };
    int32_t slots[SLOTS];
    memset(slots, -1, sizeof slots);
    colors->count = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = rgba + 4 * i;
        if (p[3] == 0)
            continue;
        const int32_t value = p[0] << 16 | p[1] << 8 | p[2];
        uint32_t slot = (uint32_t)value * 2654435761u >> 22;
        while (slots[slot] != -1 && slots[slot] != value)
            slot = (slot + 1) % SLOTS;
        if (slots[slot] == value)
            continue;
        if (colors->count == most)
            return false;
        slots[slot] = value;
        memcpy(colors->rgb + 3 * colors->count++, p, 3);
    }
    return true;
}

static int compare_colors(const void *a, const void *b) { return memcmp(a, b, 3); }

enum { BINS = 1 << 15, MOST_EXACT_BINS = 1 << 14 };

static int close_gaps(bin *bins)
{
    int used = 0;
    for (int i = 0; i < BINS; i++) {
        if (bins[i].count == 0)
            continue;
        const bin b = bins[i];
        for (int c = 0; c < 3; c++)
            bins[used].mean[c] = b.mean[c] / b.count;
        bins[used++].count = b.count;
    }
    return used;
}

static void add_to(bin *b, const uint8_t *p)
{
    b->count += 1;
    for (int c = 0; c < 3; c++)
        b->mean[c] += p[c];
}

// A bin for each colour; 0 if there are too many of them.
static int fill_exact_bins(const uint8_t *rgba, size_t count, bin *bins, int32_t *slots)
{
    int used = 0;
    memset(slots, -1, BINS * sizeof *slots);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = rgba + 4 * i;
        if (p[3] == 0)
            continue;
        const int32_t value = p[0] << 16 | p[1] << 8 | p[2];
        uint32_t slot = (uint32_t)value * 2654435761u >> 17;
        while (slots[slot] != -1 && slots[slot] != value)
            slot = (slot + 1) % BINS;
        if (slots[slot] == -1 && used++ == MOST_EXACT_BINS)
            return 0;
        slots[slot] = value;
        add_to(&bins[slot], p);
    }
    return close_gaps(bins);
}

static int fill_bins(const uint8_t *rgba, size_t count, bin *bins)
{
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = rgba + 4 * i;
        if (p[3] != 0)
            add_to(&bins[p[0] >> 3 << 10 | p[1] >> 3 << 5 | p[2] >> 3], p);
    }
    return close_gaps(bins);
}

static void measure(const bin *bins, box *box)
{
    double sum[3] = {0}, squares[3] = {0}, count = 0;
    for (int i = box->start; i < box->end; i++) {
        count += bins[i].count;
        for (int c = 0; c < 3; c++) {
            sum[c] += (double)bins[i].count * bins[i].mean[c];
            squares[c] += (double)bins[i].count * bins[i].mean[c] * bins[i].mean[c];
        }
    }
    box->error = 0;
    double most = -1;
    for (int c = 0; c < 3; c++) {
        const double error = weights[c] * (squares[c] - sum[c] * sum[c] / count);
        box->error += (float)(error > 0 ? error : 0);
        if (error > most) {
            most = error;
            box->axis = c;
        }
    }
    if (box->end - box->start < 2)
        box->error = 0;
}

// Sorts bins along an axis by counting: means lie between 0 and 255.
static void sort_bins(bin *bins, bin *spare, int count, int axis)
{
    int starts[257] = {0};
    for (int i = 0; i < count; i++)
        starts[(int)bins[i].mean[axis] + 1]++;
    for (int v = 0; v < 256; v++)
        starts[v + 1] += starts[v];
    for (int i = 0; i < count; i++)
        spare[starts[(int)bins[i].mean[axis]]++] = bins[i];
    memcpy(bins, spare, (size_t)count * sizeof *bins);
}

// Cuts a box at the position along its axis with the smallest squared error of both parts.
static int cut(const bin *bins, const box *box)
{
    const int axis = box->axis;
    double sum = 0, count = 0;
    for (int i = box->start; i < box->end; i++) {
        sum += (double)bins[i].count * bins[i].mean[axis];
        count += bins[i].count;
    }
    double left = 0, left_count = 0, best = -1;
    int at = box->start + 1;
    for (int i = box->start; i < box->end - 1; i++) {
        left += (double)bins[i].count * bins[i].mean[axis];
        left_count += bins[i].count;
        const double right = sum - left, right_count = count - left_count;
        // The total sum of squares is the same for every cut, so the cut with the largest explained part is best.
        const double explained = left * left / left_count + right * right / right_count;
        if (explained > best) {
            best = explained;
            at = i + 1;
        }
    }
    return at;
}

static int split_boxes(bin *bins, bin *spare, int used, int most, box *boxes)
{
    boxes[0] = (box){.start = 0, .end = used};
    measure(bins, &boxes[0]);
    int count = 1;
    while (count < most) {
        int worst = 0;
        for (int i = 1; i < count; i++)
            if (boxes[i].error > boxes[worst].error)
                worst = i;
        box *one = &boxes[worst];
        if (one->error <= 0)
            break;
        sort_bins(bins + one->start, spare, one->end - one->start, one->axis);
        const int at = cut(bins, one);
        boxes[count] = (box){.start = at, .end = one->end};
        one->end = at;
        measure(bins, one);
        measure(bins, &boxes[count++]);
    }
    return count;
}

static float distance(const float *a, const float *b)
{
    float sum = 0;
    for (int c = 0; c < 3; c++)
        sum += weights[c] * (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

// Moves colours to the means of the bins that are nearest to them (k-means).
static void refine(const bin *bins, int used, float (*means)[3], int count)
{
    enum { PASSES = 2 };
    for (int pass = 0; pass < PASSES; pass++) {
        double sums[256][4] = {{0}};
        for (int i = 0; i < used; i++) {
            int nearest = 0;
            float least = distance(bins[i].mean, means[0]);
            for (int k = 1; k < count; k++) {
                const float d = distance(bins[i].mean, means[k]);
                if (d < least) {
                    least = d;
                    nearest = k;
                }
            }
            for (int c = 0; c < 3; c++)
                sums[nearest][c] += (double)bins[i].count * bins[i].mean[c];
            sums[nearest][3] += bins[i].count;
        }
        for (int k = 0; k < count; k++)
            for (int c = 0; c < 3 && sums[k][3] > 0; c++)
                means[k][c] = (float)(sums[k][c] / sums[k][3]);
    }
}

bool hr_gif_choose_colors(const uint8_t *rgba, size_t count, int most, hr_gif_palette *colors, bool *exact)
{
    colors->transparent = -1;
    *exact = exact_colors(rgba, count, most, colors);
    if (*exact) {
        qsort(colors->rgb, (size_t)colors->count, 3, compare_colors);
        return true;
    }
    // The bins, and space to sort them.
    bin *bins = calloc(2 * BINS, sizeof *bins);
    if (bins == NULL)
        return false;
    box boxes[256];
    float means[256][3];
    int used = fill_exact_bins(rgba, count, bins, (int32_t *)(void *)(bins + BINS));
    if (used == 0)
        used = fill_bins(rgba, count, bins);
    colors->count = split_boxes(bins, bins + BINS, used, most, boxes);
    for (int k = 0; k < colors->count; k++) {
        double sum[4] = {0};
        for (int i = boxes[k].start; i < boxes[k].end; i++) {
            for (int c = 0; c < 3; c++)
                sum[c] += (double)bins[i].count * bins[i].mean[c];
            sum[3] += bins[i].count;
        }
        for (int c = 0; c < 3; c++)
            means[k][c] = (float)(sum[c] / sum[3]);
    }
    refine(bins, used, means, colors->count);
    for (int k = 0; k < colors->count; k++)
        for (int c = 0; c < 3; c++)
            colors->rgb[3 * k + c] = (uint8_t)(means[k][c] + 0.5f);
    free(bins);
    // Sorts the palette, so that equal images become equal files.
    qsort(colors->rgb, (size_t)colors->count, 3, compare_colors);
    return true;
}

// Squared distances times 256 fit 32 bits.
enum { FAR = 600, NOT_FOUND = -1 };

void hr_gif_nearest_reset(hr_gif_nearest *nearest, const hr_gif_palette *colors)
{
    nearest->colors = *colors;
    for (int k = 0; k < 256; k++)
        for (int c = 0; c < 3; c++)
            // Unused entries are far from every colour.
            nearest->channels[c][k] = k < colors->count ? colors->rgb[3 * k + c] : FAR;
    memset(nearest->found, NOT_FOUND, sizeof nearest->found);
}

static uint32_t search(const hr_gif_nearest *nearest, int red, int green, int blue)
{
    uint32_t best = UINT32_MAX;
    for (int k = 0; k < 256; k++) {
        const int r = nearest->channels[0][k] - red;
        const int g = nearest->channels[1][k] - green;
        const int b = nearest->channels[2][k] - blue;
        const uint32_t distance = (uint32_t)(RED * r * r + GREEN * g * g + BLUE * b * b) << 8 | (uint32_t)k;
        best = distance < best ? distance : best;
    }
    return best & 255;
}

int hr_gif_nearest_find(hr_gif_nearest *nearest, int red, int green, int blue)
{
    const uint32_t value = (uint32_t)(red << 16 | green << 8 | blue);
    uint32_t *slot = &nearest->found[value * 2654435761u >> 16];
    // An empty slot has the same value as a slot for white.
    if (*slot >> 8 != value || *slot == UINT32_MAX)
        *slot = value << 8 | search(nearest, red, green, blue);
    return (int)(*slot & 255);
}

double hr_gif_nearest_error(hr_gif_nearest *nearest, const uint8_t *rgba, size_t count)
{
    enum { SAMPLES = 4096 };
    const size_t step = count / SAMPLES + 1;
    double sum = 0, visible = 0;
    for (size_t i = 0; i < count; i += step) {
        const uint8_t *p = rgba + 4 * i;
        if (p[3] == 0)
            continue;
        const uint8_t *q = nearest->colors.rgb + 3 * hr_gif_nearest_find(nearest, p[0], p[1], p[2]);
        for (int c = 0; c < 3; c++)
            sum += (p[c] - q[c]) * (p[c] - q[c]);
        visible += 1;
    }
    return visible > 0 ? sum / visible : 0;
}
