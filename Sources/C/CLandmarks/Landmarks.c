#include <math.h>

#include "Frame.h"
#include "Stage.h"

/// The last stage is taken twice: its second step starts from where it was trained to start.
enum { STEPS = HR_LANDMARKS_STAGES + 1 };

static double distance(hr_landmarks_point one, hr_landmarks_point other)
{
    return hypot(one.x - other.x, one.y - other.y);
}

/// Moves the points of a face to where a stage sees them; returns 0 when out of memory.
static int step(const hr_landmarks_model *model, const hr_stage *stage, const hr_region *region, hr_landmarks *face)
{
    hr_landmarks_point mean[HR_LANDMARKS_POINTS], found[HR_LANDMARKS_POINTS];
    uint8_t patch[HR_LANDMARKS_PATCH * HR_LANDMARKS_PATCH];
    float features[HR_LANDMARKS_FEATURES];
    hr_stage_mean(model->mean, stage->size, mean);
    const hr_frame frame = hr_frame_fitted(face->points, mean, HR_LANDMARKS_PATCH);
    hr_frame_draw(&frame, region, HR_LANDMARKS_PATCH, patch);
    if (!hr_stage_features(patch, features))
        return 0;
    hr_stage_points(stage, features, found);
    double moved = 0;
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        found[i] = hr_frame_to_image(&frame, HR_LANDMARKS_PATCH, found[i]);
        moved += distance(found[i], face->points[i]) / HR_LANDMARKS_POINTS;
        face->points[i] = found[i];
    }
    face->last_step = moved / fmax(distance(found[0], found[1]), 1e-6);
    return 1;
}

hr_landmarks_status hr_landmarks_find(const hr_landmarks_model *model, const uint8_t *pixels, size_t width,
                                      size_t height, size_t bytes_per_row, double centre_x, double centre_y,
                                      double side, uint32_t pose, hr_landmarks *out)
{
    if (width < 1 || height < 1 || width > HR_LANDMARKS_MAX_SIDE || height > HR_LANDMARKS_MAX_SIDE ||
        bytes_per_row < width)
        return HR_LANDMARKS_INVALID_IMAGE;
    const double most = 2.0 * HR_LANDMARKS_MAX_SIDE;
    if (!(side >= 1 && side <= most && fabs(centre_x) <= most && fabs(centre_y) <= most) || pose >= HR_LANDMARKS_POSES)
        return HR_LANDMARKS_INVALID_BOX;
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        const hr_point_f at = model->poses[pose][i];
        out->points[i] = (hr_landmarks_point){centre_x + side * at.x, centre_y + side * at.y};
    }
    // What the first stage sees, turned by 45 degrees and moved, in pixels as fine as those of the last.
    const hr_stage *first = &model->stages[0], *last = &model->stages[HR_LANDMARKS_STAGES - 1];
    hr_landmarks_point mean[HR_LANDMARKS_POINTS];
    hr_stage_mean(model->mean, first->size, mean);
    const hr_frame frame = hr_frame_fitted(out->points, mean, HR_LANDMARKS_PATCH);
    const double pixel = hypot(frame.cosine, frame.sine);
    hr_region region;
    if (!hr_region_make(pixels, width, height, bytes_per_row, frame.centre_x, frame.centre_y,
                        pixel * HR_LANDMARKS_PATCH * 0.85, pixel * first->size / last->size, &region))
        return HR_LANDMARKS_OUT_OF_MEMORY;
    hr_landmarks_status status = HR_LANDMARKS_OK;
    for (int i = 0; i < STEPS && status == HR_LANDMARKS_OK; ++i)
        if (!step(model, i < HR_LANDMARKS_STAGES ? &model->stages[i] : last, &region, out))
            status = HR_LANDMARKS_OUT_OF_MEMORY;
    hr_region_free(&region);
    return status;
}
