#pragma once

#include <stddef.h>

/// A growing block of memory.
typedef struct {
    void *bytes;
    size_t capacity;
} hr_block;

/// Reserves `count` items of `size` bytes, aligned to 64; growing discards the content. Returns 0 if memory is
/// exhausted.
int hr_block_reserve(hr_block *block, size_t count, size_t size);

void hr_block_free(hr_block *block);
