#include "hr_color_context.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <lcms2_plugin.h>

// Before a context has user data, the library allocates the context itself; that memory is not counted.
static void *take(cmsContext lcms, cmsUInt32Number size)
{
    hr_color_context *context = cmsGetContextUserData(lcms);
    if (context == NULL)
        return malloc(size);
    if (size > HR_COLOR_MAX_MEMORY || context->used > HR_COLOR_MAX_MEMORY - size)
        return NULL;
    void *memory = malloc(size);
    if (memory != NULL)
        context->used += malloc_usable_size(memory);
    return memory;
}

static void give(cmsContext lcms, void *memory)
{
    hr_color_context *context = cmsGetContextUserData(lcms);
    const size_t size = memory == NULL ? 0 : malloc_usable_size(memory);
    if (context != NULL)
        context->used -= size < context->used ? size : context->used;
    free(memory);
}

static void *grow(cmsContext lcms, void *memory, cmsUInt32Number size)
{
    void *larger = take(lcms, size);
    if (larger == NULL)
        return NULL;
    if (memory != NULL) {
        const size_t count = malloc_usable_size(memory);
        memcpy(larger, memory, count < size ? count : size);
        give(lcms, memory);
    }
    return larger;
}

bool hr_color_context_open(hr_color_context *context)
{
    cmsPluginMemHandler memory = {
        .base = {.Magic = cmsPluginMagicNumber, .ExpectedVersion = 2000, .Type = cmsPluginMemHandlerSig},
        .MallocPtr = take,
        .FreePtr = give,
        .ReallocPtr = grow,
    };
    context->used = 0;
    context->lcms = cmsCreateContext(&memory, context);
    return context->lcms != NULL;
}

void hr_color_context_close(hr_color_context *context)
{
    if (context->lcms != NULL)
        cmsDeleteContext(context->lcms);
    context->lcms = NULL;
}

static bool is_source(cmsHPROFILE profile, hr_color_space space)
{
    static const cmsColorSpaceSignature spaces[] = {
        [HR_COLOR_GRAY] = cmsSigGrayData,
        [HR_COLOR_RGB] = cmsSigRgbData,
        [HR_COLOR_CMYK] = cmsSigCmykData,
    };
    const cmsProfileClassSignature class = cmsGetDeviceClass(profile);
    const cmsColorSpaceSignature connection = cmsGetPCS(profile);
    return cmsGetColorSpace(profile) == spaces[space] &&
           (class == cmsSigInputClass || class == cmsSigDisplayClass || class == cmsSigOutputClass ||
            class == cmsSigColorSpaceClass) &&
           (connection == cmsSigXYZData || connection == cmsSigLabData);
}

cmsHPROFILE hr_color_open_profile(const hr_color_context *context, const uint8_t *bytes, size_t count,
                                  hr_color_space space)
{
    // These elements have no limit on their number, length and evaluation time. Profiles with these elements must be
    // usable without them (ICC.1:2022, 8.2).
    static const cmsTagSignature elements[] = {cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag,
                                               cmsSigBToD0Tag, cmsSigBToD1Tag, cmsSigBToD2Tag, cmsSigBToD3Tag};
    if (count > UINT32_MAX)
        return NULL;
    cmsHPROFILE profile = cmsOpenProfileFromMemTHR(context->lcms, bytes, (cmsUInt32Number)count);
    if (profile == NULL)
        return NULL;
    if (!is_source(profile, space)) {
        cmsCloseProfile(profile);
        return NULL;
    }
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (cmsIsTag(profile, elements[i]))
            cmsWriteTag(profile, elements[i], NULL);
    }
    return profile;
}

hr_status hr_color_save_profile(cmsHPROFILE profile, hr_buffer *out, hr_error *error)
{
    enum { DATE = 24, DATE_LENGTH = 12, IDENTIFIER = 84, IDENTIFIER_LENGTH = 16 };
    cmsUInt32Number count = 0;
    if (!cmsSaveProfileToMem(profile, NULL, &count) || count < 128)
        return hr_fail(error, HR_UNSUPPORTED, "the profile cannot be written");
    if (!hr_buffer_reserve(out, count))
        return hr_fail(error, HR_NO_MEMORY, "no memory for a profile");
    if (!cmsSaveProfileToMem(profile, out->data + out->count, &count))
        return hr_fail(error, HR_UNSUPPORTED, "the profile cannot be written");
    // Sets the date to 0, so that equal profiles have equal bytes.
    memset(out->data + out->count + DATE, 0, DATE_LENGTH);
    memset(out->data + out->count + IDENTIFIER, 0, IDENTIFIER_LENGTH);
    out->count += count;
    return HR_OK;
}
