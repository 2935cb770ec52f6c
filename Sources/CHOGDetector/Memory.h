#pragma once

#include <stddef.h>

/// A block of memory that only grows.
typedef struct {
    void *bytes;
    size_t capacity;
} hr_block;

/// Makes room for `count` items of `size` bytes, aligned to 64, and forgets what was there when it has to grow; 0 when
/// memory runs out.
int hr_block_reserve(hr_block *block, size_t count, size_t size);

void hr_block_free(hr_block *block);
