#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int compare(const void *left, const void *right) { return *(const char *)left - *(const char *)right; }

int hr_sandbox_prepare(const char **call)
{
    // The first qsort(3) of more than 1 KiB queries the memory size; older libraries read a file for it.
    char many[2048] = {0};
    qsort(many, sizeof many, 1, compare);
    // The first localtime(3) reads the time zone from a file; lcms2 writes the date into profiles.
    tzset();
    *call = "prctl";
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -errno;
    // The parent may have ended before prctl(2); in this case the other end is closed. There is nothing to read yet.
    char byte;
    ssize_t count = recv(HR_WORKER_CONTROL, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count < 0 && errno == EAGAIN ? 0 : -ESRCH;
}

// A line for each kind.
// clang-format off
/// System calls for computing, and for communication over inherited descriptors.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(pread64), SCMP_SYS(pwrite64),
    SCMP_SYS(recvfrom), SCMP_SYS(sendto),
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(madvise),
    SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(rseq), SCMP_SYS(membarrier),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu),
    // qsort(3) queries the memory size.
    SCMP_SYS(sysinfo),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom),
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(restart_syscall),
    // For abort(3). No handler can be set, because sigaction is not allowed.
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(exit), SCMP_SYS(exit_group),
};
// clang-format on

static int add_rules(scmp_filter_ctx filter)
{
    int error = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0] && error == 0; i++) {
        // libseccomp uses numbers below 0 for calls that do not exist on this architecture.
        if (allowed[i] >= 0)
            error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    }
    // Memory that is not executable.
    const struct scmp_arg_cmp no_execution = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    if (error == 0)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, no_execution);
    if (error == 0)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_execution);
    if (error == 0)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mremap), 0);
    // Signals to the process itself only.
    const struct scmp_arg_cmp itself = {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = (scmp_datum_t)getpid()};
    if (error == 0)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, itself);
    return error;
}

/// Reports the denied call and exits. The kernel kills a process that blocks the signal.
static void deny(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    // snprintf(3) is not async-signal-safe.
    char text[] = "system call 00000\n";
    int call = info->si_syscall;
    for (size_t i = sizeof text - 3; call > 0 && text[i] == '0'; i--, call /= 10)
        text[i] = (char)('0' + call % 10);
    ssize_t written = write(HR_WORKER_WORDS, text, sizeof text - 1);
    (void)written;
    _exit(HR_WORKER_DENIED);
}

static int set_handler(const char **call)
{
    *call = "sigaction";
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = deny;
    return sigaction(SIGSYS, &action, NULL) == 0 ? 0 : -errno;
}

static int load_filter(const char **call)
{
    *call = "seccomp_init";
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    if (filter == NULL)
        return -ENOMEM;
    *call = "seccomp_attr_set";
    // Includes threads that a detector may have started.
    int error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    // Older kernels would enable speculation mitigations, which slow the process down without a benefit here.
    if (error == 0)
        error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
    if (error == 0)
        error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (error == 0) {
        *call = "seccomp_rule_add";
        error = add_rules(filter);
    }
    if (error == 0) {
        *call = "seccomp_load";
        error = seccomp_load(filter);
    }
    seccomp_release(filter);
    return error;
}

static int set_limit(int resource, rlim_t value)
{
    const struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0 ? 0 : -errno;
}

int hr_sandbox_enter(const char **call)
{
    // The filter is the actual barrier; the limits are additional.
    *call = "setrlimit";
    int error = set_limit(RLIMIT_CORE, 0);
    if (error == 0)
        error = set_limit(RLIMIT_NOFILE, 0);
    if (error == 0)
        error = set_limit(RLIMIT_NPROC, 0);
    if (error == 0)
        error = set_limit(RLIMIT_MEMLOCK, 0);
    if (error == 0)
        error = set_handler(call);
    return error == 0 ? load_filter(call) : error;
}

int64_t hr_sandbox_address_space(void)
{
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -errno;
    ssize_t count = read(file, text, sizeof text - 1);
    int error = errno;
    close(file);
    if (count <= 0)
        return count < 0 ? -error : -EIO;
    text[count] = 0;
    return strtoll(text, NULL, 10) * sysconf(_SC_PAGESIZE);
}
