#pragma once

#include <stddef.h>

/// Memory for planes, aligned to 64 bytes and not set; NULL when there is none. `bytes` is more than 0.
void *_Nullable hr_memory_take(size_t bytes);

/// Gives memory of `bytes` back, to be taken again.
void hr_memory_give(void *_Nullable memory, size_t bytes);

/// Hands what nobody uses over to the system.
void hr_memory_release(void);
