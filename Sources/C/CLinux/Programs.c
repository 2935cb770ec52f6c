// pipe2, posix_spawn_file_actions_addclosefrom_np
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int add_descriptors(posix_spawn_file_actions_t *actions, const int descriptors[3])
{
    for (int number = 0; number < 3; number++) {
        const int error = descriptors[number] >= 0
                              ? posix_spawn_file_actions_adddup2(actions, descriptors[number], number)
                              : posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0);
        if (error)
            return error;
    }
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

static int spawn(const char *name, char *const arguments[], const posix_spawn_file_actions_t *actions, pid_t *process)
{
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    sigset_t signals;
    sigemptyset(&signals);
    error = posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    if (!error)
        error = posix_spawnattr_setsigdefault(&attributes, &signals);
    if (!error)
        error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!error)
        error = posix_spawnp(process, name, actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    return error;
}

int hr_start_program(const char *name, char *const arguments[], const int descriptors[3])
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return -error;
    pid_t process = 0;
    error = add_descriptors(&actions, descriptors);
    if (!error)
        error = spawn(name, arguments, &actions, &process);
    posix_spawn_file_actions_destroy(&actions);
    return error ? -error : process;
}

int hr_wait_for_program(int process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR)
            return -errno;
    }
    if (WIFSIGNALED(status))
        return 256 + WTERMSIG(status);
    return WEXITSTATUS(status);
}

int hr_open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) ? -errno : 0; }
