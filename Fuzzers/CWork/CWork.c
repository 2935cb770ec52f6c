#include "CWork.h"

#include <stddef.h>

// libFuzzer and the address sanitizer define the functions that instrumented code calls. scripts/build-fuzzers.sh makes
// the linker call these functions instead (--wrap). A replacement calls the original function if the original does more
// than count.

#define UNCOUNTED __attribute__((no_sanitize("coverage", "address", "undefined")))

static uint64_t work;

// Threads may lose each other's counts. This is cheaper than a locked addition at each edge.
UNCOUNTED static inline void add(uint64_t count)
{
    __atomic_store_n(&work, __atomic_load_n(&work, __ATOMIC_RELAXED) + count, __ATOMIC_RELAXED);
}

UNCOUNTED uint64_t hr_work_done(void) { return __atomic_load_n(&work, __ATOMIC_RELAXED); }

UNCOUNTED void __wrap___sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    (void)guard;
    add(1);
}

UNCOUNTED void __wrap___sanitizer_cov_trace_pc_guard_init(uint32_t *first, uint32_t *end)
{
    (void)first;
    (void)end;
}

void *__real___asan_memcpy(void *to, const void *from, size_t count);
void *__real___asan_memmove(void *to, const void *from, size_t count);
void *__real___asan_memset(void *to, int value, size_t count);
int __real_memcmp(const void *one, const void *other, size_t count);
void *__real_memchr(const void *bytes, int value, size_t count);

UNCOUNTED void *__wrap___asan_memcpy(void *to, const void *from, size_t count)
{
    add(count / 64);
    return __real___asan_memcpy(to, from, count);
}

UNCOUNTED void *__wrap___asan_memmove(void *to, const void *from, size_t count)
{
    add(count / 64);
    return __real___asan_memmove(to, from, count);
}

UNCOUNTED void *__wrap___asan_memset(void *to, int value, size_t count)
{
    add(count / 64);
    return __real___asan_memset(to, value, count);
}

UNCOUNTED int __wrap_memcmp(const void *one, const void *other, size_t count)
{
    add(count / 64);
    return __real_memcmp(one, other, count);
}

UNCOUNTED void *__wrap_memchr(const void *bytes, int value, size_t count)
{
    void *found = __real_memchr(bytes, value, count);
    add((found ? (size_t)((const char *)found - (const char *)bytes) : count) / 64);
    return found;
}
