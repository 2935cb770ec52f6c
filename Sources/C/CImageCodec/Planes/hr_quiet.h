#pragma once

/// Discards output to `stderr` until hr_quiet_end. Libraries report damaged files there, and a worker process is
/// replaced after a few kilobytes of messages. Calls may overlap on several threads.
void hr_quiet_begin(void);

void hr_quiet_end(void);
