#pragma once
// dlib without LAPACK and BLAS, which Debian's dlib/config.h enables: only these three headers include it.
#include <dlib/assert.h>
#include <dlib/algs.h>
#include <dlib/test_for_odr_violations.h>
#undef DLIB_USE_LAPACK
#undef DLIB_USE_BLAS
#include <dlib/image_transforms.h>
#include <dlib/matrix.h>
#include <dlib/rand.h>
