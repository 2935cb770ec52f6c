// The parent process.
#include "CLinux.h"
#include "Control.h"
#include "Messages.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    /// Consecutive exits without a ready service before the parent gives up.
    MAX_FAILED_STARTS = 5,
    /// The first pause between two starts, which doubles with each further exit; the first restart has no pause.
    FIRST_PAUSE_MS = 100,
    MAX_PAUSE_MS = 1600,
    /// A service that was ready for at least this time starts a new series of pauses.
    STABLE_MS = 1000,
};

static const int handled[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD};
enum { HANDLED = sizeof handled / sizeof *handled };

// The state at the start of the program, for the service processes.
static struct sigaction actions[HANDLED];
static sigset_t mask;

static struct {
    pid_t process;
    int control;
    bool is_ready;
    bool is_stopping;
    /// Whether SIGHUP came while the service was not ready.
    bool must_reload;
    int64_t ready_at;
    struct hr_restart restart;
    int failed_starts;
    int quick_ends;
    /// Sockets of the last ready process, and of the current process.
    struct hr_kept kept, fresh;
} service = {.control = -1};

static int64_t milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void no_op(int number) { (void)number; }

// These signals need handlers, because a signal that is ignored never becomes pending, and an ignored SIGCHLD would
// lose exit statuses.
static void take_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    const struct sigaction action = {.sa_handler = no_op};
    for (int index = 0; index < HANDLED; index++) {
        sigaddset(&set, handled[index]);
        sigaction(handled[index], &action, &actions[index]);
    }
    sigprocmask(SIG_BLOCK, &set, &mask);
}

static void restore_signals(void)
{
    for (int index = 0; index < HANDLED; index++)
        sigaction(handled[index], &actions[index], NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

// After a crash, Swift's runtime writes a backtrace. The process then ends after seconds to minutes, and connections
// wait until then. Operators who want backtraces set the variable.
static const char backtrace_variable[] = "SWIFT_BACKTRACE";

// Leaves ignored signals and the handlers of sanitizers, which Swift's runtime also leaves.
static void end_at_crash(void)
{
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
    static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
    for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++) {
        struct sigaction action;
        if (sigaction(crashes[index], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            (void)signal(crashes[index], SIG_DFL);
    }
#endif
}

// The socket of a service manager (sd_listen_fds(3)) belongs to the process in LISTEN_PID.
static void pass_listen_pid(pid_t parent)
{
    const char *text = getenv("LISTEN_PID");
    if (!text || strtol(text, NULL, 10) != parent)
        return;
    char number[16];
    snprintf(number, sizeof number, "%d", (int)getpid());
    setenv("LISTEN_PID", number, 1);
}

static _Noreturn void run_program(int control)
{
    char number[16];
    snprintf(number, sizeof number, "%d", control);
    setenv(HR_CONTROL_VARIABLE, number, 1);
    const int flags = fcntl(control, F_GETFD);
    (void)fcntl(control, F_SETFD, flags & ~FD_CLOEXEC);
    int count;
    // Runs the program again instead of forking, because a fork would have the same memory addresses as the crashed
    // process.
    execv("/proc/self/exe", hr_arguments(&count));
    dprintf(STDERR_FILENO, "Error: cannot restart the service: execv: %s\n", hr_error_text(errno));
    _exit(EXIT_FAILURE);
}

// Sends the inputs of the next process before it exists, so that it can read everything at its start.
static void prepare(int control)
{
    const struct hr_control_message message = {.kind = HR_MESSAGE_RESTART, .restart = service.restart};
    (void)hr_send_control(control, &message);
    for (int index = 0; index < service.kept.count; index++) {
        struct hr_control_message *entry = &service.kept.entries[index];
        if (hr_send_control(control, entry) == 0)
            continue;
        // The next process opens its own listening socket, which is impossible while this socket is open.
        hr_close_sockets(entry);
        entry->count = 0;
    }
}

/// Starts a service process. Returns 0 in the first service process, its ID in the parent, or -errno. Later service
/// processes run the program again.
static pid_t start(bool is_first)
{
    const pid_t parent = getpid();
    int ends[2];
    const int error = hr_open_control(ends);
    if (error)
        return error;
    if (!is_first)
        prepare(ends[0]);
    const pid_t process = fork();
    if (process != 0) {
        const int reason = errno;
        close(ends[1]);
        if (process < 0) {
            close(ends[0]);
            return -reason;
        }
        service.process = process;
        service.control = ends[0];
        service.is_ready = false;
        return process;
    }
    close(ends[0]);
    // Ends with the parent, even if the parent is killed.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(EXIT_FAILURE);
    restore_signals();
    pass_listen_pid(parent);
    if (!is_first)
        run_program(ends[1]);
    hr_use_control(ends[1]);
    return 0;
}

static void notify_manager(const char *text)
{
    const char *path = getenv("NOTIFY_SOCKET");
    if (path && *path)
        (void)hr_send_datagram(path, text, strlen(text));
}

static void become_ready(void)
{
    service.is_ready = true;
    service.ready_at = milliseconds();
    service.failed_starts = 0;
    hr_close_kept(&service.kept);
    service.kept = service.fresh;
    service.fresh.count = 0;
    if (service.must_reload)
        kill(service.process, SIGHUP);
    service.must_reload = false;
}

// Closes the copies, so that only the service decides how long connections are accepted.
static void stop(void)
{
    service.is_stopping = true;
    hr_close_kept(&service.kept);
    hr_close_kept(&service.fresh);
}

static void read_messages(void)
{
    struct hr_control_message message;
    while (service.control >= 0) {
        const int status = hr_receive_control(service.control, &message);
        if (status == -EAGAIN)
            return;
        if (status != 1) {
            close(service.control);
            service.control = -1;
            return;
        }
        switch (message.kind) {
        case HR_MESSAGE_SOCKETS:
            if (!service.is_stopping) {
                hr_add_kept(&service.fresh, &message);
                continue;
            }
            break;
        case HR_MESSAGE_READY:
            become_ready();
            break;
        case HR_MESSAGE_STOPPING:
            stop();
            break;
        case HR_MESSAGE_STATUS:
            notify_manager(message.text);
            break;
        default:
            break;
        }
        hr_close_sockets(&message);
    }
}

static void describe_end(char *text, size_t capacity)
{
    const int number = service.restart.signal;
    if (number == 0) {
        snprintf(text, capacity, "with exit status %d", service.restart.status);
        return;
    }
    snprintf(text, capacity, "by signal %d (%s)", number, hr_signal_text(number));
}

static _Noreturn void give_up(void)
{
    char end[80];
    describe_end(end, sizeof end);
    dprintf(STDERR_FILENO, "Error: the service process ended %d times in a row before it was ready, the last time %s\n",
            service.failed_starts, end);
    _exit(service.restart.status ? service.restart.status : EXIT_FAILURE);
}

/// Handles the end of the service process, and returns the pause before the next one starts.
static int handle_end(int status)
{
    read_messages();
    if (service.control >= 0)
        close(service.control);
    service.control = -1;
    service.process = 0;
    const bool was_ready = service.is_ready, is_signal = WIFSIGNALED(status);
    service.is_ready = false;
    // The service exits after invalid settings at the first start, or after it was stopped.
    if (!is_signal && (was_ready || service.is_stopping || service.restart.count == 0 || WEXITSTATUS(status) == 0))
        _exit(WEXITSTATUS(status));
    if (service.is_stopping)
        _exit(128 + WTERMSIG(status));
    service.restart.count++;
    service.restart.signal = is_signal ? WTERMSIG(status) : 0;
    service.restart.status = is_signal ? 0 : WEXITSTATUS(status);
    hr_close_kept(&service.fresh);
    if (!was_ready) {
        service.failed_starts++;
        if (service.failed_starts == MAX_FAILED_STARTS)
            give_up();
    } else if (milliseconds() - service.ready_at >= STABLE_MS) {
        service.quick_ends = 0;
    }
    const int ends = service.quick_ends++;
    if (ends == 0)
        return 0;
    const int pause = FIRST_PAUSE_MS << (ends < 5 ? ends - 1 : 4);
    return pause < MAX_PAUSE_MS ? pause : MAX_PAUSE_MS;
}

/// Waits for ended processes. As process 1 of a container, it also waits for orphaned processes of other parents.
/// Returns whether the service process is one of them.
static bool reap(int *status)
{
    bool found = false;
    int each;
    pid_t process;
    while ((process = waitpid(-1, &each, WNOHANG)) > 0) {
        if (process == service.process) {
            found = true;
            *status = each;
        }
    }
    return found;
}

static void forward(int number)
{
    if (number == SIGHUP) {
        // The default action would end a process that does not yet handle signals.
        if (service.is_ready)
            kill(service.process, SIGHUP);
        else
            service.must_reload = true;
        return;
    }
    stop();
    if (service.process == 0)
        _exit(EXIT_SUCCESS);
    kill(service.process, number);
}

static _Noreturn void supervise(int signals)
{
    int64_t start_at = -1;
    while (true) {
        struct pollfd entries[] = {{.fd = signals, .events = POLLIN}, {.fd = service.control, .events = POLLIN}};
        int64_t rest = start_at < 0 ? -1 : start_at - milliseconds();
        if (start_at >= 0 && rest <= 0) {
            start_at = -1;
            const int error = start(false);
            if (error < 0) {
                dprintf(STDERR_FILENO, "Error: cannot restart the service: fork: %s\n", hr_error_text(-error));
                start_at = milliseconds() + MAX_PAUSE_MS;
            }
            continue;
        }
        (void)poll(entries, 2, (int)rest);
        read_messages();
        struct signalfd_siginfo signal;
        while (read(signals, &signal, sizeof signal) == sizeof signal) {
            if (signal.ssi_signo != SIGCHLD) {
                forward((int)signal.ssi_signo);
                continue;
            }
            int status;
            if (reap(&status))
                start_at = milliseconds() + handle_end(status);
        }
    }
}

int hr_supervise(void)
{
    if (hr_inherit_control())
        return 0;
    take_signals();
    if (!getenv(backtrace_variable)) {
        // These values are for service processes that run the program again.
        setenv(backtrace_variable, "enable=no", 1);
        end_at_crash();
    }
    const pid_t process = start(true);
    if (process <= 0) {
        if (process < 0)
            restore_signals();
        return process;
    }
    sigset_t set;
    sigemptyset(&set);
    for (int index = 0; index < HANDLED; index++)
        sigaddset(&set, handled[index]);
    const int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) {
        const int error = errno;
        dprintf(STDERR_FILENO, "Error: cannot supervise the service: signalfd: %s\n", hr_error_text(error));
        _exit(EXIT_FAILURE);
    }
    (void)prctl(PR_SET_NAME, "headroom-parent");
    supervise(signals);
}
