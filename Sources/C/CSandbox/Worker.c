// pipe2, memfd_create, prlimit, posix_spawn_file_actions_addclosefrom_np
#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The parent's ends and the worker's, from 0 to 7.
enum end { WORDS_OUT, WORDS_IN, CONTROL_OUT, CONTROL_IN, REQUEST_OUT, REQUEST_IN, REPLY_OUT, REPLY_IN, END_COUNT };

static int open_ends(int ends[END_COUNT], const char **call)
{
    *call = "pipe2";
    if (pipe2(&ends[WORDS_OUT], O_CLOEXEC) != 0)
        return -errno;
    // The parent reads the available output; the worker must not block if the parent does not read.
    if (fcntl(ends[WORDS_OUT], F_SETFL, O_NONBLOCK) != 0 || fcntl(ends[WORDS_IN], F_SETFL, O_NONBLOCK) != 0)
        return -errno;
    *call = "socketpair";
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, &ends[CONTROL_OUT]) != 0)
        return -errno;
    *call = "memfd_create";
    ends[REQUEST_OUT] = memfd_create("headroom-request", MFD_CLOEXEC);
    if (ends[REQUEST_OUT] < 0)
        return -errno;
    ends[REPLY_OUT] = memfd_create("headroom-reply", MFD_CLOEXEC);
    if (ends[REPLY_OUT] < 0)
        return -errno;
    // The file is opened again for reading, so that the worker can neither change nor truncate the request.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[REQUEST_OUT]);
    *call = "open";
    ends[REQUEST_IN] = open(path, O_RDONLY | O_CLOEXEC);
    if (ends[REQUEST_IN] < 0)
        return -errno;
    *call = "fcntl";
    ends[REPLY_IN] = fcntl(ends[REPLY_OUT], F_DUPFD_CLOEXEC, 0);
    return ends[REPLY_IN] < 0 ? -errno : 0;
}

static void close_ends(int ends[END_COUNT], int first, int step)
{
    for (int i = first; i < END_COUNT; i += step)
        if (ends[i] >= 0)
            close(ends[i]);
}

static int add_descriptors(posix_spawn_file_actions_t *actions, int ends[END_COUNT])
{
    static const int numbers[] = {HR_WORKER_WORDS, HR_WORKER_CONTROL, HR_WORKER_REQUEST, HR_WORKER_REPLY};
    static const int sources[] = {WORDS_IN, CONTROL_IN, REQUEST_IN, REPLY_IN};
    int error = 0;
    for (int i = 0; i < 4 && error == 0; i++)
        error = posix_spawn_file_actions_adddup2(actions, ends[sources[i]], numbers[i]);
    for (int number = 0; number < 2 && error == 0; number++)
        error = posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addclosefrom_np(actions, HR_WORKER_REPLY + 1);
    return error;
}

static int set_signals(posix_spawnattr_t *attributes)
{
    // Blocked and not ignored: the mask survives exec, so a Ctrl-C for the parent never ends a worker during its
    // work.
    sigset_t blocked, defaults;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGHUP);
    sigfillset(&defaults);
    int error = posix_spawnattr_setsigmask(attributes, &blocked);
    if (error == 0)
        error = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (error == 0)
        error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return error;
}

static int spawn(const char *program, char *const *arguments, char *const *environment, int ends[END_COUNT], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return -error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = add_descriptors(&actions, ends);
        if (error == 0)
            error = set_signals(&attributes);
        if (error == 0)
            error = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return -error;
}

int hr_worker_start(const char *program, char *const *arguments, char *const *environment, struct hr_worker *worker,
                    const char **call)
{
    // With a file size limit, a large job must cause an error of pwrite(2) instead of ending the parent.
    signal(SIGXFSZ, SIG_IGN);
    int ends[END_COUNT];
    for (int i = 0; i < END_COUNT; i++)
        ends[i] = -1;
    int error = open_ends(ends, call);
    // A descriptor below 6 would be overwritten by another dup2 first.
    for (int i = WORDS_IN; i < END_COUNT && error == 0; i += 2) {
        int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, HR_WORKER_REPLY + 1);
        if (moved < 0) {
            *call = "fcntl";
            error = -errno;
        } else {
            close(ends[i]);
            ends[i] = moved;
        }
    }
    if (error == 0) {
        *call = "posix_spawn";
        error = spawn(program, arguments, environment, ends, &worker->pid);
    }
    close_ends(ends, WORDS_IN, 2);
    if (error != 0) {
        close_ends(ends, WORDS_OUT, 2);
        return error;
    }
    worker->words = ends[WORDS_OUT];
    worker->control = ends[CONTROL_OUT];
    worker->request = ends[REQUEST_OUT];
    worker->reply = ends[REPLY_OUT];
    return 0;
}

int hr_worker_end(pid_t pid)
{
    // Has no effect on a process that has already ended: its status is kept.
    kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return status;
}

void hr_worker_close(struct hr_worker worker)
{
    close(worker.control);
    close(worker.request);
    close(worker.reply);
}

/// Sets the soft limit and keeps the hard limit, which only a process with CAP_SYS_RESOURCE may raise. Returns `flag`
/// if the hard limit is below `value` and applies instead; otherwise 0.
static int limit(pid_t pid, int resource, rlim_t value, int flag)
{
    struct rlimit limit;
    if (prlimit(pid, (__rlimit_resource_t)resource, NULL, &limit) != 0)
        return -errno;
    const bool is_cut = value > limit.rlim_max;
    limit.rlim_cur = is_cut ? limit.rlim_max : value;
    if (prlimit(pid, (__rlimit_resource_t)resource, &limit, NULL) != 0)
        return -errno;
    return is_cut ? flag : 0;
}

int hr_worker_limit_memory(pid_t pid, uint64_t address_space, uint64_t reply)
{
    const int memory = limit(pid, RLIMIT_AS, address_space, HR_CUT_MEMORY);
    if (memory < 0)
        return memory;
    const int file = limit(pid, RLIMIT_FSIZE, reply, HR_CUT_MEMORY);
    return file < 0 ? file : memory | file;
}

/// The clock that the kernel compares with RLIMIT_CPU, as the clockid_t of a process. It is the user and system time,
/// measured in ticks (CPUCLOCK_PROF). clock_getcpuclockid(3) returns the scheduler's clock, and the difference between
/// the two clocks can grow without bound.
static clockid_t limited_clock(pid_t pid) { return (clockid_t)(~(unsigned)pid << 3); }

int hr_worker_limit_time(pid_t pid, uint64_t seconds)
{
    struct timespec used;
    // The call returns EINVAL for a process that no longer exists.
    if (clock_gettime(limited_clock(pid), &used) != 0)
        return errno == EINVAL ? -ESRCH : -errno;
    return limit(pid, RLIMIT_CPU, (rlim_t)used.tv_sec + seconds + 1, HR_CUT_TIME);
}
