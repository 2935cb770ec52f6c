#include "hr_resample.h"

#include <stdlib.h>

#include <zimg.h>

// What zimg asks of buffers on machines with 512-bit vectors.
enum { ALIGNMENT = 64 };

static zimg_image_format format_of(const hr_plane *plane, zimg_color_family_e family)
{
    zimg_image_format format;
    zimg_image_format_default(&format, ZIMG_API_VERSION);
    format.width = (unsigned)plane->width;
    format.height = (unsigned)plane->height;
    format.pixel_type = ZIMG_PIXEL_BYTE;
    format.pixel_range = ZIMG_RANGE_FULL;
    format.color_family = family;
    if (family == ZIMG_COLOR_RGB)
        format.matrix_coefficients = ZIMG_MATRIX_RGB;
    if (family == ZIMG_COLOR_YUV)
        format.matrix_coefficients = ZIMG_MATRIX_BT470_BG;
    return format;
}

static zimg_graph_builder_params params_of(hr_filter filter)
{
    zimg_graph_builder_params params;
    zimg_graph_builder_params_default(&params, ZIMG_API_VERSION);
    switch (filter) {
    case HR_FILTER_BILINEAR:
        params.resample_filter = ZIMG_RESIZE_BILINEAR;
        break;
    case HR_FILTER_BICUBIC:
        params.resample_filter = ZIMG_RESIZE_BICUBIC;
        params.filter_param_a = 0;
        params.filter_param_b = 0.5;
        break;
    case HR_FILTER_LANCZOS:
        params.resample_filter = ZIMG_RESIZE_LANCZOS;
        params.filter_param_a = 3;
        break;
    case HR_FILTER_SPLINE:
        params.resample_filter = ZIMG_RESIZE_BICUBIC;
        params.filter_param_a = 1;
        params.filter_param_b = 0;
        break;
    }
    return params;
}

static hr_status fail(hr_error *error)
{
    char message[200] = "";
    int code = (int)zimg_get_last_error(message, sizeof message);
    zimg_clear_last_error();
    return hr_fail(error, code == ZIMG_ERROR_OUT_OF_MEMORY ? HR_NO_MEMORY : HR_FAILED, message);
}

typedef struct job {
    zimg_filter_graph *graph;
    void *scratch;
} job;

static hr_status begin(job *job, const zimg_image_format *from, const zimg_image_format *to,
                       const zimg_graph_builder_params *params, hr_error *error)
{
    job->scratch = NULL;
    job->graph = zimg_filter_graph_build(from, to, params);
    if (job->graph == NULL)
        return fail(error);
    size_t size = 0;
    if (zimg_filter_graph_get_tmp_size(job->graph, &size) != ZIMG_ERROR_SUCCESS)
        return fail(error);
    job->scratch = aligned_alloc(ALIGNMENT, (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
    return job->scratch == NULL ? hr_fail(error, HR_NO_MEMORY, "no memory to scale in") : HR_OK;
}

static hr_status run(const job *job, const hr_plane *from, const hr_plane *to, int colors, bool alpha, hr_error *error)
{
    zimg_image_buffer_const source = {.version = ZIMG_API_VERSION};
    zimg_image_buffer target = {.version = ZIMG_API_VERSION};
    for (int c = 0; c < colors + alpha; c++) {
        // zimg keeps alpha in the fourth place, also beside grey.
        const int place = c < colors ? c : 3;
        source.plane[place].data = from[c].data;
        source.plane[place].stride = (ptrdiff_t)from[c].stride;
        source.plane[place].mask = ZIMG_BUFFER_MAX;
        target.plane[place].data = to[c].data;
        target.plane[place].stride = (ptrdiff_t)to[c].stride;
        target.plane[place].mask = ZIMG_BUFFER_MAX;
    }
    if (zimg_filter_graph_process(job->graph, &source, &target, job->scratch, NULL, NULL, NULL, NULL)
        != ZIMG_ERROR_SUCCESS)
        return fail(error);
    return HR_OK;
}

static void end(job *job)
{
    zimg_filter_graph_free(job->graph);
    free(job->scratch);
}

static void set_region(zimg_image_format *format, hr_region region)
{
    format->active_region.left = region.x;
    format->active_region.top = region.y;
    format->active_region.width = region.width;
    format->active_region.height = region.height;
}

hr_status hr_resample(const hr_plane *from, const hr_plane *to, int count, hr_region region, hr_filter filter,
                      hr_error *error)
{
    zimg_image_format source = format_of(from, ZIMG_COLOR_GREY);
    zimg_image_format target = format_of(to, ZIMG_COLOR_GREY);
    zimg_graph_builder_params params = params_of(filter);
    set_region(&source, region);
    job job;
    hr_status status = begin(&job, &source, &target, &params, error);
    for (int c = 0; c < count && status == HR_OK; c++)
        status = run(&job, &from[c], &to[c], 1, false, error);
    end(&job);
    return status;
}

hr_status hr_resample_alpha(const hr_plane *from, const hr_plane *to, int colors, hr_region region, hr_filter filter,
                            hr_error *error)
{
    zimg_color_family_e family = colors == 1 ? ZIMG_COLOR_GREY : ZIMG_COLOR_RGB;
    zimg_image_format source = format_of(from, family);
    zimg_image_format target = format_of(to, family);
    source.alpha = target.alpha = ZIMG_ALPHA_STRAIGHT;
    zimg_graph_builder_params params = params_of(filter);
    set_region(&source, region);
    job job;
    hr_status status = begin(&job, &source, &target, &params, error);
    if (status == HR_OK)
        status = run(&job, from, to, colors, true, error);
    end(&job);
    return status;
}

static hr_status convert(const hr_plane *from, zimg_color_family_e from_family, const hr_plane *to,
                         zimg_color_family_e to_family, hr_error *error)
{
    zimg_image_format source = format_of(from, from_family);
    zimg_image_format target = format_of(to, to_family);
    job job;
    hr_status status = begin(&job, &source, &target, NULL, error);
    if (status == HR_OK)
        status = run(&job, from, to, 3, false, error);
    end(&job);
    return status;
}

hr_status hr_ycc_to_rgb(const hr_plane *from, const hr_plane *to, hr_error *error)
{
    return convert(from, ZIMG_COLOR_YUV, to, ZIMG_COLOR_RGB, error);
}

hr_status hr_rgb_to_ycc(const hr_plane *from, const hr_plane *to, hr_error *error)
{
    return convert(from, ZIMG_COLOR_RGB, to, ZIMG_COLOR_YUV, error);
}
