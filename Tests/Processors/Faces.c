#include "Faces.h"

#include <stdio.h>
#include <stdlib.h>

#include "CLandmarks.h"
#include "TestImages.h"

static void print(const char *name, const hr_hog_detection *face, const hr_landmarks *found)
{
    printf("%s of %lld %lld: last step %a", name, (long long)face->x, (long long)face->y, found->last_step);
    for (int j = 0; j < HR_LANDMARKS_POINTS; ++j)
        printf(" %a,%a", found->points[j].x, found->points[j].y);
    printf("\n");
}

void hr_print_landmarks(const hr_hog_model *model)
{
    enum { WIDTH = 500, HEIGHT = 330 };
    uint8_t *pixels = hr_test_image(HR_FACES, WIDTH, HEIGHT, WIDTH, 11);
    size_t count;
    const uint8_t *weights = hr_landmarks_weights(&count);
    hr_landmarks_model *landmarks = NULL, *near = NULL;
    hr_hog_detector *detector = NULL;
    hr_hog_findings findings;
    size_t near_count;
    const uint8_t *near_weights = hr_landmarks_near_weights(&near_count);
    if (hr_landmarks_model_make(weights, count, &landmarks) != HR_LANDMARKS_OK ||
        hr_landmarks_model_make(near_weights, near_count, &near) != HR_LANDMARKS_OK ||
        hr_hog_detector_make(model, hr_hog_best_instructions(), &detector) != HR_HOG_OK ||
        hr_hog_detect(detector, pixels, WIDTH, HEIGHT, WIDTH, 0, 0, &findings) != HR_HOG_OK ||
        findings.object_count == 0)
        abort();
    for (size_t i = 0; i < findings.object_count; ++i) {
        const hr_hog_detection *face = &findings.objects[i];
        const double side = (double)face->width;
        hr_landmarks found;
        if (hr_landmarks_find(landmarks, pixels, WIDTH, HEIGHT, WIDTH, (double)face->x + side / 2,
                              (double)face->y + side / 2, side, face->filter, &found) != HR_LANDMARKS_OK)
            abort();
        print("landmarks", face, &found);
        // Points whose errors are as large as the errors of the network.
        hr_landmarks_point rough[HR_LANDMARKS_ROUGH];
        for (int j = 0; j < HR_LANDMARKS_ROUGH; ++j)
            rough[j] = (hr_landmarks_point){found.points[j].x + 0.04 * side, found.points[j].y - 0.03 * side * j};
        if (hr_landmarks_find_near(near, pixels, WIDTH, HEIGHT, WIDTH, rough, &found) != HR_LANDMARKS_OK)
            abort();
        print("near landmarks", face, &found);
    }
    hr_hog_detector_free(detector);
    hr_landmarks_model_free(near);
    hr_landmarks_model_free(landmarks);
    free(pixels);
}
