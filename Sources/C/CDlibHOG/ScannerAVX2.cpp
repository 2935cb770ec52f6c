// dlib chooses its SIMD code with macros, so a second variant needs a second compilation. The linker keeps only one
// copy of an inline function, so two measures keep AVX2 code out of code that must run on every processor:
//
// - the library is renamed, so that its symbols differ from the symbols of the other copy;
// - only definitions between push and pop may use AVX2. The standard library is included before push, because other
//   files instantiate its templates as well, which must be compiled for the baseline.

#include "Scanner.hpp"

#if defined(__x86_64__)

#pragma clang fp contract(off)

#include <immintrin.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <forward_list>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stack>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#define dlib dlib_avx2
#define DLIB_HAVE_SSE2
#define DLIB_HAVE_SSE3
#define DLIB_HAVE_SSE41
#define DLIB_HAVE_AVX
#define DLIB_HAVE_AVX2

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "DlibHeaders.hpp"
#pragma clang attribute pop

#include "DlibScanner.hpp"

namespace headroom {

std::unique_ptr<Scanner> make_avx2_scanner(const Model &model) { return std::make_unique<DlibScanner>(model); }

}  // namespace headroom

#endif
