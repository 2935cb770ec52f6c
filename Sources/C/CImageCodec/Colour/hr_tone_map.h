#pragma once

#include <stdbool.h>

/// The conversion of HDR samples to sRGB.
typedef struct hr_tone_map {
    bool is_hlg;
    double matrix[3][3];
} hr_tone_map;

/// False if `transfer` is neither PQ nor HLG. Unspecified primaries are treated as BT.2020.
bool hr_tone_map_make(int primaries, int transfer, hr_tone_map *_Nonnull map);

/// Converts red, green and blue from 0 to 1.
void hr_tone_map_run(const hr_tone_map *_Nonnull map, const double from[_Nonnull 3], double to[_Nonnull 3]);

/// The light of a grey sample on a display of SDR, 0 to 1.
double hr_tone_map_gray(const hr_tone_map *_Nonnull map, double sample);
