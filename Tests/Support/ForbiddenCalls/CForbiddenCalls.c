#define _GNU_SOURCE
#include "CForbiddenCalls.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// One line for each kind.
// clang-format off
static const struct {
    const char *name;
    long number;
    long arguments[3];
} calls[] = {
#define CALL(name, ...) {#name, SYS_##name, {__VA_ARGS__}}
    // Files.
    CALL(openat, 0, 0, 0), CALL(openat2, 0, 0, 0), CALL(name_to_handle_at, 0, 0, 0), CALL(memfd_create, 0, 0, 0),
    CALL(unlinkat, 0, 0, 0), CALL(renameat2, 0, 0, 0), CALL(mkdirat, 0, 0, 0), CALL(fchmodat, 0, 0, 0),
    CALL(getdents64, 0, 0, 0), CALL(mount, 0, 0, 0), CALL(chroot, 0, 0, 0), CALL(chdir, 0, 0, 0),
    CALL(dup, 0, 0, 0), CALL(fcntl, 0, 0, 0), CALL(ioctl, 0, 0, 0), CALL(ftruncate, -1, 0, 0),
    // The network, and other processes' descriptors.
    CALL(socket, 1, 1, 0), CALL(socketpair, 1, 1, 0), CALL(connect, -1, 0, 0), CALL(bind, -1, 0, 0),
    CALL(sendmsg, -1, 0, 0), CALL(recvmsg, -1, 0, 0), CALL(pidfd_open, 1, 0, 0), CALL(pidfd_getfd, -1, 0, 0),
    // Programs, threads and other processes.
    CALL(execve, 0, 0, 0), CALL(execveat, -1, 0, 0), CALL(clone3, 0, 0, 0), CALL(kill, 1, 0, 0),
    CALL(tgkill, 1, 1, 0), CALL(tkill, 1, 0, 0), CALL(rt_sigaction, 0, 0, 0), CALL(ptrace, -1, 0, 0),
    CALL(process_vm_readv, 1, 0, 0), CALL(process_vm_writev, 1, 0, 0), CALL(prlimit64, 1, 0, 0),
    CALL(setrlimit, 0, 0, 0), CALL(prctl, 0, 0, 0), CALL(seccomp, -1, 0, 0), CALL(setuid, 0, 0, 0),
    CALL(unshare, 0, 0, 0), CALL(setns, -1, 0, 0), CALL(getppid, 0, 0, 0),
    // Executable memory.
    CALL(mprotect, 0, 0, PROT_EXEC), CALL(mprotect, 0, 0, PROT_READ | PROT_EXEC),
    CALL(pkey_mprotect, 0, 0, PROT_EXEC), CALL(remap_file_pages, 0, 0, 0),
    // System calls that each give access to large parts of the kernel.
    CALL(bpf, -1, 0, 0), CALL(io_uring_setup, 0, 0, 0), CALL(perf_event_open, 0, 0, 0), CALL(userfaultfd, -1, 0, 0),
    CALL(keyctl, -1, 0, 0), CALL(add_key, 0, 0, 0), CALL(init_module, 0, 0, 0), CALL(epoll_create1, 0, 0, 0),
    CALL(timer_create, 0, 0, 0), CALL(personality, -1, 0, 0),
#if defined(__x86_64__)
    CALL(open, 0, 0, 0), CALL(fork, 0, 0, 0), CALL(clone, 0, 0, 0), CALL(unlink, 0, 0, 0),
    CALL(arch_prctl, 0, 0, 0), CALL(modify_ldt, -1, 0, 0),
#endif
};
// clang-format on

int hr_forbidden_count(void) { return sizeof calls / sizeof calls[0]; }

const char *hr_forbidden_name(int index) { return calls[index].name; }

void hr_forbidden_call(int index)
{
    const long *arguments = calls[index].arguments;
    (void)syscall(calls[index].number, arguments[0], arguments[1], arguments[2], 0, 0, 0);
}
