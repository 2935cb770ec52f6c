// Compares the detector's instruction sets bit for bit, and counts the work of the detector.
//
//     kernels check                     compares each stage of each supported set with the plain set, and prints a
//                                       line of digests for each image, the same on every processor
//     kernels run SET WIDTH HEIGHT N    N detections in an image of faces; SET is best, plain, avx2, neon, dlib and so on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CDlibHOG.h"
#include "Faces.h"
#include "TestImages.h"
#include "Stages.h"

static const char *const set_names[HR_HOG_INSTRUCTIONS] = {"plain", "sse4", "avx2", "avx512", "neon", "neon-dot"};

static hr_hog_model *frontal(void)
{
    const hr_hog_frontal frontal = hr_hog_frontal_detector();
    hr_hog_model *model = NULL;
    if (hr_hog_model_make(&frontal.settings, frontal.weights, frontal.thresholds, &model) != HR_HOG_OK)
        abort();
    return model;
}

/// A detector with a window of this number of cells, from shuffled weights of the frontal detector.
static hr_hog_model *other(int columns, int rows, int filters)
{
    const hr_hog_frontal from = hr_hog_frontal_detector();
    hr_hog_settings settings = from.settings;
    settings.columns = columns;
    settings.rows = rows;
    settings.filter_count = filters;
    settings.min_layer_width = 8 * columns;
    settings.min_layer_height = 8 * rows;
    const size_t count = (size_t)(columns * rows * filters) * HR_HOG_PLANES;
    float *weights = malloc(count * sizeof *weights);
    double *thresholds = calloc((size_t)filters, sizeof *thresholds);
    if (!weights || !thresholds)
        abort();
    for (size_t i = 0; i < count; ++i)
        weights[i] = i % HR_HOG_PLANES == HR_HOG_PLANES - 1 ? 0 : 4 * from.weights[i * 7919 % from.weight_count];
    hr_hog_model *model = NULL;
    if (hr_hog_model_make(&settings, weights, thresholds, &model) != HR_HOG_OK)
        abort();
    free(weights);
    free(thresholds);
    return model;
}

/// Prints a line for an image, and returns the number of instruction sets that differ from the plain one.
static int compare(const char *name, const hr_hog_model *model, hr_content content, size_t width, size_t height,
                   double threshold)
{
    const size_t bytes_per_row = width + width % 3 * 5;
    uint8_t *pixels = hr_test_image(content, width, height, bytes_per_row, width * 1000 + height);
    const hr_outcome plain = hr_run_stages(model, HR_HOG_PLAIN, pixels, width, height, bytes_per_row, threshold);
    printf("%s %s %zux%zu: %zu windows, %zu objects, best %.9g:", name, hr_content_names[content], width, height,
           plain.windows, plain.objects, plain.best);
    for (int i = 0; i < HR_STAGES; ++i)
        printf(" %016llx", (unsigned long long)plain.digests[i]);
    printf("\n");
    int wrong = 0;
    for (int set = HR_HOG_PLAIN + 1; set < HR_HOG_INSTRUCTIONS; ++set) {
        if (!hr_hog_supports((hr_hog_instructions)set))
            continue;
        const hr_outcome found =
            hr_run_stages(model, (hr_hog_instructions)set, pixels, width, height, bytes_per_row, threshold);
        for (int i = 0; i < HR_STAGES; ++i) {
            if (found.digests[i] == plain.digests[i])
                continue;
            fprintf(stderr, "%s differs from plain in %s: %s %s %zux%zu\n", set_names[set], hr_stage_names[i], name,
                    hr_content_names[content], width, height);
            ++wrong;
        }
    }
    free(pixels);
    return wrong;
}

static int check(void)
{
    static const size_t sizes[][2] = {{1, 1},    {2, 2},    {3, 65},    {65, 3},   {8, 8},     {20, 20},   {27, 29},
                                      {24, 300}, {80, 80},  {81, 97},   {97, 131}, {100, 71},  {128, 128}, {131, 83},
                                      {233, 90}, {323, 97}, {200, 411}, {511, 60}, {640, 200}, {1011, 40}};
    fprintf(stderr, "compared with plain:");
    for (int set = HR_HOG_PLAIN + 1; set < HR_HOG_INSTRUCTIONS; ++set)
        if (hr_hog_supports((hr_hog_instructions)set))
            fprintf(stderr, " %s", set_names[set]);
    fprintf(stderr, "\n");

    int wrong = 0;
    hr_hog_model *model = frontal();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        for (int content = 0; content < HR_CONTENTS; ++content)
            wrong += compare("frontal", model, (hr_content)content, sizes[i][0], sizes[i][1], -2);
    wrong += compare("frontal", model, HR_FACES, 300, 220, 0);
    hr_print_landmarks(model);
    hr_hog_model_free(model);

    static const int windows[][3] = {{1, 1, 1}, {3, 3, 11}, {5, 7, 6}, {11, 5, 2}, {64, 2, 5}};
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; ++i) {
        hr_hog_model *model = other(windows[i][0], windows[i][1], windows[i][2]);
        char name[32];
        snprintf(name, sizeof name, "%dx%d cells, %d filters", windows[i][0], windows[i][1], windows[i][2]);
        for (int content = 0; content < HR_CONTENTS; ++content)
            wrong += compare(name, model, (hr_content)content, 173, 111, 1);
        hr_hog_model_free(model);
    }
    return wrong;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// The pixels of all levels that are searched.
static size_t pyramid_pixels(size_t width, size_t height)
{
    size_t pixels = 0;
    for (; width >= 64 && height >= 64; width = 5 * width / 6, height = 5 * height / 6)
        pixels += width * height;
    return pixels;
}

static int run(const char *name, size_t width, size_t height, int times)
{
    uint8_t *pixels = hr_test_image(HR_FACES, width, height, width, 1);
    if (strcmp(name, "best") == 0)
        name = set_names[hr_hog_best_instructions()];
    int set = 0;
    while (set < HR_HOG_INSTRUCTIONS && strcmp(name, set_names[set]) != 0)
        ++set;
    hr_hog_model *model = NULL;
    hr_hog_detector *ours = NULL;
    hr_dlib_model *dlib_model = NULL;
    hr_dlib_detector *dlib = NULL;
    hr_dlib_message message;
    if (set < HR_HOG_INSTRUCTIONS) {
        if (!hr_hog_supports((hr_hog_instructions)set))
            return 2;
        model = frontal();
        if (hr_hog_detector_make(model, (hr_hog_instructions)set, &ours) != HR_HOG_OK)
            abort();
    } else {
        const hr_dlib_instructions best =
            strcmp(name, "dlib-baseline") == 0 ? HR_DLIB_BASELINE : hr_dlib_best_instructions();
        if (hr_dlib_model_frontal(&dlib_model, &message) != HR_DLIB_OK ||
            hr_dlib_detector_make(dlib_model, best, &dlib, &message) != HR_DLIB_OK)
            abort();
    }
    size_t found = 0;
    double best = 1e9;
    for (int i = 0; i < times; ++i) {
        const double start = seconds();
        hr_hog_findings findings;
        const hr_dlib_detection *detections;
        if (ours) {
            if (hr_hog_detect(ours, pixels, width, height, width, 0, 0, &findings) != HR_HOG_OK)
                abort();
            found = findings.object_count;
        } else if (hr_dlib_detect(dlib, pixels, width, height, width, 0, &detections, &found, &message) != HR_DLIB_OK) {
            abort();
        }
        const double taken = seconds() - start;
        best = taken < best ? taken : best;
    }
    const size_t levels = pyramid_pixels(width, height);
    printf("%s %zux%zu: %zu pixels of levels, %zu found, %.2f ns a pixel\n", name, width, height, levels, found,
           best * 1e9 / (double)levels);
    hr_hog_detector_free(ours);
    hr_hog_model_free(model);
    hr_dlib_detector_free(dlib);
    hr_dlib_model_free(dlib_model);
    free(pixels);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "check") == 0)
        return check() != 0;
    if (count == 6 && strcmp(arguments[1], "run") == 0)
        return run(arguments[2], strtoul(arguments[3], NULL, 10), strtoul(arguments[4], NULL, 10), atoi(arguments[5]));
    fprintf(stderr, "kernels check | kernels run SET WIDTH HEIGHT N\n");
    return 2;
}
