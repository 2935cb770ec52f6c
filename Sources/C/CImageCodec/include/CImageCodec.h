#pragma once

// Wrappers of libjpeg-turbo, libpng, libdeflate, libwebp, giflib, libavif, libde265, libjxl, libtiff, lcms2 and zimg.
// Every function that can fail returns a status; no longjmp leaves this target.
//
// Memory between Swift and C:
//
// - Planes are borrowed for one call, which keeps no pointer to them. Swift passes them inside closures
//   (Plane+C.swift), and frees their memory when their last reference ends (Plane.swift).
// - An hr_plane is only read. An hr_target is written as a whole, or changed in place if its comment states so. Written
//   memory does not overlap read memory, unless a comment allows both to be the same.
// - Rows may have any alignment. Bytes between `width` and `stride` are undefined. hr_jpeg_decode writes whole blocks
//   there; other calls must not, because a plane may be a part of a larger plane.
// - Several planes are an array in the order of the colour model, alpha last. They have equal sizes, except for chroma.
// - The bytes given to a function that opens a decoder must outlive it. It sets `*out` even if it fails; if `*out` is
//   not NULL, close it once. Memory of a decoder, such as its profile, is not valid after it is closed.
// - The caller of a function that fills an hr_buffer frees it with hr_buffer_free.
// - Pointers are _Nullable only if NULL has a meaning.
#include "hr_types.h"
#include "hr_avif.h"
#include "hr_color.h"
#include "hr_compose.h"
#include "hr_filter.h"
#include "hr_key.h"
#include "hr_gif.h"
#include "hr_heic.h"
#include "hr_jpeg.h"
#include "hr_jxl.h"
#include "hr_memory.h"
#include "hr_png.h"
#include "hr_tiff.h"
#include "hr_webp.h"
#include "hr_pixels.h"
#include "hr_resample.h"
