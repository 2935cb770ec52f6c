// Compares the face network's instruction sets bit for bit, tests the network with damaged weights and unusual images,
// and measures its speed.
//
//     face-network check COUNT                  COUNT images of random sides and content: one line of digests each,
//                                               the same on every processor; all sets must match the plain one
//     face-network fuzz COUNT                   COUNT images of random sides and limits, and tables of weights with
//                                               changed bytes; for builds with sanitizers
//     face-network run SET WIDTH HEIGHT COUNT   COUNT images; SET is best, plain, avx2, neon and so on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CFaceNet.h"
#include "NetworkImages.h"

static hr_net_detector *make_detector(hr_hog_instructions set, hr_net_model **model)
{
    size_t count;
    const uint8_t *weights = hr_net_weights(&count);
    hr_net_detector *detector = NULL;
    if (hr_net_model_make(weights, count, set, model) != HR_NET_OK ||
        hr_net_detector_make(*model, &detector) != HR_NET_OK)
        abort();
    return detector;
}

static int check(int count)
{
    hr_net_model *models[HR_HOG_INSTRUCTIONS] = {NULL};
    hr_net_detector *detectors[HR_HOG_INSTRUCTIONS] = {NULL};
    fprintf(stderr, "compared with plain:");
    for (int set = 0; set < HR_HOG_INSTRUCTIONS; ++set) {
        if (!hr_hog_supports((hr_hog_instructions)set))
            continue;
        detectors[set] = make_detector((hr_hog_instructions)set, &models[set]);
        if (set > 0)
            fprintf(stderr, " %s", set_names[set]);
    }
    fprintf(stderr, "\n");
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        state = (uint64_t)i;
        random_below(2);
        const size_t width = 1 + random_below(i % 8 ? 130 : 400), height = 1 + random_below(i % 8 ? 130 : 300);
        image drawn = draw(width, height);
        // Windows of every score, and the faces that the program uses.
        const float thresholds[2] = {0, 0.3F}, overlaps[2] = {1, 0.3F};
        uint64_t expected[2] = {0, 0};
        size_t found[2] = {0, 0};
        for (int set = 0; set < HR_HOG_INSTRUCTIONS; ++set) {
            for (int j = 0; detectors[set] && j < 2; ++j) {
                hr_net_findings findings;
                if (hr_net_detect(detectors[set], &drawn.view, thresholds[j], overlaps[j], &findings) != HR_NET_OK)
                    abort();
                const uint64_t hash = digest(findings.faces, findings.count * sizeof *findings.faces);
                if (set == 0) {
                    expected[j] = hash;
                    found[j] = findings.count;
                } else if (hash != expected[j]) {
                    fprintf(stderr, "%s differs from plain: image %d, %zux%zu\n", set_names[set], i, width, height);
                    ++wrong;
                }
            }
        }
        printf("%d %zux%zu: %zu windows %016llx, %zu faces %016llx\n", i, width, height, found[0],
               (unsigned long long)expected[0], found[1], (unsigned long long)expected[1]);
        discard(&drawn);
    }
    for (int set = 0; set < HR_HOG_INSTRUCTIONS; ++set) {
        hr_net_detector_free(detectors[set]);
        hr_net_model_free(models[set]);
    }
    return wrong;
}

static void fuzz_image(hr_net_detector *detector)
{
    const int is_long = random_below(16) == 0;
    size_t width = 1 + random_below(is_long ? HR_NET_MAX_SIDE : 300), height = 1 + random_below(is_long ? 40 : 300);
    if (random_below(2)) {
        const size_t swapped = width;
        width = height;
        height = swapped;
    }
    image drawn = draw(width, height);
    if (random_below(32) == 0)
        drawn.view.bytes_per_row[random_below(3)] = width - 1;
    if (random_below(32) == 0)
        drawn.view.width = random_below(2) ? 0 : HR_NET_MAX_SIDE + 1 + random_below((size_t)1 << 40);
    const float limits[] = {0.01F, 0.3F, 0.75F, 1, 0, -1, 2, 1e30F, 0.0F / 1e-30F};
    hr_net_findings findings = {NULL, 0};
    const hr_net_status status =
        hr_net_detect(detector, &drawn.view, limits[random_below(9)], limits[random_below(9)], &findings);
    for (size_t i = 0; status == HR_NET_OK && i < findings.count; ++i)
        if (!(findings.faces[i].score >= 0 && findings.faces[i].score <= 1 && findings.faces[i].width > 0))
            abort();
    discard(&drawn);
}

static int fuzz(int count)
{
    size_t bytes;
    const uint8_t *weights = hr_net_weights(&bytes);
    uint8_t *changed = malloc(bytes);
    if (!changed)
        abort();
    int valid = 0;
    for (int i = 0; i < count; ++i) {
        state = (uint64_t)i + 1000000;
        random_below(2);
        hr_hog_instructions set;
        do
            set = (hr_hog_instructions)random_below(HR_HOG_INSTRUCTIONS);
        while (!hr_hog_supports(set));
        memcpy(changed, weights, bytes);
        const size_t changes = random_below(8) * random_below(2);
        for (size_t j = 0; j < changes; ++j)
            changed[random_below(random_below(2) ? bytes : 1000)] = (uint8_t)random_below(256);
        hr_net_model *model = NULL;
        const size_t length = random_below(16) == 0 ? random_below(bytes) : bytes;
        if (hr_net_model_make(changed, length, set, &model) != HR_NET_OK)
            continue;
        ++valid;
        hr_net_detector *detector = NULL;
        if (hr_net_detector_make(model, &detector) != HR_NET_OK)
            abort();
        for (int j = 0; j < 3; ++j)
            fuzz_image(detector);
        hr_net_detector_free(detector);
        hr_net_model_free(model);
    }
    free(changed);
    printf("%d tables of weights, of which %d were valid\n", count, valid);
    return 0;
}

static int run(const char *name, size_t width, size_t height, int count)
{
    if (strcmp(name, "best") == 0)
        name = set_names[hr_hog_best_instructions()];
    int set = 0;
    while (set < HR_HOG_INSTRUCTIONS && strcmp(name, set_names[set]) != 0)
        ++set;
    if (set == HR_HOG_INSTRUCTIONS || !hr_hog_supports((hr_hog_instructions)set))
        return 2;
    uint8_t *pixels = hr_test_image(HR_FACES, width, height, width, 1);
    const hr_net_image view = {{pixels, pixels, pixels}, {width, width, width}, width, height};
    hr_net_model *model = NULL;
    hr_net_detector *detector = make_detector((hr_hog_instructions)set, &model);
    hr_net_findings findings = {NULL, 0};
    double best = 1e9;
    for (int i = 0; i < count; ++i) {
        const double start = seconds();
        if (hr_net_detect(detector, &view, 0.3F, 0.3F, &findings) != HR_NET_OK)
            abort();
        const double taken = seconds() - start;
        best = taken < best ? taken : best;
    }
    printf("%s %zux%zu: %zu found, %zu bytes, %.3f ms\n", name, width, height, findings.count,
           hr_net_memory(width, height), best * 1e3);
    hr_net_detector_free(detector);
    hr_net_model_free(model);
    free(pixels);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "check") == 0)
        return check(atoi(arguments[2])) != 0;
    if (count == 3 && strcmp(arguments[1], "fuzz") == 0)
        return fuzz(atoi(arguments[2]));
    if (count == 6 && strcmp(arguments[1], "run") == 0)
        return run(arguments[2], strtoul(arguments[3], NULL, 10), strtoul(arguments[4], NULL, 10), atoi(arguments[5]));
    fprintf(stderr, "face-network check COUNT | fuzz COUNT | run SET WIDTH HEIGHT COUNT\n");
    return 2;
}
