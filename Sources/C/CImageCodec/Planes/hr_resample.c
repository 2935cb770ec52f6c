#include "hr_resample.h"

#include <math.h>
#include <string.h>

#include "hr_graph.h"
#include "hr_memory.h"

enum {
    ALIGNMENT = 64,
    MOST_PLANES = 4,
    // Copying more bytes than this takes longer than building a graph.
    MOST_BYTES_COPIED = 2 << 20
};

static void set_filter(hr_graph_key *key, hr_filter filter)
{
    switch (filter) {
    case HR_FILTER_BILINEAR:
        key->filter = ZIMG_RESIZE_BILINEAR;
        key->filter_a = key->filter_b = NAN;
        break;
    case HR_FILTER_BICUBIC:
        key->filter = ZIMG_RESIZE_BICUBIC;
        key->filter_a = 0;
        key->filter_b = 0.5;
        break;
    case HR_FILTER_LANCZOS:
        key->filter = ZIMG_RESIZE_LANCZOS;
        key->filter_a = 3;
        key->filter_b = NAN;
        break;
    case HR_FILTER_SPLINE:
        key->filter = ZIMG_RESIZE_BICUBIC;
        key->filter_a = 1;
        key->filter_b = 0;
        break;
    }
}

static hr_status run(hr_graph *graph, const hr_plane *from, const hr_target *to, int colors, bool alpha,
                     hr_error *error)
{
    zimg_image_buffer_const source = {.version = ZIMG_API_VERSION};
    zimg_image_buffer target = {.version = ZIMG_API_VERSION};
    for (int c = 0; c < colors + alpha; c++) {
        // zimg expects alpha as the fourth plane, even with grey.
        const int place = c < colors ? c : 3;
        source.plane[place].data = from[c].data;
        source.plane[place].stride = (ptrdiff_t)from[c].stride;
        source.plane[place].mask = ZIMG_BUFFER_MAX;
        target.plane[place].data = to[c].data;
        target.plane[place].stride = (ptrdiff_t)to[c].stride;
        target.plane[place].mask = ZIMG_BUFFER_MAX;
    }
    return hr_graph_run(graph, &source, &target, error);
}

// The samples from first to end - 1 that affect the result along one side.
static void find_window(double start, double length, int target, int count, int *first, int *end)
{
    // Lanczos uses three samples of the result or of the source on each side, whichever are larger, and two more
    // because of rounding.
    const double reach = 3 * fmax(1, length / target) + 2;
    *first = (int)fmax(0, fmin(floor(start - reach), count - 1));
    *end = (int)fmin(count, fmax(ceil(start + length + reach), *first + 1));
}

// The affected pixels. Crops that differ only in position have windows of equal size, and therefore share graphs.
typedef struct window {
    int x, y, width, height;
    bool copied;
} window;

static window window_of(const hr_plane *from, const hr_target *to, int count, hr_region region)
{
    window window;
    int right, bottom;
    find_window(region.x, region.width, to->width, from->width, &window.x, &right);
    find_window(region.y, region.height, to->height, from->height, &window.y, &bottom);
    window.height = bottom - window.y;
    const size_t stride = ((size_t)(right - window.x) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    window.copied = window.x % ALIGNMENT != 0 && stride * (size_t)window.height * (size_t)count <= MOST_BYTES_COPIED;
    for (int c = 0; c < count; c++)
        window.copied |= (uintptr_t)from[c].data % ALIGNMENT != 0;
    if (!window.copied)
        window.x -= window.x % ALIGNMENT;
    window.width = right - window.x;
    return window;
}

typedef struct hr_copies {
    void *memory;
    size_t bytes;
} hr_copies;

static hr_plane part_of(const hr_plane *plane, const window *window)
{
    return (hr_plane){
        .data = plane->data + (size_t)window->y * plane->stride + (size_t)window->x,
        .stride = plane->stride,
        .width = window->width,
        .height = window->height,
    };
}

// Replaces planes of equal size with copies in one block of memory.
static hr_status copy_out(hr_plane *planes, int count, hr_copies *copies, hr_error *error)
{
    const size_t stride = ((size_t)planes->width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t bytes = stride * (size_t)planes->height;
    uint8_t *memory = hr_memory_take(bytes * (size_t)count);
    *copies = (hr_copies){memory, bytes * (size_t)count};
    if (memory == NULL)
        return hr_fail(error, HR_NO_MEMORY, "no memory to scale in");
    for (int c = 0; c < count; c++) {
        for (int y = 0; y < planes[c].height; y++)
            memcpy(memory + c * bytes + y * stride, planes[c].data + (size_t)y * planes[c].stride,
                   (size_t)planes[c].width);
        planes[c].data = memory + c * bytes;
        planes[c].stride = stride;
    }
    return HR_OK;
}

// Scales `count` planes. If `together` is true, they are scaled as one image whose last plane is alpha.
static hr_status resample(const hr_plane *from, const hr_target *to, int count, bool together, hr_region region,
                          hr_filter filter, hr_error *error)
{
    hr_plane parts[MOST_PLANES];
    if (count < 1 || count > MOST_PLANES)
        return hr_fail(error, HR_FAILED, "one to four planes are scaled");
    const window window = window_of(from, to, count, region);
    for (int c = 0; c < count; c++)
        parts[c] = part_of(&from[c], &window);
    hr_copies copies = {0};
    if (window.copied && copy_out(parts, count, &copies, error) != HR_OK)
        return error->status;

    hr_graph_key key;
    memset(&key, 0, sizeof key);
    key.from_family = key.to_family = together && count > 2 ? ZIMG_COLOR_RGB : ZIMG_COLOR_GREY;
    key.alpha = together ? ZIMG_ALPHA_STRAIGHT : ZIMG_ALPHA_NONE;
    key.from_width = window.width;
    key.from_height = window.height;
    key.to_width = to->width;
    key.to_height = to->height;
    key.x = region.x - window.x;
    key.y = region.y - window.y;
    key.width = region.width;
    key.height = region.height;
    set_filter(&key, filter);

    hr_graph *graph = hr_graph_take(&key, error);
    hr_status status = graph == NULL ? error->status : HR_OK;
    if (graph != NULL) {
        if (together)
            status = run(graph, parts, to, count - 1, true, error);
        for (int c = 0; !together && c < count && status == HR_OK; c++)
            status = run(graph, &parts[c], &to[c], 1, false, error);
        hr_graph_give(graph);
    }
    if (copies.memory != NULL)
        hr_memory_give(copies.memory, copies.bytes);
    return status;
}

hr_status hr_resample(const hr_plane *from, const hr_target *to, int count, hr_region region, hr_filter filter,
                      hr_error *error)
{
    return resample(from, to, count, false, region, filter, error);
}

hr_status hr_resample_alpha(const hr_plane *from, const hr_target *to, int colors, hr_region region, hr_filter filter,
                            hr_error *error)
{
    return resample(from, to, colors + 1, true, region, filter, error);
}

hr_status hr_resample_wide(const hr_plane *from, const hr_target *to, int depth, hr_region region, hr_filter filter,
                           hr_error *error)
{
    if (depth < 9 || depth > 16)
        return hr_fail(error, HR_FAILED, "samples of two bytes have 9 to 16 bits");
    hr_graph_key key;
    memset(&key, 0, sizeof key);
    key.from_family = key.to_family = ZIMG_COLOR_GREY;
    key.alpha = ZIMG_ALPHA_NONE;
    key.depth = depth;
    key.from_width = from->width;
    key.from_height = from->height;
    key.to_width = to->width;
    key.to_height = to->height;
    key.x = region.x;
    key.y = region.y;
    key.width = region.width;
    key.height = region.height;
    set_filter(&key, filter);
    hr_graph *graph = hr_graph_take(&key, error);
    if (graph == NULL)
        return error->status;
    const hr_status status = run(graph, from, to, 1, false, error);
    hr_graph_give(graph);
    return status;
}

static hr_status convert(const hr_plane *from, zimg_color_family_e from_family, const hr_target *to,
                         zimg_color_family_e to_family, hr_error *error)
{
    hr_graph_key key;
    memset(&key, 0, sizeof key);
    key.from_family = from_family;
    key.to_family = to_family;
    key.alpha = ZIMG_ALPHA_NONE;
    key.from_width = key.to_width = from->width;
    key.from_height = key.to_height = from->height;
    key.width = from->width;
    key.height = from->height;
    set_filter(&key, HR_FILTER_BICUBIC);
    hr_plane parts[3] = {from[0], from[1], from[2]};
    bool aligned = true;
    for (int c = 0; c < 3; c++)
        aligned &= (uintptr_t)from[c].data % ALIGNMENT == 0 && from[c].stride % ALIGNMENT == 0;
    hr_copies copies = {0};
    if (!aligned && copy_out(parts, 3, &copies, error) != HR_OK)
        return error->status;
    hr_graph *graph = hr_graph_take(&key, error);
    hr_status status = graph == NULL ? error->status : run(graph, parts, to, 3, false, error);
    if (graph != NULL)
        hr_graph_give(graph);
    if (copies.memory != NULL)
        hr_memory_give(copies.memory, copies.bytes);
    return status;
}

hr_status hr_ycc_to_rgb(const hr_plane *from, const hr_target *to, hr_error *error)
{
    return convert(from, ZIMG_COLOR_YUV, to, ZIMG_COLOR_RGB, error);
}

hr_status hr_rgb_to_ycc(const hr_plane *from, const hr_target *to, hr_error *error)
{
    return convert(from, ZIMG_COLOR_RGB, to, ZIMG_COLOR_YUV, error);
}
