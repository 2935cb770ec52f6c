#pragma once

#include <stddef.h>
#include <stdint.h>

/// Uninitialised memory for planes, aligned to 64 bytes; NULL if memory is exhausted. `bytes` is more than 0.
void *_Nullable hr_memory_take(size_t bytes);

/// Returns memory of `bytes`. Blocks of 64 KiB to 12 MiB are cleared and kept for reuse; others are freed without
/// clearing.
void hr_memory_give(void *_Nullable memory, size_t bytes);

/// Releases unused memory to the system.
void hr_memory_release(void);

/// For tests: starts counting this thread's allocated minus returned bytes from 0.
void hr_memory_count_anew(void);

/// The maximum number of bytes that this thread held at one time since counting started.
size_t hr_memory_most_held(void);

/// For tests: clears memory with a byte other than 0, and also fills new memory with it. An image must not depend on
/// it.
void hr_memory_set_fill(uint8_t byte);
