#pragma once
#include <stdint.h>

/// Returns the work of instrumented code in this process so far. The work is 1 for each control flow edge, and 1 for
/// every 64 bytes that one call copies, fills, compares or searches.
///
/// The number depends only on the input, and not on the machine or its other load. The code of system libraries is not
/// instrumented.
uint64_t hr_work_done(void);
