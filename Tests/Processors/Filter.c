// Prints the worker's system call filter in the form for the kernel of this processor, without loading it.

#include "../../Sources/C/CSandbox/Sandbox.c"

int main(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    if (filter == NULL || add_rules(filter) != 0)
        return 1;
    const int error = seccomp_export_pfc(filter, STDOUT_FILENO);
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (allowed[i] < 0)
            printf("# missing here: number %d\n", allowed[i]);
    seccomp_release(filter);
    return error != 0;
}
