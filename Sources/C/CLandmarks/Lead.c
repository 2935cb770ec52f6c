// The start at the network's points, and their contribution in each step.

#include <math.h>

#include "Stage.h"

void hr_stage_rough(const hr_point_f *mean, float size, const hr_frame *frame, const hr_landmarks_point *rough,
                    float *values)
{
    const double square = frame->cosine * frame->cosine + frame->sine * frame->sine;
    const double unit = HR_LANDMARKS_PATCH * (double)size, magnitude = 0.3;
    for (int i = 0; i < HR_LANDMARKS_ROUGH; ++i) {
        const double x = rough[i].x - frame->centre_x, y = rough[i].y - frame->centre_y;
        const double u = (x * frame->cosine + y * frame->sine) / square;
        const double v = (y * frame->cosine - x * frame->sine) / square;
        values[2 * i] = (float)(magnitude * (u / unit - (double)mean[i].x));
        values[2 * i + 1] = (float)(magnitude * (v / unit - (double)mean[i].y));
    }
}

void hr_stage_add_rough(const hr_stage *stage, const float *values, hr_landmarks_point *points)
{
    for (int i = 0; i < HR_LANDMARKS_ROUGH_VALUES; ++i)
        for (int k = 0; k < HR_LANDMARKS_POINTS; ++k) {
            points[k].x += (double)stage->rough[i][2 * k] * (double)values[i];
            points[k].y += (double)stage->rough[i][2 * k + 1] * (double)values[i];
        }
}

int hr_lead_make(const hr_point_f *mean, const hr_landmarks_point *rough, hr_lead *out)
{
    const double most = 2.0 * HR_LANDMARKS_MAX_SIDE;
    hr_landmarks_point places[HR_LANDMARKS_ROUGH];
    for (int i = 0; i < HR_LANDMARKS_ROUGH; ++i) {
        places[i] = (hr_landmarks_point){(double)mean[i].x, (double)mean[i].y};
        if (!(fabs(rough[i].x) <= most && fabs(rough[i].y) <= most))
            return 0;
    }
    const hr_similarity fitted = hr_similarity_fitted(rough, places, HR_LANDMARKS_ROUGH);
    const double scale = sqrt(fitted.cosine * fitted.cosine + fitted.sine * fitted.sine);
    // The units of the mean face per pixel: fewer than ten, but enough that the face does not exceed the largest image.
    if (!(scale > 1.0 / HR_LANDMARKS_MAX_SIDE && scale < 10))
        return 0;
    out->from_image = fitted;
    for (int i = 0; i < HR_LANDMARKS_ROUGH; ++i) {
        const double x = rough[i].x - fitted.from.x, y = rough[i].y - fitted.from.y;
        out->values[2 * i] = (float)(fitted.cosine * x - fitted.sine * y + fitted.to.x - places[i].x);
        out->values[2 * i + 1] = (float)(fitted.sine * x + fitted.cosine * y + fitted.to.y - places[i].y);
    }
    float *more = out->values + HR_LANDMARKS_ROUGH_VALUES;
    const float turn = out->values[4] - (out->values[0] + out->values[2]) / 2;
    more[0] = (float)(-fitted.sine / scale);
    more[1] = more[0] * turn;
    more[2] = fabsf(more[0]);
    more[3] = 1;
    return 1;
}

void hr_lead_points(const hr_lead *lead, const float (*leads)[HR_LANDMARKS_VALUES], hr_landmarks_point *out)
{
    const hr_similarity *by = &lead->from_image;
    const double square = by->cosine * by->cosine + by->sine * by->sine;
    for (int k = 0; k < HR_LANDMARKS_POINTS; ++k) {
        double x = 0, y = 0;
        for (int i = 0; i < HR_LANDMARKS_LEADS; ++i) {
            x += (double)lead->values[i] * (double)leads[i][2 * k];
            y += (double)lead->values[i] * (double)leads[i][2 * k + 1];
        }
        x -= by->to.x;
        y -= by->to.y;
        out[k].x = by->from.x + (x * by->cosine + y * by->sine) / square;
        out[k].y = by->from.y + (y * by->cosine - x * by->sine) / square;
    }
}
