#pragma once

/// System calls that no worker process may make. Their arguments are harmless if a call is permitted.

/// The number of forbidden calls.
int hr_forbidden_count(void);

/// The name of the forbidden call with this index, which starts at 0.
const char *_Nonnull hr_forbidden_name(int index);

/// Makes the forbidden call with this index.
void hr_forbidden_call(int index);
