#define _GNU_SOURCE

#include "hr_quiet.h"

#include <pthread.h>
#include <stdio.h>

static struct {
    pthread_mutex_t lock;
    int users;
    FILE *usual;
    FILE *silent;
} quiet = {.lock = PTHREAD_MUTEX_INITIALIZER};

static ssize_t discard(void *cookie, const char *bytes, size_t count)
{
    (void)cookie;
    (void)bytes;
    return (ssize_t)count;
}

void hr_quiet_begin(void)
{
    pthread_mutex_lock(&quiet.lock);
    if (quiet.silent == NULL)
        quiet.silent = fopencookie(NULL, "w", (cookie_io_functions_t){.write = discard});
    if (quiet.users++ == 0 && quiet.silent != NULL) {
        quiet.usual = stderr;
        stderr = quiet.silent;
    }
    pthread_mutex_unlock(&quiet.lock);
}

void hr_quiet_end(void)
{
    pthread_mutex_lock(&quiet.lock);
    if (--quiet.users == 0 && quiet.usual != NULL) {
        stderr = quiet.usual;
        quiet.usual = NULL;
    }
    pthread_mutex_unlock(&quiet.lock);
}
