// When libhwy, which libjxl needs, is loaded, it measures its timer. This takes 4 to 10 ms in each process, for
// benchmarks that no decoder runs. This function replaces the function of libhwy.

namespace hwy::platform {

/// The resolution of the timer, in seconds; decoding does not use it.
double TimerResolution() { return 1e-8; }

}  // namespace hwy::platform
