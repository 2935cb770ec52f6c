#define _GNU_SOURCE
#include "Confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

// libseccomp allocates memory, which is not possible between clone(2) and execve(2). So this filter is written before
// clone(2).

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "Converters need the numbers of this architecture's system calls."
#endif

/// Programs use calls with this number or a higher number only if they exist.
enum { FIRST_RECENT = 424 };

// A line for each kind.
// clang-format off
/// System calls that are permitted with any arguments. The files that they open are restricted by Landlock; calls that
/// change files, create sockets or processes, or affect other processes are absent.
static const int permitted[] = {
    SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_write, SYS_writev, SYS_pwrite64, SYS_pwritev, SYS_lseek,
    SYS_close, SYS_dup, SYS_dup3, SYS_pipe2, SYS_eventfd2, SYS_fadvise64, SYS_readahead,
    SYS_fstat, SYS_newfstatat, SYS_readlinkat, SYS_faccessat, SYS_getdents64, SYS_statfs, SYS_fstatfs, SYS_getcwd,
    SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_mincore, SYS_msync,
    SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_membarrier,
    SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_sched_getattr, SYS_getcpu,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times,
    SYS_getrandom, SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_getrlimit, SYS_umask,
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getgroups,
    SYS_getresuid, SYS_getresgid, SYS_getpgid, SYS_getsid, SYS_capget,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend,
    SYS_sigaltstack, SYS_restart_syscall,
    // Landlock permits only the program and its interpreters. Without fork(2), they replace the process.
    SYS_execve,
    SYS_exit, SYS_exit_group,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_close_range
    SYS_close_range,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef __x86_64__
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_dup2, SYS_pipe, SYS_eventfd, SYS_poll, SYS_select,
    SYS_epoll_create, SYS_epoll_wait, SYS_time, SYS_alarm, SYS_pause, SYS_getpgrp, SYS_arch_prctl,
#endif
};
// clang-format on

static void add(struct hr_filter *filter, int code, uint8_t yes, uint8_t no, uint32_t value)
{
    if (filter->count < sizeof filter->code / sizeof filter->code[0])
        filter->code[filter->count++] = (struct sock_filter){(uint16_t)code, yes, no, value};
}

enum {
    LOAD = BPF_LD | BPF_W | BPF_ABS,
    EQUAL = BPF_JMP | BPF_JEQ | BPF_K,
    AT_LEAST = BPF_JMP | BPF_JGE | BPF_K,
    ANY_BIT = BPF_JMP | BPF_JSET | BPF_K,
    END = BPF_RET | BPF_K,
};

static void load(struct hr_filter *filter, size_t offset) { add(filter, LOAD, 0, 0, (uint32_t)offset); }
static void end(struct hr_filter *filter, uint32_t action) { add(filter, END, 0, 0, action); }
static uint32_t failure(int error) { return SECCOMP_RET_ERRNO | (uint32_t)error; }

/// The lower 32 bits of an argument; both architectures are little-endian.
static size_t argument(int index) { return offsetof(struct seccomp_data, args) + 8 * (size_t)index; }

/// Permits a call if the lower 32 bits of an argument are one of the values.
static void permit_values(struct hr_filter *filter, int call, int index, const uint32_t *values, int count, int error)
{
    add(filter, EQUAL, 0, (uint8_t)(2 + count * 2), (uint32_t)call);
    load(filter, argument(index));
    for (int i = 0; i < count; i++) {
        add(filter, EQUAL, 0, 1, values[i]);
        end(filter, SECCOMP_RET_ALLOW);
    }
    end(filter, failure(error));
}

/// Rejects a call if any of the bits is set in an argument.
static void reject_bits(struct hr_filter *filter, int call, int index, uint32_t bits, int error)
{
    add(filter, EQUAL, 0, 4, (uint32_t)call);
    load(filter, argument(index));
    add(filter, ANY_BIT, 0, 1, bits);
    end(filter, failure(error));
    end(filter, SECCOMP_RET_ALLOW);
}

/// Permits clone(2) for threads, which share everything with the process.
static void permit_threads(struct hr_filter *filter)
{
    add(filter, EQUAL, 0, 4, SYS_clone);
    load(filter, argument(0));
    add(filter, ANY_BIT, 0, 1, CLONE_THREAD);
    end(filter, SECCOMP_RET_ALLOW);
    end(filter, failure(EPERM));
}

/// Permits prlimit64(2) to read limits of the process itself.
static void permit_reading_limits(struct hr_filter *filter)
{
    add(filter, EQUAL, 0, 8, SYS_prlimit64);
    load(filter, argument(0));
    add(filter, EQUAL, 0, 5, 0);
    load(filter, argument(2));
    add(filter, EQUAL, 0, 3, 0);
    load(filter, argument(2) + 4);
    add(filter, EQUAL, 0, 1, 0);
    end(filter, SECCOMP_RET_ALLOW);
    end(filter, failure(EPERM));
}

void hr_filter_write(struct hr_filter *filter)
{
    filter->count = 0;
    load(filter, offsetof(struct seccomp_data, arch));
    add(filter, EQUAL, 1, 0, ARCHITECTURE);
    end(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // The x32 interface has other numbers for the same calls.
    add(filter, AT_LEAST, 0, 1, 0x40000000);
    end(filter, failure(ENOSYS));
#endif
    for (size_t i = 0; i < sizeof permitted / sizeof permitted[0]; i++) {
        add(filter, EQUAL, 0, 1, (uint32_t)permitted[i]);
        end(filter, SECCOMP_RET_ALLOW);
    }
    permit_threads(filter);
    // Nothing is opened for writing, even if Landlock is missing.
    enum { WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND };
    reject_bits(filter, SYS_openat, 2, WRITING, EACCES);
#ifdef __x86_64__
    reject_bits(filter, SYS_open, 1, WRITING, EACCES);
#endif
    // No F_SETOWN or F_SETSIG, which send signals to other processes.
    static const uint32_t commands[] = {F_DUPFD, F_GETFD,         F_SETFD,      F_GETFL,    F_SETFL,
                                        F_GETLK, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_GET_SEALS};
    permit_values(filter, SYS_fcntl, 1, commands, sizeof commands / sizeof commands[0], EPERM);
    static const uint32_t requests[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX};
    permit_values(filter, SYS_ioctl, 1, requests, sizeof requests / sizeof requests[0], ENOTTY);
    // No PR_SET_PDEATHSIG: the converter ends with the service.
    static const uint32_t options[] = {PR_SET_NAME, PR_GET_NAME, 0x53564d41 /* PR_SET_VMA */};
    permit_values(filter, SYS_prctl, 0, options, sizeof options / sizeof options[0], EINVAL);
    permit_reading_limits(filter);
    // For abort(3).
    filter->process_index = filter->count + 2;
    const uint32_t unknown = 0;
    permit_values(filter, SYS_tgkill, 0, &unknown, 1, EPERM);
    // glibc then uses clone(2), whose flags the filter can read.
    add(filter, AT_LEAST, 0, 1, FIRST_RECENT);
    end(filter, failure(ENOSYS));
    end(filter, failure(EPERM));
}

int hr_filter_install(struct hr_filter *filter, pid_t process)
{
    if (filter->count >= sizeof filter->code / sizeof filter->code[0])
        return -ENOMEM;
    filter->code[filter->process_index].k = (uint32_t)process;
    const struct sock_fprog program = {.len = (unsigned short)filter->count, .filter = filter->code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : -errno;
}
