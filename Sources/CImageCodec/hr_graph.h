#pragma once

#include "hr_types.h"

#include <zimg.h>

/// What a filter graph is made for. Compared byte by byte, so it begins with memset.
typedef struct hr_graph_key {
    zimg_color_family_e from_family, to_family;
    zimg_alpha_type_e alpha;
    zimg_resample_filter_e filter;
    double filter_a, filter_b;
    int from_width, from_height;
    int to_width, to_height;
    /// The part of the source, in its samples.
    double x, y, width, height;
} hr_graph_key;

typedef struct hr_graph hr_graph;

/// A graph for the key that nobody else uses, and memory for it to work in; NULL with the reason in `error`.
hr_graph *hr_graph_take(const hr_graph_key *key, hr_error *error);

hr_status hr_graph_run(hr_graph *graph, const zimg_image_buffer_const *from, const zimg_image_buffer *to,
                       hr_error *error);

/// Gives the graph back, to be taken again for the same key.
void hr_graph_give(hr_graph *graph);
