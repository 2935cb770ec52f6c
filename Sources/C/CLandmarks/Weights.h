#pragma once
// The table of weights and the cascades in it.
//
// Layout, little-endian, without gaps:
//   "HRLM", uint32 version (1), uint32 patch, uint32 box: sides in pixels
//   HR_LANDMARKS_POSES times: float turn (radians), x, y (shares of the box's side), scale: the first frame of a pose
//   HR_LANDMARKS_POINTS times: float x, y: the mean face in a patch
//   two cascades, each:
//     uint32 levels, features, trees (a level), depth
//     HR_LANDMARKS_POINTS times: float x, y: the start, in shares of the box
//     levels times:
//       float unit: of leaf values, in shares of the box
//       features times: int16 x, y: an offset in 1/16384 of the box
//       features times: uint8 anchor: the point that the offset counts from
//       trees times: 2^depth − 1 nodes: uint16 first, uint16 second (features), int16 threshold;
//                    2^depth leaves: int8 x, y for each point

#include "CLandmarks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HR_LANDMARKS_MAX_PATCH = 256,
    HR_LANDMARKS_MAX_LEVELS = 16,
    HR_LANDMARKS_MAX_FEATURES = 1024,
    HR_LANDMARKS_MAX_DEPTH = 6,
    HR_LANDMARKS_MAX_TREES = 256,  // so that 16 bits hold the sum of their leaves
    HR_LANDMARKS_OFFSET_UNIT = 16384,
};

typedef struct {
    float x, y;
} hr_point_f;

typedef struct {
    int16_t x, y;
} hr_offset;

typedef struct {
    uint16_t first, second;
    int16_t threshold;
} hr_node;

typedef struct {
    float unit;
    hr_offset *offsets;
    uint8_t *anchors;
    hr_node *nodes;
    const int8_t *leaves;  // points into a copy of the table's bytes
} hr_level;

typedef struct {
    uint32_t level_count, features, trees, depth;
    hr_point_f start[HR_LANDMARKS_POINTS];
    hr_level levels[HR_LANDMARKS_MAX_LEVELS];
} hr_cascade;

typedef struct {
    float turn, x, y, scale;
} hr_pose_frame;

struct hr_landmarks_model {
    int patch, box;
    hr_pose_frame poses[HR_LANDMARKS_POSES];
    hr_landmarks_point mean[HR_LANDMARKS_POINTS];
    hr_cascade cascades[2];
};

#ifdef __cplusplus
}
#endif
