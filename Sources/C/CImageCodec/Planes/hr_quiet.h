#pragma once

/// Discards what is written to `stderr` until hr_quiet_end, for libraries that report damaged files there: a worker
/// process is replaced after a few kilobytes of messages. Calls may overlap on several threads.
void hr_quiet_begin(void);

void hr_quiet_end(void);
