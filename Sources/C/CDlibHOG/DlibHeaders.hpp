// Debian's dlib/config.h enables LAPACK and BLAS, which are not needed here. It has no include guard, but only these
// three headers include it. So they come first, and the two macros are undefined before any other header uses them.
#include <dlib/assert.h>
#include <dlib/algs.h>
#include <dlib/test_for_odr_violations.h>
#undef DLIB_USE_LAPACK
#undef DLIB_USE_BLAS
#include <dlib/image_processing/object_detector.h>
#include <dlib/image_processing/scan_fhog_pyramid.h>
