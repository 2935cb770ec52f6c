// ICC profiles for files that describe their colours without an ICC profile.

#include <math.h>

#include "hr_color_context.h"
#include "hr_color_points.h"
#include "hr_tone_map.h"

enum { CURVE_SAMPLES = 1024 };

static hr_status no_memory(hr_error *error) { return hr_fail(error, HR_NO_MEMORY, "no memory for a profile"); }

// A profile with one curve for all components.
static cmsHPROFILE make(const hr_color_context *context, const hr_primaries *primaries, cmsToneCurve *curve, bool gray)
{
    const cmsCIExyY white = {primaries->white[0], primaries->white[1], 1};
    if (curve == NULL || !(white.x > 0 && white.y > 0 && white.x + white.y <= 1))
        return NULL;
    if (gray) {
        // As in cmsCreate_sRGBProfile: the white of a grey image is white.
        return cmsCreateGrayProfileTHR(context->lcms, cmsD50_xyY(), curve);
    }
    cmsCIExyYTRIPLE colors;
    cmsCIExyY *const each[] = {&colors.Red, &colors.Green, &colors.Blue};
    for (int i = 0; i < 3; i++)
        *each[i] = (cmsCIExyY){primaries->colors[i][0], primaries->colors[i][1], 1};
    cmsToneCurve *curves[] = {curve, curve, curve};
    return cmsCreateRGBProfileTHR(context->lcms, &white, &colors, curves);
}

static cmsToneCurve *parametric(const hr_color_context *context, const hr_curve *curve)
{
    const double parameters[] = {curve->g, curve->a, curve->b, curve->c, curve->d};
    // Type 4 of the library is function type 3 of ICC.1:2022, 10.18.
    return cmsBuildParametricToneCurve(context->lcms, 4, parameters);
}

static hr_status write(hr_color_context *context, const hr_primaries *primaries, cmsToneCurve *curve, bool gray,
                       const cmsVideoSignalType *signal, hr_buffer *out, hr_error *error)
{
    cmsHPROFILE profile = make(context, primaries, curve, gray);
    if (profile == NULL)
        return hr_fail(error, HR_UNSUPPORTED, "its colours cannot be described by a profile");
    hr_status status = HR_OK;
    if (signal != NULL && !cmsWriteTag(profile, cmsSigcicpTag, signal))
        status = no_memory(error);
    if (status == HR_OK)
        status = hr_color_save_profile(profile, out, error);
    cmsCloseProfile(profile);
    return status;
}

// The curve as a tone-mapped table, for programs that ignore the `cicp` tag.
static cmsToneCurve *tone_mapped(const hr_color_context *context, const hr_tone_map *map)
{
    float samples[CURVE_SAMPLES];
    for (int i = 0; i < CURVE_SAMPLES; i++)
        samples[i] = (float)hr_tone_map_gray(map, i / (double)(CURVE_SAMPLES - 1));
    return cmsBuildTabulatedToneCurveFloat(context->lcms, CURVE_SAMPLES, samples);
}

hr_status hr_profile_of_code_points(int primaries, int transfer, bool gray, hr_buffer *out, hr_error *error)
{
    hr_primaries colors;
    hr_curve curve = {1, 1, 0, 0, 0};
    hr_tone_map map;
    const bool is_hdr = hr_tone_map_make(primaries, transfer, &map);
    if (is_hdr && primaries == 2)
        primaries = HR_PRIMARIES_BT2020;
    if (!hr_primaries_of(primaries, &colors) || (!is_hdr && !hr_curve_of(transfer, &curve)))
        return hr_fail(error, HR_UNSUPPORTED, "its colours have unknown code points");
    if (gray)
        hr_primaries_of(HR_PRIMARIES_SRGB, &colors);
    if (hr_is_srgb(&colors, &curve))
        return HR_OK;
    hr_color_context context;
    if (!hr_color_context_open(&context))
        return no_memory(error);
    const cmsVideoSignalType signal = {(cmsUInt8Number)primaries, (cmsUInt8Number)transfer, 0, 1};
    cmsToneCurve *tone = is_hdr ? tone_mapped(&context, &map) : parametric(&context, &curve);
    const hr_status status = write(&context, &colors, tone, gray, is_hdr ? &signal : NULL, out, error);
    cmsFreeToneCurve(tone);
    hr_color_context_close(&context);
    return status;
}

hr_status hr_profile_of_gamma(double gamma, const double *chromaticities, bool gray, hr_buffer *out, hr_error *error)
{
    // 1/2.2; files use it for the sRGB curve.
    const double usual = 0.45455, tolerance = 0.005;
    hr_primaries colors;
    if (!(gamma >= 0.1 && gamma <= 10))
        return hr_fail(error, HR_UNSUPPORTED, "its gamma is out of range");
    hr_curve curve = {1 / gamma, 1, 0, 0, 0};
    if (fabs(gamma - usual) < tolerance)
        hr_curve_of(1, &curve);
    hr_primaries_of(HR_PRIMARIES_SRGB, &colors);
    if (chromaticities != NULL && !gray) {
        colors.white[0] = chromaticities[0];
        colors.white[1] = chromaticities[1];
        for (int i = 0; i < 6; i++)
            colors.colors[i / 2][i % 2] = chromaticities[2 + i];
    }
    if (hr_is_srgb(&colors, &curve))
        return HR_OK;
    hr_color_context context;
    if (!hr_color_context_open(&context))
        return no_memory(error);
    cmsToneCurve *tone = parametric(&context, &curve);
    const hr_status status = write(&context, &colors, tone, gray, NULL, out, error);
    cmsFreeToneCurve(tone);
    hr_color_context_close(&context);
    return status;
}

// A curve with a gamma of 1 is 0.5 at 0.5, with a gamma of 1.8 it is 0.29. Steps of 8 bits are visible above about
// 0.38, a gamma of 1.4.
static bool is_nearly_light(const cmsToneCurve *curve) { return cmsEvalToneCurveFloat(curve, 0.5F) > 0.38F; }

// The curve to light from samples that are encoded with the sRGB curve.
static cmsToneCurve *after_srgb(const hr_color_context *context, const cmsToneCurve *curve)
{
    cmsUInt16Number samples[CURVE_SAMPLES];
    hr_curve srgb;
    hr_curve_of(1, &srgb);
    for (int i = 0; i < CURVE_SAMPLES; i++) {
        const double x = i / (double)(CURVE_SAMPLES - 1);
        const double light = x < srgb.d ? srgb.c * x : pow(srgb.a * x + srgb.b, srgb.g);
        const double y = cmsEvalToneCurveFloat(curve, (float)light);
        samples[i] = (cmsUInt16Number)lround(65535 * (y > 0 ? fmin(y, 1) : 0));
    }
    return cmsBuildTabulatedToneCurve16(context->lcms, CURVE_SAMPLES, samples);
}

static hr_status write_encoded(hr_color_context *context, cmsHPROFILE profile, bool gray, hr_buffer *out,
                               hr_error *error)
{
    const cmsTagSignature tags[] = {gray ? cmsSigGrayTRCTag : cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    const int count = gray ? 1 : 3;
    // Tables take precedence over curves, and PQ and HLG take precedence over both.
    if (!cmsIsMatrixShaper(profile) || cmsIsTag(profile, cmsSigAToB0Tag) || cmsIsTag(profile, cmsSigAToB1Tag) ||
        cmsIsTag(profile, cmsSigcicpTag))
        return HR_OK;
    cmsToneCurve *curves[3] = {NULL, NULL, NULL};
    for (int i = 0; i < count; i++) {
        const cmsToneCurve *curve = cmsReadTag(profile, tags[i]);
        if (curve == NULL || !is_nearly_light(curve))
            return HR_OK;
    }
    hr_status status = HR_OK;
    for (int i = 0; i < count; i++)
        curves[i] = after_srgb(context, cmsReadTag(profile, tags[i]));
    for (int i = 0; i < count && status == HR_OK; i++)
        if (curves[i] == NULL || !cmsWriteTag(profile, tags[i], curves[i]))
            status = no_memory(error);
    if (status == HR_OK)
        status = hr_color_save_profile(profile, out, error);
    for (int i = 0; i < count; i++)
        cmsFreeToneCurve(curves[i]);
    return status;
}

hr_status hr_profile_of_encoded_light(const uint8_t *bytes, size_t count, bool gray, hr_buffer *out, hr_error *error)
{
    hr_color_context context;
    if (!hr_color_context_open(&context))
        return no_memory(error);
    cmsHPROFILE profile = hr_color_open_profile(&context, bytes, count, gray ? HR_COLOR_GRAY : HR_COLOR_RGB);
    hr_status status = HR_OK;
    if (profile == NULL) {
        status = hr_fail(error, HR_UNSUPPORTED, "the profile cannot be used");
    } else {
        status = write_encoded(&context, profile, gray, out, error);
        cmsCloseProfile(profile);
    }
    hr_color_context_close(&context);
    return status;
}
