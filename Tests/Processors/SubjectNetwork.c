// Compares the subject network's instruction sets bit for bit, tests the network with damaged weights and unusual
// images, and measures its speed.
//
//     subject-network check COUNT                  COUNT images of random sides and content: one line of digests each,
//                                                  the same on every processor; all sets must match the plain one
//     subject-network fuzz COUNT                   COUNT images of random sides and limits, and tables of weights with
//                                                  changed bytes; for builds with sanitizers
//     subject-network run SET WIDTH HEIGHT COUNT   COUNT images; SET is best, plain, avx2, neon and so on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CSubjectNet.h"
#include "NetworkImages.h"

static hr_subjects *make_detector(hr_hog_instructions set, hr_subjects_model **model)
{
    size_t count;
    const uint8_t *weights = hr_subjects_weights(&count);
    hr_subjects *detector = NULL;
    if (hr_subjects_model_make(weights, count, set, model) != HR_NET_OK ||
        hr_subjects_make(*model, &detector) != HR_NET_OK)
        abort();
    return detector;
}

static int check(int count)
{
    hr_subjects_model *models[HR_HOG_INSTRUCTIONS] = {NULL};
    hr_subjects *detectors[HR_HOG_INSTRUCTIONS] = {NULL};
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
        const size_t width = i % 4 ? 1 + random_below(256) : 256, height = i % 4 == 1 ? 256 : 1 + random_below(256);
        image drawn = draw(width, height);
        // The best cells of all, and the objects that the program uses.
        const float thresholds[2] = {0, 0.1F}, overlaps[2] = {1, 0.6F};
        uint64_t expected[2] = {0, 0};
        size_t found[2] = {0, 0};
        for (int set = 0; set < HR_HOG_INSTRUCTIONS; ++set) {
            for (int j = 0; detectors[set] && j < 2; ++j) {
                hr_subject_findings findings;
                if (hr_subjects_detect(detectors[set], &drawn.view, thresholds[j], overlaps[j], &findings) != HR_NET_OK)
                    abort();
                const uint64_t hash = digest(findings.subjects, findings.count * sizeof *findings.subjects);
                if (set == 0) {
                    expected[j] = hash;
                    found[j] = findings.count;
                } else if (hash != expected[j]) {
                    fprintf(stderr, "%s differs from plain: image %d, %zux%zu\n", set_names[set], i, width, height);
                    ++wrong;
                }
            }
        }
        printf("%d %zux%zu: %zu cells %016llx, %zu objects %016llx\n", i, width, height, found[0],
               (unsigned long long)expected[0], found[1], (unsigned long long)expected[1]);
        discard(&drawn);
    }
    for (int set = 0; set < HR_HOG_INSTRUCTIONS; ++set) {
        hr_subjects_free(detectors[set]);
        hr_subjects_model_free(models[set]);
    }
    return wrong;
}

static void fuzz_image(hr_subjects *detector)
{
    const size_t width = 1 + random_below(random_below(8) ? 256 : HR_SUBJECTS_MAX_SIDE);
    const size_t height = 1 + random_below(random_below(8) ? 256 : 3);
    image drawn = draw(width, height);
    if (random_below(32) == 0)
        drawn.view.bytes_per_row[random_below(3)] = width - 1;
    if (random_below(32) == 0)
        drawn.view.width = random_below(2) ? 0 : HR_SUBJECTS_MAX_SIDE + 1 + random_below((size_t)1 << 40);
    const float limits[] = {0.01F, 0.3F, 0.6F, 1, 0, -1, 2, 1e30F, 0.0F / 1e-30F};
    hr_subject_findings findings = {NULL, 0};
    const hr_net_status status =
        hr_subjects_detect(detector, &drawn.view, limits[random_below(9)], limits[random_below(9)], &findings);
    for (size_t i = 0; status == HR_NET_OK && i < findings.count; ++i) {
        const hr_subject *one = &findings.subjects[i];
        if (!(one->score >= 0 && one->score <= 1 && one->right >= one->left && one->bottom >= one->top) ||
            one->kind < 0 || one->kind >= HR_SUBJECTS_CLASSES || findings.count > HR_SUBJECTS_MAX_COUNT)
            abort();
    }
    discard(&drawn);
}

static int fuzz(int count)
{
    size_t bytes;
    const uint8_t *weights = hr_subjects_weights(&bytes);
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
            changed[random_below(random_below(2) ? bytes : 4000)] = (uint8_t)random_below(256);
        hr_subjects_model *model = NULL;
        // Copies the table into a block of exactly its length, so that reads beyond the end are detected.
        const size_t length = random_below(16) == 0 ? random_below(bytes) : bytes;
        uint8_t *exact = malloc(length + (length == 0));
        if (!exact)
            abort();
        memcpy(exact, changed, length);
        const hr_net_status status = hr_subjects_model_make(exact, length, set, &model);
        free(exact);
        if (status != HR_NET_OK)
            continue;
        ++valid;
        hr_subjects *detector = NULL;
        if (hr_subjects_make(model, &detector) != HR_NET_OK)
            abort();
        for (int j = 0; j < 2; ++j)
            fuzz_image(detector);
        hr_subjects_free(detector);
        hr_subjects_model_free(model);
    }
    free(changed);
    printf("%d tables of weights, of which %d were valid\n", count, valid);
    return 0;
}

static int run(const char *name, size_t width, size_t height, int count)
{
    hr_hog_instructions set = hr_hog_best_instructions();
    for (int i = 0; i < HR_HOG_INSTRUCTIONS; ++i)
        if (strcmp(name, set_names[i]) == 0)
            set = (hr_hog_instructions)i;
    if (!hr_hog_supports(set))
        return 1;
    hr_subjects_model *model;
    hr_subjects *detector = make_detector(set, &model);
    image drawn = draw(width, height);
    double least = 1e9;
    hr_subject_findings findings = {NULL, 0};
    for (int i = 0; i < count; ++i) {
        const double start = seconds();
        if (hr_subjects_detect(detector, &drawn.view, 0.1F, 0.6F, &findings) != HR_NET_OK)
            abort();
        const double taken = seconds() - start;
        least = taken < least ? taken : least;
    }
    printf("%s: %zux%zu, %zu objects, %.2f ms, %zu bytes\n", set_names[set], width, height, findings.count, least * 1e3,
           hr_subjects_memory(width, height));
    discard(&drawn);
    hr_subjects_free(detector);
    hr_subjects_model_free(model);
    return 0;
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "check") == 0)
        return check(atoi(words[2])) > 0;
    if (count == 3 && strcmp(words[1], "fuzz") == 0)
        return fuzz(atoi(words[2]));
    if (count == 6 && strcmp(words[1], "run") == 0)
        return run(words[2], (size_t)atoi(words[3]), (size_t)atoi(words[4]), atoi(words[5]));
    fprintf(stderr, "subject-network check COUNT | fuzz COUNT | run SET WIDTH HEIGHT COUNT\n");
    return 2;
}
