#include <math.h>

#include "Frame.h"
#include "Stage.h"

static double distance(hr_landmarks_point one, hr_landmarks_point other)
{
    return hypot(one.x - other.x, one.y - other.y);
}

/// An image's pixels, and the network's points of a face in it; the points are NULL for a start in a box.
typedef struct {
    const uint8_t *pixels;
    size_t width, height, bytes_per_row;
    const hr_landmarks_point *rough;
} picture;

static int is_invalid(const picture *in)
{
    return in->width < 1 || in->height < 1 || in->width > HR_LANDMARKS_MAX_SIDE || in->height > HR_LANDMARKS_MAX_SIDE ||
           in->bytes_per_row < in->width;
}

/// Moves the points of a face to their positions according to a stage; returns 0 when out of memory.
static int step(const hr_landmarks_model *model, const hr_stage *stage, const hr_region *region,
                const hr_landmarks_point *rough, hr_landmarks *face)
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
    if (rough) {
        float values[HR_LANDMARKS_ROUGH_VALUES];
        hr_stage_rough(model->mean, stage->size, &frame, rough, values);
        hr_stage_add_rough(stage, values, found);
    }
    double moved = 0;
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        found[i] = hr_frame_to_image(&frame, HR_LANDMARKS_PATCH, found[i]);
        moved += distance(found[i], face->points[i]) / HR_LANDMARKS_POINTS;
        face->points[i] = found[i];
    }
    face->last_step = moved / fmax(distance(found[0], found[1]), 1e-6);
    return 1;
}

/// Applies all stages to the points of a face, each stage `times[stage]` times.
static hr_landmarks_status follow(const hr_landmarks_model *model, const picture *in, const int *times, double room,
                                  hr_landmarks *face)
{
    // The area that the first stage reads, rotated by 45 degrees and moved, at the pixel size of the last stage.
    const hr_stage *first = &model->stages[0], *last = &model->stages[HR_LANDMARKS_STAGES - 1];
    hr_landmarks_point mean[HR_LANDMARKS_POINTS];
    hr_stage_mean(model->mean, first->size, mean);
    const hr_frame frame = hr_frame_fitted(face->points, mean, HR_LANDMARKS_PATCH);
    const double pixel = hypot(frame.cosine, frame.sine);
    // Points far apart would need more memory than any image.
    const size_t longest = in->width > in->height ? in->width : in->height;
    if (in->rough && !(pixel * HR_LANDMARKS_PATCH * room <= 3.0 * (double)longest + 64))
        return HR_LANDMARKS_INVALID_BOX;
    hr_region region;
    if (!hr_region_make(in->pixels, in->width, in->height, in->bytes_per_row, frame.centre_x, frame.centre_y,
                        pixel * HR_LANDMARKS_PATCH * room, pixel * first->size / last->size, &region))
        return HR_LANDMARKS_OUT_OF_MEMORY;
    hr_landmarks_status status = HR_LANDMARKS_OK;
    for (int i = 0; i < HR_LANDMARKS_STAGES; ++i)
        for (int time = 0; time < times[i] && status == HR_LANDMARKS_OK; ++time)
            if (!step(model, &model->stages[i], &region, in->rough, face))
                status = HR_LANDMARKS_OUT_OF_MEMORY;
    hr_region_free(&region);
    return status;
}

hr_landmarks_status hr_landmarks_find(const hr_landmarks_model *model, const uint8_t *pixels, size_t width,
                                      size_t height, size_t bytes_per_row, double centre_x, double centre_y,
                                      double side, uint32_t pose, hr_landmarks *out)
{
    const picture in = {pixels, width, height, bytes_per_row, NULL};
    if (is_invalid(&in))
        return HR_LANDMARKS_INVALID_IMAGE;
    if (model->is_near)
        return HR_LANDMARKS_INVALID_WEIGHTS;
    const double most = 2.0 * HR_LANDMARKS_MAX_SIDE;
    if (!(side >= 1 && side <= most && fabs(centre_x) <= most && fabs(centre_y) <= most) || pose >= HR_LANDMARKS_POSES)
        return HR_LANDMARKS_INVALID_BOX;
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        const hr_point_f at = model->poses[pose][i];
        out->points[i] = (hr_landmarks_point){centre_x + side * at.x, centre_y + side * at.y};
    }
    // The second step of the last stage starts at the position that was used for training.
    const int times[HR_LANDMARKS_STAGES] = {1, 1, 2};
    return follow(model, &in, times, 0.85, out);
}

hr_landmarks_status hr_landmarks_find_near(const hr_landmarks_model *model, const uint8_t *pixels, size_t width,
                                           size_t height, size_t bytes_per_row, const hr_landmarks_point *rough,
                                           hr_landmarks *out)
{
    const picture in = {pixels, width, height, bytes_per_row, rough};
    if (is_invalid(&in))
        return HR_LANDMARKS_INVALID_IMAGE;
    if (!model->is_near)
        return HR_LANDMARKS_INVALID_WEIGHTS;
    hr_lead lead;
    if (!hr_lead_make(model->mean, rough, &lead))
        return HR_LANDMARKS_INVALID_BOX;
    hr_lead_points(&lead, model->leads, out->points);
    // The points of a tilted head have larger errors than one step can correct.
    const int times[HR_LANDMARKS_STAGES] = {1, 2, 2};
    return follow(model, &in, times, 1.06, out);
}
