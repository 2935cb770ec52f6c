#include "hr_color.h"

#include <stdlib.h>
#include <string.h>

#include "hr_color_context.h"
#include "hr_color_points.h"
#include "hr_pixels.h"
#include "hr_tone_map.h"

enum {
    LEVELS = 256,
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    // Most of the time is spent on tables, which do not depend on how profiles are read.
    GRID = 3,
    STEPS = 1,
#else
    // The number of points along each side of a table of HDR colours; the library uses the same number for tables of
    // three components.
    GRID = 33,
    // Steps between the colours that are compared to recognise sRGB.
    STEPS = 8,
#endif
    // Profiles and the conversion round by up to two steps of 8 bits.
    MOST_ROUNDING = 2
};

struct hr_transform {
    hr_color_context context;
    cmsHTRANSFORM lcms;
    hr_color_space space;
    bool changes;
    uint8_t gray[LEVELS];
};

static hr_status unusable(hr_error *error) { return hr_fail(error, HR_UNSUPPORTED, "the profile cannot be used"); }

static cmsInt32Number tone_map(const cmsUInt16Number from[], cmsUInt16Number to[], void *map)
{
    const double samples[3] = {from[0] / 65535.0, from[1] / 65535.0, from[2] / 65535.0};
    double mapped[3];
    hr_tone_map_run(map, samples, mapped);
    for (int i = 0; i < 3; i++)
        to[i] = (cmsUInt16Number)(mapped[i] * 65535 + 0.5);
    return TRUE;
}

// A profile that converts HDR to sRGB by a table.
static cmsHPROFILE tone_mapping_link(const hr_color_context *context, hr_tone_map *map)
{
    cmsHPROFILE link = cmsCreateProfilePlaceholder(context->lcms);
    cmsPipeline *pipeline = cmsPipelineAlloc(context->lcms, 3, 3);
    cmsStage *table = cmsStageAllocCLut16bit(context->lcms, GRID, 3, 3, NULL);
    bool is_made = link != NULL && pipeline != NULL && table != NULL;
    if (is_made) {
        cmsSetProfileVersion(link, 4.3);
        cmsSetDeviceClass(link, cmsSigLinkClass);
        cmsSetColorSpace(link, cmsSigRgbData);
        cmsSetPCS(link, cmsSigRgbData);
        is_made =
            cmsStageSampleCLut16bit(table, tone_map, map, 0) && cmsPipelineInsertStage(pipeline, cmsAT_END, table);
        if (is_made)
            table = NULL;
        is_made = is_made && cmsWriteTag(link, cmsSigAToB0Tag, pipeline);
    }
    if (table != NULL)
        cmsStageFree(table);
    if (pipeline != NULL)
        cmsPipelineFree(pipeline);
    if (!is_made && link != NULL) {
        cmsCloseProfile(link);
        link = NULL;
    }
    return link;
}

static cmsUInt32Number format_of(hr_color_space space)
{
    return space == HR_COLOR_GRAY ? TYPE_GRAY_8 : space == HR_COLOR_RGB ? TYPE_RGB_8 : TYPE_CMYK_8_REV;
}

static cmsHTRANSFORM relative(const hr_color_context *context, cmsHPROFILE from, hr_color_space space,
                              cmsUInt32Number flags)
{
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(context->lcms);
    if (srgb == NULL)
        return NULL;
    cmsHTRANSFORM transform =
        cmsCreateTransformTHR(context->lcms, from, format_of(space), srgb, TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC,
                              flags | cmsFLAGS_BLACKPOINTCOMPENSATION);
    cmsCloseProfile(srgb);
    return transform;
}

// Whether the conversion leaves a grid of colours and all greys unchanged.
static bool is_identity(cmsHTRANSFORM transform)
{
    enum { COUNT = (STEPS + 1) * (STEPS + 1) * (STEPS + 1) + LEVELS };
    uint8_t from[COUNT][3], to[COUNT][3];
    int count = 0;
    for (int i = 0; i < LEVELS; i++)
        memset(from[count++], i, 3);
    for (int r = 0; r <= STEPS; r++)
        for (int g = 0; g <= STEPS; g++)
            for (int b = 0; b <= STEPS; b++, count++) {
                from[count][0] = (uint8_t)(r * 255 / STEPS);
                from[count][1] = (uint8_t)(g * 255 / STEPS);
                from[count][2] = (uint8_t)(b * 255 / STEPS);
            }
    cmsDoTransform(transform, from, to, COUNT);
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            if (abs(from[i][c] - to[i][c]) > MOST_ROUNDING)
                return false;
    return true;
}

// Tabulates a conversion of greys, and discards it.
static void tabulate(hr_transform *self)
{
    uint8_t from[LEVELS][3], to[LEVELS][3];
    const bool takes_gray =
        self->space == HR_COLOR_GRAY && T_COLORSPACE(cmsGetTransformInputFormat(self->lcms)) == PT_GRAY;
    for (int i = 0; i < LEVELS; i++) {
        if (takes_gray)
            ((uint8_t *)from)[i] = (uint8_t)i;
        else
            memset(from[i], i, 3);
    }
    cmsDoTransform(self->lcms, from, to, LEVELS);
    self->changes = false;
    for (int i = 0; i < LEVELS; i++) {
        self->gray[i] = (uint8_t)((19595u * to[i][0] + 38470u * to[i][1] + 7471u * to[i][2] + 32768u) >> 16);
        self->changes |= abs(self->gray[i] - i) > MOST_ROUNDING;
    }
    cmsDeleteTransform(self->lcms);
    self->lcms = NULL;
}

static hr_status build(hr_transform *self, cmsHPROFILE profile, hr_error *error)
{
    const hr_color_context *context = &self->context;
    const cmsVideoSignalType *signal = cmsIsTag(profile, cmsSigcicpTag) ? cmsReadTag(profile, cmsSigcicpTag) : NULL;
    hr_tone_map map;
    if (signal != NULL && self->space != HR_COLOR_CMYK &&
        hr_tone_map_make(signal->ColourPrimaries, signal->TransferCharacteristics, &map)) {
        cmsHPROFILE link = tone_mapping_link(context, &map);
        if (link == NULL)
            return unusable(error);
        self->lcms = cmsCreateTransformTHR(context->lcms, link, TYPE_RGB_8, NULL, TYPE_RGB_8, INTENT_PERCEPTUAL, 0);
        cmsCloseProfile(link);
        self->changes = true;
    } else {
        // This skips the library's preparation for many pixels, which takes longer than everything else.
        self->lcms = relative(context, profile, self->space, cmsFLAGS_NOOPTIMIZE);
        self->changes = self->lcms != NULL && !(self->space == HR_COLOR_RGB && is_identity(self->lcms));
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
        if (self->changes && self->space != HR_COLOR_GRAY) {
            cmsDeleteTransform(self->lcms);
            self->lcms = relative(context, profile, self->space, 0);
        }
#endif
    }
    if (self->lcms == NULL)
        return unusable(error);
    if (self->space == HR_COLOR_GRAY)
        tabulate(self);
    return HR_OK;
}

hr_status hr_transform_open(const uint8_t *bytes, size_t count, hr_color_space space, hr_transform **out,
                            hr_error *error)
{
    error->message[0] = 0;
    hr_transform *self = calloc(1, sizeof *self);
    *out = self;
    if (self == NULL || !hr_color_context_open(&self->context))
        return hr_fail(error, HR_NO_MEMORY, "no memory for a colour conversion");
    self->space = space;
    cmsHPROFILE profile = hr_color_open_profile(&self->context, bytes, count, space);
    if (profile == NULL)
        return unusable(error);
    const hr_status status = build(self, profile, error);
    cmsCloseProfile(profile);
    return status;
}

bool hr_transform_changes(const hr_transform *transform) { return transform->changes; }

size_t hr_transform_bytes(const hr_transform *transform) { return sizeof *transform + transform->context.used; }

static bool fit(const hr_plane *from, int channels, const hr_target *to)
{
    bool fits = true;
    for (int c = 0; c < channels; c++)
        fits &= from[c].width == to[0].width && from[c].height == to[0].height;
    for (int c = 0; c < (channels == 1 ? 1 : 3); c++)
        fits &= to[c].width == to[0].width && to[c].height == to[0].height;
    return fits;
}

static void map_gray(const uint8_t *table, const hr_plane *from, const hr_target *to)
{
    for (int y = 0; y < to->height; y++) {
        const uint8_t *in = from->data + (size_t)y * from->stride;
        uint8_t *out = to->data + (size_t)y * to->stride;
        for (int x = 0; x < to->width; x++)
            out[x] = table[in[x]];
    }
}

hr_status hr_transform_run(const hr_transform *transform, const hr_plane *from, const hr_target *to, hr_error *error)
{
    const int channels = transform->space == HR_COLOR_GRAY ? 1 : transform->space == HR_COLOR_RGB ? 3 : 4;
    if (!fit(from, channels, to))
        return hr_fail(error, HR_FAILED, "planes differ in size");
    if (transform->space == HR_COLOR_GRAY) {
        map_gray(transform->gray, from, to);
        return HR_OK;
    }
    uint8_t *rows = malloc((size_t)to->width * (size_t)(channels + 3));
    if (rows == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory for a row");
    uint8_t *converted = rows + (size_t)to->width * (size_t)channels;
    for (int y = 0; y < to->height; y++) {
        hr_pack_row(from, channels, y, rows);
        cmsDoTransform(transform->lcms, rows, converted, (cmsUInt32Number)to->width);
        hr_unpack_row(converted, to, 3, y);
    }
    free(rows);
    return HR_OK;
}

void hr_transform_close(hr_transform *transform)
{
    if (transform == NULL)
        return;
    if (transform->lcms != NULL)
        cmsDeleteTransform(transform->lcms);
    hr_color_context_close(&transform->context);
    free(transform);
}
