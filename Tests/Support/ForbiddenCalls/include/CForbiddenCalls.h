#pragma once

/// System calls that no worker process may make, each with arguments that hurt nobody should it be let through.

/// How many there are.
int hr_forbidden_count(void);

/// What one of them is called, from 0.
const char *_Nonnull hr_forbidden_name(int index);

/// Makes it.
void hr_forbidden_call(int index);
