#pragma once

// Wrappers of libjpeg-turbo, libpng, libwebp, giflib, libavif, libde265, libjxl, libtiff, lcms2 and zimg. Every function
// that can fail returns a status; no longjmp leaves this target.
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
