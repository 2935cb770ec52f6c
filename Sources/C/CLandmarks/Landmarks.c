#include "Cascade.h"
#include "Frame.h"

#include <math.h>

/// Where a cascade starts beside its own start: a turn in radians, a share of the size, and shares of the box.
typedef struct {
    float turn, scale, x, y;
} start;

enum { STARTS = 5 };

static const start starts[STARTS] = {
    {0, 0, 0, 0},
    {0.1F, 0.04F, 0.03F, 0},
    {-0.1F, -0.04F, 0, 0.03F},
    {0.1F, -0.04F, -0.03F, 0},
    {-0.1F, 0.04F, 0, -0.03F},
};

static void begin(const hr_cascade *cascade, start by, float share, hr_point_f *shape)
{
    hr_point_f middle = {0, 0};
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        middle.x += cascade->start[i].x / HR_LANDMARKS_POINTS;
        middle.y += cascade->start[i].y / HR_LANDMARKS_POINTS;
    }
    const float scale = 1 + share * by.scale;
    const float cosine = scale * cosf(share * by.turn), sine = scale * sinf(share * by.turn);
    for (int i = 0; i < HR_LANDMARKS_POINTS; ++i) {
        const float x = cascade->start[i].x - middle.x, y = cascade->start[i].y - middle.y;
        shape[i].x = middle.x + cosine * x - sine * y + share * by.x;
        shape[i].y = middle.y + sine * x + cosine * y + share * by.y;
    }
}

/// The mean of all starts, in pixels of the patch; `spread` is the mean distance from it, in the same.
static double run(const hr_landmarks_model *model, const hr_cascade *cascade, const uint8_t *patch, float share,
                  hr_landmarks_point *out)
{
    hr_shape shapes[STARTS];
    for (int i = 0; i < STARTS; ++i)
        begin(cascade, starts[i], share, shapes[i].points);
    hr_cascade_run(cascade, patch, model->patch, model->box, shapes, STARTS);
    double spread = 0;
    for (int k = 0; k < HR_LANDMARKS_POINTS; ++k) {
        hr_point_f mean = {0, 0};
        for (int i = 0; i < STARTS; ++i) {
            mean.x += shapes[i].points[k].x / STARTS;
            mean.y += shapes[i].points[k].y / STARTS;
        }
        for (int i = 0; i < STARTS; ++i)
            spread +=
                hypotf(shapes[i].points[k].x - mean.x, shapes[i].points[k].y - mean.y) / (STARTS * HR_LANDMARKS_POINTS);
        out[k].x = (model->patch - model->box) / 2.0 + mean.x * model->box;
        out[k].y = (model->patch - model->box) / 2.0 + mean.y * model->box;
    }
    return spread * model->box;
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
    const hr_pose_frame *by = &model->poses[pose];
    const double step = side / model->box * by->scale;
    hr_frame frame = {centre_x + by->x * side, centre_y + by->y * side, step * cos(by->turn), step * sin(by->turn)};
    hr_region region;
    // The patch turned by 45 degrees, and moved by the second pass.
    if (!hr_region_make(pixels, width, height, bytes_per_row, frame.centre_x, frame.centre_y,
                        step * model->patch * 0.85, step, &region))
        return HR_LANDMARKS_OUT_OF_MEMORY;
    uint8_t patch[HR_LANDMARKS_MAX_PATCH * HR_LANDMARKS_MAX_PATCH + 1];
    patch[model->patch * model->patch] = 0;
    for (int i = 0; i < 2; ++i) {
        hr_frame_draw(&frame, &region, model->patch, patch);
        const double spread = run(model, &model->cascades[i], patch, i == 0 ? 1 : 0.5F, out->points);
        for (int k = 0; k < HR_LANDMARKS_POINTS; ++k)
            out->points[k] = hr_frame_to_image(&frame, model->patch, out->points[k]);
        out->spread = spread * hypot(frame.cosine, frame.sine) /
                      fmax(hypot(out->points[0].x - out->points[1].x, out->points[0].y - out->points[1].y), 1e-6);
        if (i == 0)
            frame = hr_frame_fitted(out->points, model->mean, model->patch);
    }
    hr_region_free(&region);
    return HR_LANDMARKS_OK;
}
