// libhwy, which libjxl needs, measures its timer when it is loaded: 4 to 10 ms of each process, for benchmarks that no
// decoder runs. This function replaces libhwy's.

namespace hwy::platform {

/// The resolution of the timer, in seconds; decoding does not use it.
double TimerResolution() { return 1e-8; }

}  // namespace hwy::platform
