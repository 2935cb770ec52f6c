#pragma once

#include "hr_types.h"

/// Samples of one channel with seven fractional bits, from 0 to 255 * 128; rows are `stride` apart.
typedef struct hr_field {
    uint16_t *_Nullable data;
    size_t stride;
    int width;
    int height;
} hr_field;

enum { HR_FIELD_ONE = 128, HR_FIELD_WHITE = 255 * HR_FIELD_ONE };

/// A field with undefined samples; false if memory is exhausted.
bool hr_field_make(hr_field *_Nonnull field, int width, int height);

void hr_field_free(hr_field *_Nonnull field);

/// The sides of a field for a blur: the sides of the image, with a margin if halving would not end at the image's edge.
int hr_gauss_side(int side, double deviation);

/// Blurs a field in place; its sides must come from hr_gauss_side. The field is mirrored outside its edges. False if
/// memory is exhausted.
bool hr_gauss(hr_field *_Nonnull field, double deviation);

/// The index in 0..<count of a sample of a mirrored row, including the samples at the edge.
static inline int hr_mirrored(int index, int count)
{
    int place = index % (2 * count);
    if (place < 0)
        place += 2 * count;
    return place < count ? place : 2 * count - 1 - place;
}
