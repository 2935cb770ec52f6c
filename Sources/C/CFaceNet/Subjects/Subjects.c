#include <stdlib.h>

#include "CSubjectNet.h"

struct hr_subjects_model {
    hr_hog_instructions instructions;
};

struct hr_subjects {
    const hr_subjects_model *model;
};

const uint8_t *hr_subjects_weights(size_t *count)
{
    static const uint8_t table[1];
    *count = 0;
    return table;
}

hr_net_status hr_subjects_model_make(const uint8_t *bytes, size_t count, hr_hog_instructions instructions,
                                     hr_subjects_model **out)
{
    (void)bytes;
    (void)count;
    *out = malloc(sizeof **out);
    if (!*out)
        return HR_NET_OUT_OF_MEMORY;
    (*out)->instructions = instructions;
    return HR_NET_OK;
}

void hr_subjects_model_free(hr_subjects_model *model) { free(model); }

hr_net_status hr_subjects_make(const hr_subjects_model *model, hr_subjects **out)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return HR_NET_OUT_OF_MEMORY;
    (*out)->model = model;
    return HR_NET_OK;
}

void hr_subjects_free(hr_subjects *subjects) { free(subjects); }

size_t hr_subjects_memory(size_t width, size_t height)
{
    return width < 1 || height < 1 || width > HR_SUBJECTS_MAX_SIDE || height > HR_SUBJECTS_MAX_SIDE ? 0 : 1 << 21;
}

hr_net_status hr_subjects_detect(hr_subjects *subjects, const hr_net_image *image, float threshold, float overlap,
                                 hr_subject_findings *findings)
{
    (void)subjects;
    *findings = (hr_subject_findings){NULL, 0};
    if (!hr_subjects_memory(image->width, image->height))
        return HR_NET_INVALID_IMAGE;
    return threshold >= 0 && threshold <= 1 && overlap >= 0 && overlap <= 1 ? HR_NET_OK : HR_NET_INVALID_LIMIT;
}
