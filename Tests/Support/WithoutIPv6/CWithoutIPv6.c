#include "CWithoutIPv6.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

struct run {
    void (*body)(void *);
    void *context;
    bool is_filtered;
};

static void *run(void *argument)
{
    struct run *run = argument;
    // In little endian, the lower half of an argument comes first.
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    // Both settings apply to this thread only.
    run->is_filtered =
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    if (run->is_filtered)
        run->body(run->context);
    return NULL;
}

bool hr_run_without_ipv6(void (*body)(void *), void *context)
{
    struct run state = {.body = body, .context = context};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, &state) != 0)
        return false;
    pthread_join(thread, NULL);
    return state.is_filtered;
}
