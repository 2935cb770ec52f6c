#include "CLinux.h"

static int argument_count;
static char **argument_values;

// glibc passes these to every constructor, which no standard requires.
__attribute__((constructor)) static void keep_arguments(int count, char **values)
{
    argument_count = count;
    argument_values = values;
}

char *const *hr_arguments(int *count)
{
    static char *const none[] = {NULL};
    *count = argument_values == NULL ? 0 : argument_count;
    return argument_values == NULL ? none : argument_values;
}
