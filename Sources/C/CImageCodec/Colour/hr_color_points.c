#include "hr_color_points.h"

#include <math.h>

#include "hr_color.h"

static const hr_primaries srgb_primaries = {{0.3127, 0.3290}, {{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}}};
// IEC 61966-2-1.
static const hr_curve srgb_curve = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};

bool hr_primaries_of(int code_point, hr_primaries *primaries)
{
    static const struct {
        int code_point;
        hr_primaries primaries;
    } table[] = {
        // System M, film: illuminant C.
        {4, {{0.310, 0.316}, {{0.67, 0.33}, {0.21, 0.71}, {0.14, 0.08}}}},
        {5, {{0.3127, 0.3290}, {{0.64, 0.33}, {0.29, 0.60}, {0.15, 0.06}}}},
        {6, {{0.3127, 0.3290}, {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}}}},
        {7, {{0.3127, 0.3290}, {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}}}},
        {8, {{0.310, 0.316}, {{0.681, 0.319}, {0.243, 0.692}, {0.145, 0.049}}}},
        {HR_PRIMARIES_BT2020, {{0.3127, 0.3290}, {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}}}},
        // P3 with the white point of cinemas, and Display P3.
        {11, {{0.314, 0.351}, {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}}}},
        {12, {{0.3127, 0.3290}, {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}}}},
        {22, {{0.3127, 0.3290}, {{0.630, 0.340}, {0.295, 0.605}, {0.155, 0.077}}}},
    };
    *primaries = srgb_primaries;
    if (code_point == HR_PRIMARIES_SRGB || code_point == 2)
        return true;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].code_point == code_point) {
            *primaries = table[i].primaries;
            return true;
        }
    }
    return false;
}

bool hr_curve_of(int code_point, hr_curve *curve)
{
    switch (code_point) {
    case 1:
    case 2:
    case 6:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
        *curve = srgb_curve;
        return true;
    case 4:
        *curve = (hr_curve){2.2, 1, 0, 0, 0};
        return true;
    case 5:
        *curve = (hr_curve){2.8, 1, 0, 0, 0};
        return true;
    case 7:  // SMPTE 240M
        *curve = (hr_curve){1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 0.25, 0.0912};
        return true;
    case 8:
        *curve = (hr_curve){1, 1, 0, 0, 0};
        return true;
    case 17:  // SMPTE ST 428-1, whose white is the maximum sample here
        *curve = (hr_curve){2.6, 1, 0, 0, 0};
        return true;
    default:
        return false;
    }
}

static bool is_near(double a, double b) { return fabs(a - b) < 0.001; }

bool hr_is_srgb(const hr_primaries *primaries, const hr_curve *curve)
{
    bool is_same =
        is_near(primaries->white[0], srgb_primaries.white[0]) && is_near(primaries->white[1], srgb_primaries.white[1]);
    for (int i = 0; i < 3; i++)
        is_same = is_same && is_near(primaries->colors[i][0], srgb_primaries.colors[i][0]) &&
                  is_near(primaries->colors[i][1], srgb_primaries.colors[i][1]);
    return is_same && is_near(curve->g, srgb_curve.g) && is_near(curve->a, srgb_curve.a) &&
           is_near(curve->b, srgb_curve.b) && is_near(curve->c, srgb_curve.c) && is_near(curve->d, srgb_curve.d);
}

static bool invert(double m[3][3], double inverse[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    }
    const double determinant = m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
    if (!(fabs(determinant) > 1e-9))
        return false;
    for (int i = 0; i < 9; i++)
        inverse[i / 3][i % 3] /= determinant;
    return true;
}

// The matrix from linear red, green and blue to XYZ in which white has Y = 1 (SMPTE RP 177).
static bool to_xyz(const hr_primaries *primaries, double matrix[3][3])
{
    double xyz[3][3], inverse[3][3];
    const double *w = primaries->white;
    for (int i = 0; i < 3; i++) {
        const double *c = primaries->colors[i];
        if (!(fabs(c[1]) > 1e-6) || !(fabs(w[1]) > 1e-6))
            return false;
        xyz[0][i] = c[0] / c[1];
        xyz[1][i] = 1;
        xyz[2][i] = (1 - c[0] - c[1]) / c[1];
    }
    if (!invert(xyz, inverse))
        return false;
    const double white[3] = {w[0] / w[1], 1, (1 - w[0] - w[1]) / w[1]};
    for (int i = 0; i < 3; i++) {
        const double scale = inverse[i][0] * white[0] + inverse[i][1] * white[1] + inverse[i][2] * white[2];
        for (int row = 0; row < 3; row++)
            matrix[row][i] = xyz[row][i] * scale;
    }
    return true;
}

bool hr_matrix_to_srgb(const hr_primaries *primaries, double matrix[3][3])
{
    double from[3][3], to[3][3], inverse[3][3];
    if (!to_xyz(primaries, from) || !to_xyz(&srgb_primaries, to) || !invert(to, inverse))
        return false;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) {
            matrix[i][j] = inverse[i][0] * from[0][j] + inverse[i][1] * from[1][j] + inverse[i][2] * from[2][j];
            sum += matrix[i][j];
        }
        if (!(fabs(sum) > 1e-6))
            return false;
        for (int j = 0; j < 3; j++)
            matrix[i][j] /= sum;
    }
    return true;
}

double hr_srgb_encoded(double light)
{
    const double bounded = light > 0 ? fmin(light, 1) : 0;
    return bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * pow(bounded, 1 / 2.4) - 0.055;
}

void hr_encode_light(uint8_t table[HR_WIDE_LEVELS])
{
    for (int i = 0; i < HR_WIDE_LEVELS; i++)
        table[i] = (uint8_t)lround(255 * hr_srgb_encoded(i / 65535.0));
}
