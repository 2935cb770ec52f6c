// Debian's dlib/config.h asks for LAPACK and BLAS, which nothing here needs. It has no include guard but only these
// three headers read it, so they come first and the two macros are taken back before anything looks at them.
#include <dlib/assert.h>
#include <dlib/algs.h>
#include <dlib/test_for_odr_violations.h>
#undef DLIB_USE_LAPACK
#undef DLIB_USE_BLAS
#include <dlib/image_processing/object_detector.h>
#include <dlib/image_processing/scan_fhog_pyramid.h>
