#include "Memory.h"

#include <stdint.h>
#include <stdlib.h>

int hr_block_reserve(hr_block *block, size_t count, size_t size)
{
    if (count > (SIZE_MAX - 63) / size)
        return 0;
    const size_t needed = (count * size + 63) / 64 * 64;
    if (needed <= block->capacity)
        return 1;
    hr_block_free(block);
    block->bytes = aligned_alloc(64, needed);
    if (!block->bytes)
        return 0;
    block->capacity = needed;
    return 1;
}

void hr_block_free(hr_block *block)
{
    free(block->bytes);
    *block = (hr_block){0};
}
