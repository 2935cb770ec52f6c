// A cache of large blocks.
//
// A new page costs a page fault and clearing of 4096 bytes, and the planes of an image of 12 megapixels need 4400
// pages. The kernel used a quarter of the processor time of a full-size crop for this. Returned blocks are therefore
// reused, up to a limit, and released when no work is left. Sizes are rounded up to eighths of a power of two, so that
// images of about the same size share blocks. Blocks are cleared when they are returned, so that no sample of an image
// reaches the next image (docs/contributing/isolation-internals.md).

#include "hr_memory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 64,
    // zimg 3.0.4 with 512-bit vectors reads 16 samples from the first multiple of 16 that is not below the width, and
    // ignores them. If the last row fills its stride, these samples would lie after the block.
    READ_BEHIND = 64,
    // Smaller blocks are allocated with malloc, which reuses them efficiently.
    LEAST_KEPT = 64 << 10,
    MOST_BLOCKS_KEPT = 32,
    // memory for 12 megapixels decoded at half their size, two detection passes and the output
    MOST_BYTES_KEPT = 12 << 20
};

typedef struct block {
    void *memory;
    size_t bytes;
} block;

// Oldest first.
static struct {
    pthread_mutex_t lock;
    block blocks[MOST_BLOCKS_KEPT];
    int count;
    size_t bytes;
} idle = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Atomic uint8_t fill;

// The bytes that this thread has allocated and not returned, which may be less than 0, and their maximum.
static _Thread_local ptrdiff_t held, most_held;

void hr_memory_count_anew(void) { held = most_held = 0; }

size_t hr_memory_most_held(void) { return (size_t)most_held; }

void hr_memory_set_fill(uint8_t byte) { atomic_store(&fill, byte); }

static size_t rounded(size_t bytes)
{
    size_t step = ALIGNMENT;
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    // Fuzzers need blocks to end exactly at their requested size.
    while (step * 16 <= bytes)
        step *= 2;
#endif
    return (bytes + step - 1) / step * step;
}

static void *allocate(size_t size)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    return aligned_alloc(ALIGNMENT, size);
#else
    return size > SIZE_MAX - READ_BEHIND ? NULL : aligned_alloc(ALIGNMENT, size + READ_BEHIND);
#endif
}

static void *remove_at(int index)
{
    void *memory = idle.blocks[index].memory;
    idle.bytes -= idle.blocks[index].bytes;
    idle.count--;
    for (int i = index; i < idle.count; i++)
        idle.blocks[i] = idle.blocks[i + 1];
    return memory;
}

void *hr_memory_take(size_t bytes)
{
    const size_t size = rounded(bytes);
    held += (ptrdiff_t)bytes;
    most_held = held > most_held ? held : most_held;
    void *memory = NULL;
    if (size >= LEAST_KEPT) {
        pthread_mutex_lock(&idle.lock);
        // The most recently returned block is most likely in a cache.
        for (int i = idle.count - 1; i >= 0 && memory == NULL; i--)
            if (idle.blocks[i].bytes == size)
                memory = remove_at(i);
        pthread_mutex_unlock(&idle.lock);
    }
    if (memory != NULL)
        return memory;
    memory = allocate(size);
    const uint8_t byte = atomic_load(&fill);
    if (memory != NULL && byte != 0)
        memset(memory, byte, size);
    return memory;
}

void hr_memory_give(void *memory, size_t bytes)
{
    const size_t size = rounded(bytes);
    if (memory == NULL)
        return;
    held -= (ptrdiff_t)bytes;
    if (size < LEAST_KEPT || size > MOST_BYTES_KEPT) {
        free(memory);
        return;
    }
    memset(memory, atomic_load(&fill), size);
    void *surplus[MOST_BLOCKS_KEPT];
    int count = 0;
    pthread_mutex_lock(&idle.lock);
    while (idle.count == MOST_BLOCKS_KEPT || idle.bytes + size > MOST_BYTES_KEPT)
        surplus[count++] = remove_at(0);
    idle.blocks[idle.count++] = (block){memory, size};
    idle.bytes += size;
    pthread_mutex_unlock(&idle.lock);
    while (count > 0)
        free(surplus[--count]);
}

void hr_memory_release(void)
{
    void *surplus[MOST_BLOCKS_KEPT];
    int count = 0;
    pthread_mutex_lock(&idle.lock);
    while (idle.count > 0)
        surplus[count++] = remove_at(idle.count - 1);
    pthread_mutex_unlock(&idle.lock);
    while (count > 0)
        free(surplus[--count]);
    // malloc keeps unused memory between used blocks.
    malloc_trim(0);
}
