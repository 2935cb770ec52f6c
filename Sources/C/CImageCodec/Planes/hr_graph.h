#pragma once

#include "hr_types.h"

#include <zimg.h>

/// The parameters of a filter graph. Compared byte by byte, so it must be cleared with memset first.
typedef struct hr_graph_key {
    zimg_color_family_e from_family, to_family;
    zimg_alpha_type_e alpha;
    zimg_resample_filter_e filter;
    double filter_a, filter_b;
    /// Bits of a sample of two bytes; 0 for samples of one byte.
    int depth;
    int from_width, from_height;
    int to_width, to_height;
    /// The part of the source, in samples.
    double x, y, width, height;
} hr_graph_key;

typedef struct hr_graph hr_graph;

/// An unused graph for the key with its working memory; NULL with the reason in `error`.
hr_graph *hr_graph_take(const hr_graph_key *key, hr_error *error);

hr_status hr_graph_run(hr_graph *graph, const zimg_image_buffer_const *from, const zimg_image_buffer *to,
                       hr_error *error);

/// Returns the graph to the cache.
void hr_graph_give(hr_graph *graph);
