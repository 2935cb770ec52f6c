// pipe2, memfd_create, clone, ppoll
#define _GNU_SOURCE
#include "CSandbox.h"
#include "Confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// The time between two checks of a running converter, in milliseconds.
enum { PERIOD = 50 };
/// The stack of the child until execve(2).
enum { STACK = 64 << 10 };
enum { FIRST_CAPACITY = 256 << 10 };
/// The maximum number of open files of a converter; libraries and fonts are not all open at the same time.
enum { OPEN_FILES = 256 };

/// The inputs of the child, and its failure. The child shares the memory of this process until it calls execve(2).
struct child {
    const struct hr_converter *converter;
    pid_t parent;
    int input, output, words, ruleset;
    struct hr_filter filter;
    int error;
    const char *call;
};

static bool fail(struct child *child, const char *call, int error)
{
    child->call = call;
    child->error = error;
    return false;
}

static int set_limit(int resource, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
        return -errno;
    if (value < limit.rlim_max)
        limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0 ? 0 : -errno;
}

/// Sets all limits. Only async-signal-safe calls.
static bool set_limits(struct child *child)
{
    const struct hr_converter *converter = child->converter;
    const struct {
        int resource;
        rlim_t value;
    } limits[] = {
        {RLIMIT_CORE, 0},
        // Pipes have no size.
        {RLIMIT_FSIZE, 0},
        {RLIMIT_MEMLOCK, 0},
        {RLIMIT_NOFILE, OPEN_FILES},
        {RLIMIT_MSGQUEUE, 0},
        {RLIMIT_AS, converter->memory},
        // Several threads can use more processor time than elapsed time.
        {RLIMIT_CPU, converter->milliseconds / 1000 * 2 + 2},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const int error = set_limit(limits[i].resource, limits[i].value);
        if (error != 0)
            return fail(child, "setrlimit", error);
    }
    return true;
}

static bool set_descriptors(struct child *child)
{
    // All descriptors are above 2.
    if (dup2(child->input, 0) < 0 || dup2(child->output, 1) < 0 || dup2(child->words, 2) < 0)
        return fail(child, "dup2", -errno);
    // The child has a separate descriptor table, so this does not affect the parent. Old kernels lack the call.
    if (syscall(SYS_close_range, 3u, ~0u, 0) != 0) {
        struct rlimit limit;
        const int end =
            getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1 << 20 ? (int)limit.rlim_cur : 1 << 20;
        for (int number = 3; number < end; number++)
            close(number);
    }
    return true;
}

static bool set_signals(void)
{
    for (int number = 1; number < NSIG; number++) {
        const struct sigaction action = {.sa_handler = SIG_DFL};
        sigaction(number, &action, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

/// Confines the child. Unless confinement is required, a part is skipped if the kernel does not support it.
static bool confine(struct child *child)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return fail(child, "prctl", -errno);
    const bool is_required = child->converter->requires_confinement;
    int error = child->ruleset < 0 ? child->ruleset : hr_ruleset_enter(child->ruleset);
    if (error != 0 && is_required)
        return fail(child, "landlock_restrict_self", error);
    // The filter is installed last, because it permits neither the calls of Landlock nor setrlimit(2).
    if (!set_descriptors(child) || !set_limits(child))
        return false;
    error = hr_filter_install(&child->filter, getpid());
    return error == 0 || !is_required || fail(child, "seccomp", error);
}

/// Runs in the child.
static int begin(void *argument)
{
    struct child *child = argument;
    if (!set_signals() || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        fail(child, "prctl", -errno);
    } else if (getppid() != child->parent) {
        fail(child, "getppid", -ESRCH);
    } else if (chdir("/") != 0) {
        fail(child, "chdir", -errno);
    } else {
        setsid();
        setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 5);
        if (confine(child)) {
            // A check of the confinement runs no program.
            if (child->converter->arguments[0] == NULL)
                _exit(0);
            execve(child->converter->program, child->converter->arguments, child->converter->environment);
            fail(child, "execve", -errno);
        }
    }
    _exit(127);
}

#if __has_feature(thread_sanitizer)
// The thread sanitizer replaces clone(3) by a function for children with their own memory. glibc has this second name.
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
#define clone __clone
#endif

/// Starts the child, and waits until it has called execve(2). This is like posix_spawn(3), which cannot run code in the
/// child before execve(2).
static int start(struct child *child, pid_t *process)
{
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return fail(child, "mmap", -errno), child->error;
    // No handler of this process may run in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t started = clone(begin, (char *)stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, child);
    const int error = started < 0 ? -errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, STACK);
    if (error != 0)
        return fail(child, "clone", error), error;
    if (child->error != 0) {
        while (waitpid(started, NULL, 0) < 0 && errno == EINTR) {
        }
        return child->error;
    }
    *process = started;
    return 0;
}

static int write_all(int file, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno != EINTR)
            return -errno;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return 0;
}

/// A sealed memory file with the input, at its start: a descriptor or -errno.
static int open_input(const struct hr_converter *converter)
{
    const int file = memfd_create("headroom-converter", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -errno;
    int error = write_all(file, converter->input, converter->input_count);
    if (error == 0 && (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 ||
                       lseek(file, 0, SEEK_SET) != 0))
        error = -errno;
    if (error != 0)
        close(file);
    return error != 0 ? error : file;
}

enum end { INPUT, OUTPUT_IN, OUTPUT, WORDS_IN, WORDS, RULESET, END_COUNT };

static void close_end(int ends[END_COUNT], enum end end)
{
    if (ends[end] >= 0)
        close(ends[end]);
    ends[end] = -1;
}

static int open_ends(const struct hr_converter *converter, int ends[END_COUNT], const char **call)
{
    *call = "memfd_create";
    ends[INPUT] = open_input(converter);
    if (ends[INPUT] < 0)
        return ends[INPUT];
    int pair[2];
    *call = "pipe2";
    if (pipe2(pair, O_CLOEXEC) != 0)
        return -errno;
    ends[OUTPUT_IN] = pair[0];
    ends[OUTPUT] = pair[1];
    if (pipe2(pair, O_CLOEXEC) != 0)
        return -errno;
    ends[WORDS_IN] = pair[0];
    ends[WORDS] = pair[1];
    *call = "fcntl";
    if (fcntl(ends[OUTPUT_IN], F_SETFL, O_NONBLOCK) != 0 || fcntl(ends[WORDS_IN], F_SETFL, O_NONBLOCK) != 0)
        return -errno;
    ends[RULESET] = hr_ruleset_open(converter->executables, converter->readable);
    *call = "landlock_create_ruleset";
    if (ends[RULESET] < 0 && converter->requires_confinement)
        return ends[RULESET];
    // A descriptor below 3 would be overwritten by another dup2 first.
    *call = "fcntl";
    for (int i = 0; i < END_COUNT; i++) {
        if (ends[i] < 0 || ends[i] > 2)
            continue;
        const int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
        if (moved < 0)
            return -errno;
        close(ends[i]);
        ends[i] = moved;
    }
    return 0;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/// The number of threads of a process; 0 if it is not known.
static long threads(pid_t process)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0)
        return 0;
    text[count] = 0;
    // The second field is a name that may contain spaces and parentheses; the number is the 20th field.
    const char *field = strrchr(text, ')');
    for (int number = 2; field != NULL && number < 20; number++)
        field = strchr(field + 1, ' ');
    return field == NULL ? 0 : strtol(field, NULL, 10);
}

/// Keeps the end of standard error.
static void keep_words(struct hr_converter_result *result, const unsigned char *bytes, size_t count)
{
    if (count >= sizeof result->words) {
        memcpy(result->words, bytes + count - sizeof result->words, sizeof result->words);
        result->words_count = sizeof result->words;
        return;
    }
    const size_t rest = sizeof result->words - count;
    const size_t kept = result->words_count < rest ? result->words_count : rest;
    memmove(result->words, result->words + result->words_count - kept, kept);
    memcpy(result->words + kept, bytes, count);
    result->words_count = kept + count;
}

/// Reads available standard error: false at its end.
static bool read_words(int file, struct hr_converter_result *result)
{
    unsigned char chunk[4096];
    const ssize_t count = read(file, chunk, sizeof chunk);
    if (count > 0)
        keep_words(result, chunk, (size_t)count);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

/// Reads available standard output: 1, 0 at its end, or -errno: -EFBIG beyond the limit.
static int read_output(int file, const struct hr_converter *converter, struct hr_converter_result *result,
                       size_t *capacity)
{
    if (result->output_count == *capacity) {
        // One byte more than the limit shows that it is exceeded.
        const size_t most = converter->output_limit + 1;
        if (*capacity >= most)
            return -EFBIG;
        size_t next = *capacity == 0 ? FIRST_CAPACITY : *capacity * 2;
        next = next > most ? most : next;
        unsigned char *grown = realloc(result->output, next);
        if (grown == NULL)
            return -ENOMEM;
        result->output = grown;
        *capacity = next;
    }
    const ssize_t count = read(file, result->output + result->output_count, *capacity - result->output_count);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? 1 : -errno;
    result->output_count += (size_t)count;
    if (result->output_count > converter->output_limit)
        return -EFBIG;
    return count > 0;
}

static void note_end(const struct rusage *usage, int status, struct hr_converter_result *result)
{
    result->processor_time = (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000 +
                             (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
    if (WIFSIGNALED(status)) {
        result->end = HR_CONVERTER_SIGNALLED;
        result->status = WTERMSIG(status);
        // The limit of processor time.
        if (result->status == SIGXCPU)
            result->end = HR_CONVERTER_TIMEOUT;
    } else {
        result->end = HR_CONVERTER_EXITED;
        result->status = WEXITSTATUS(status);
    }
}

/// Kills the converter if a limit is exceeded. Returns whether it was killed, with the reason in `end`.
static bool must_end(const struct hr_converter *converter, pid_t process, uint64_t deadline, enum hr_converter_end *end)
{
    if (now() >= deadline)
        *end = HR_CONVERTER_TIMEOUT;
    else if (converter->is_cancelled != NULL && converter->is_cancelled(converter->context))
        *end = HR_CONVERTER_CANCELLED;
    else if (threads(process) > HR_CONVERTER_THREADS)
        *end = HR_CONVERTER_THREADED;
    else
        return false;
    return true;
}

/// Reads both pipes until the converter ends: 0, or -errno after a failure of this process.
static int watch(const struct hr_converter *converter, pid_t process, int ends[END_COUNT],
                 struct hr_converter_result *result)
{
    const uint64_t deadline = now() + converter->milliseconds;
    uint64_t checked = now();
    size_t capacity = 0;
    int error = 0, pause = 1, status = 0;
    enum hr_converter_end reason = HR_CONVERTER_EXITED;
    struct rusage usage;
    while (true) {
        struct pollfd entries[] = {{.fd = ends[OUTPUT_IN], .events = POLLIN}, {.fd = ends[WORDS_IN], .events = POLLIN}};
        const bool is_silent = ends[OUTPUT_IN] < 0 && ends[WORDS_IN] < 0;
        // Both pipes close shortly before the process can be waited for.
        poll(entries, 2, is_silent ? pause : PERIOD);
        if (is_silent)
            pause = pause * 2 > PERIOD ? PERIOD : pause * 2;
        if (entries[0].revents != 0) {
            const int more = read_output(ends[OUTPUT_IN], converter, result, &capacity);
            if (more == 0)
                close_end(ends, OUTPUT_IN);
            if (more == -EFBIG)
                reason = HR_CONVERTER_FLOODED;
            else if (more < 0)
                error = more;
        }
        if (entries[1].revents != 0 && !read_words(ends[WORDS_IN], result))
            close_end(ends, WORDS_IN);
        if (error == 0 && reason == HR_CONVERTER_EXITED && now() - checked < PERIOD && !is_silent)
            continue;
        checked = now();
        if (error != 0 || reason != HR_CONVERTER_EXITED || must_end(converter, process, deadline, &reason))
            break;
        // The status is read after the pipes, because the process may end before the pipes are empty.
        if (ends[OUTPUT_IN] >= 0)
            continue;
        const pid_t ended = wait4(process, &status, WNOHANG, &usage);
        if (ended == process) {
            note_end(&usage, status, result);
            return 0;
        }
        if (ended < 0 && errno != EINTR)
            return -errno;
    }
    kill(process, SIGKILL);
    while (wait4(process, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return -errno;
    note_end(&usage, status, result);
    if (reason != HR_CONVERTER_EXITED)
        result->end = reason;
    return error;
}

int hr_converter_run(const struct hr_converter *converter, struct hr_converter_result *result, const char **call)
{
    memset(result, 0, sizeof *result);
    int ends[END_COUNT] = {-1, -1, -1, -1, -1, -1};
    struct child *child = calloc(1, sizeof *child);
    *call = "calloc";
    int error = child == NULL ? -ENOMEM : open_ends(converter, ends, call);
    pid_t process = 0;
    if (error == 0) {
        child->converter = converter;
        child->parent = getpid();
        child->input = ends[INPUT];
        child->output = ends[OUTPUT];
        child->words = ends[WORDS];
        child->ruleset = ends[RULESET];
        hr_filter_write(&child->filter);
        error = start(child, &process);
        if (error != 0)
            *call = child->call;
    }
    close_end(ends, INPUT);
    close_end(ends, OUTPUT);
    close_end(ends, WORDS);
    close_end(ends, RULESET);
    if (error == 0) {
        *call = "wait4";
        error = watch(converter, process, ends, result);
    }
    close_end(ends, OUTPUT_IN);
    close_end(ends, WORDS_IN);
    free(child);
    if (error != 0 || result->output_count == 0) {
        free(result->output);
        result->output = NULL;
        result->output_count = 0;
    }
    return error;
}

int hr_converter_check(const char **call)
{
    char *none[] = {NULL};
    const struct hr_converter converter = {
        .program = "",
        .arguments = none,
        .environment = none,
        .executables = none,
        .readable = none,
        .memory = UINT64_MAX,
        .output_limit = 0,
        .milliseconds = 5000,
        .requires_confinement = true,
    };
    struct hr_converter_result result;
    const int error = hr_converter_run(&converter, &result, call);
    if (error != 0)
        return error;
    *call = "seccomp";
    return result.end == HR_CONVERTER_EXITED && result.status == 0 ? 0 : -EPERM;
}
