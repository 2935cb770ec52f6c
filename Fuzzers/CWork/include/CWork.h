#pragma once
#include <stdint.h>

/// Returns the work that instrumented code has done in this process: 1 for each edge of the control flow, and 1 for every 64
/// bytes that are copied, filled, compared or searched in one call.
///
/// The number depends only on the input, and not on the machine or its other load. The code of system libraries is not
/// instrumented.
uint64_t hr_work_done(void);
