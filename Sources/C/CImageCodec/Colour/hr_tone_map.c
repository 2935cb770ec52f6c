// The conversion from HDR to SDR.
//
// Samples become light in cd/m²: PQ by SMPTE ST 2084, HLG by BT.2100 for a display of 1000 cd/m². Each component is
// compressed by the curve of BT.2390 (EETF), from images of 1000 cd/m² to a display whose white is 203 cd/m², the
// reference white of BT.2408, so that colours brighter than white become paler. Then the primaries are converted.

#include "hr_tone_map.h"

#include <math.h>

#include "hr_color_points.h"

static const double SOURCE_PEAK = 1000, REFERENCE_WHITE = 203;

bool hr_tone_map_make(int primaries, int transfer, hr_tone_map *map)
{
    hr_primaries from;
    map->is_hlg = transfer == HR_TRANSFER_HLG;
    return (transfer == HR_TRANSFER_PQ || transfer == HR_TRANSFER_HLG) &&
           hr_primaries_of(primaries == 2 ? HR_PRIMARIES_BT2020 : primaries, &from) &&
           hr_matrix_to_srgb(&from, map->matrix);
}

// SMPTE ST 2084, equation 4.1.
static double pq_light(double sample)
{
    const double m1 = 2610.0 / 16384, m2 = 2523.0 / 32, c1 = 3424.0 / 4096, c2 = 2413.0 / 128, c3 = 2392.0 / 128;
    const double root = pow(sample, 1 / m2);
    return 10000 * pow(fmax(root - c1, 0) / (c2 - c3 * root), 1 / m1);
}

static double pq_sample(double light)
{
    const double m1 = 2610.0 / 16384, m2 = 2523.0 / 32, c1 = 3424.0 / 4096, c2 = 2413.0 / 128, c3 = 2392.0 / 128;
    const double root = pow(fmax(light, 0) / 10000, m1);
    return pow((c1 + c2 * root) / (1 + c3 * root), m2);
}

// BT.2100, table 5: the inverse OETF of HLG.
static double hlg_scene(double sample)
{
    const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
    return sample <= 0.5 ? sample * sample / 3 : (exp((sample - c) / a) + b) / 12;
}

// BT.2390, 5.4.1, with black at 0: light of a display, as a fraction of its white.
static double compressed(double light)
{
    const double peak = pq_sample(SOURCE_PEAK), most = pq_sample(REFERENCE_WHITE) / peak, knee = 1.5 * most - 0.5;
    const double e = fmin(pq_sample(light) / peak, 1);
    if (e < knee)
        return light / REFERENCE_WHITE;
    const double t = (e - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    const double spline = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * most;
    return pq_light(spline * peak) / REFERENCE_WHITE;
}

static void to_light(const hr_tone_map *map, const double from[3], double light[3])
{
    if (!map->is_hlg) {
        for (int i = 0; i < 3; i++)
            light[i] = pq_light(from[i]);
        return;
    }
    double scene[3];
    for (int i = 0; i < 3; i++)
        scene[i] = hlg_scene(from[i]);
    // BT.2100, table 5: the OOTF of a display of 1000 cd/m².
    const double luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2];
    for (int i = 0; i < 3; i++)
        light[i] = SOURCE_PEAK * pow(luminance, 0.2) * scene[i];
}

void hr_tone_map_run(const hr_tone_map *map, const double from[3], double to[3])
{
    double light[3];
    to_light(map, from, light);
    for (int i = 0; i < 3; i++)
        light[i] = compressed(light[i]);
    for (int i = 0; i < 3; i++) {
        const double *row = map->matrix[i];
        to[i] = hr_srgb_encoded(row[0] * light[0] + row[1] * light[1] + row[2] * light[2]);
    }
}

double hr_tone_map_gray(const hr_tone_map *map, double sample)
{
    const double from[3] = {sample, sample, sample};
    double light[3];
    to_light(map, from, light);
    return fmin(compressed(light[0]), 1);
}
