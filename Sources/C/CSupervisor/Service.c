// The functions of the service process.
// struct ucred, sigdescr_np
#define _GNU_SOURCE
#include "Control.h"
#include "Messages.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int control = -1;
static struct hr_restart last_restart;
static struct hr_kept inherited;
static pid_t parent;

void hr_use_control(int socket)
{
    control = socket;
    parent = getppid();
}

// The variable may be a leftover of another program, so the socket is used only if its other end belongs to the parent.
static bool is_control(int socket)
{
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET)
        return false;
    struct ucred peer;
    size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == getppid();
}

int hr_inherit_control(void)
{
    const char *text = getenv(HR_CONTROL_VARIABLE);
    if (!text)
        return false;
    char *end;
    const long number = strtol(text, &end, 10);
    const bool is_number = end != text && *end == 0 && number > 2 && number <= INT_MAX;
    unsetenv(HR_CONTROL_VARIABLE);
    if (!is_number || !is_control((int)number))
        return false;
    // exec(2) named the process after the program's path, "exe".
    (void)prctl(PR_SET_NAME, "headroom");
    (void)fcntl((int)number, F_SETFD, FD_CLOEXEC);
    hr_use_control((int)number);
    struct hr_control_message message;
    while (hr_receive_control(control, &message) == 1) {
        if (message.kind == HR_MESSAGE_RESTART)
            last_restart = message.restart;
        else if (message.kind == HR_MESSAGE_SOCKETS)
            hr_add_kept(&inherited, &message);
        else
            hr_close_sockets(&message);
    }
    return true;
}

bool hr_is_supervised(void) { return control >= 0; }

struct hr_restart hr_last_restart(void) { return last_restart; }

const char *hr_signal_text(int number)
{
    const char *text = sigdescr_np(number);
    return text ? text : "unknown";
}

static int signal_pipe = -1;

// May only call functions of signal-safety(7).
static void report_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    const int interrupted = errno;
    const bool counts = control < 0 || (info->si_code <= 0 && info->si_pid == parent);
    const unsigned char byte = (unsigned char)(number | (counts ? 128 : 0));
    const ssize_t written = write(signal_pipe, &byte, 1);
    (void)written;
    errno = interrupted;
}

void hr_report_signals(const int *numbers, int count, int pipe)
{
    signal_pipe = pipe;
    const struct sigaction action = {.sa_sigaction = report_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (int index = 0; index < count; index++)
        sigaction(numbers[index], &action, NULL);
}

static int send_message(struct hr_control_message *message, const char *text)
{
    if (control < 0)
        return -ENOTCONN;
    const size_t length = strlen(text);
    if (length >= sizeof message->text)
        return -ENAMETOOLONG;
    memcpy(message->text, text, length);
    return hr_send_control(control, message);
}

int hr_keep_sockets(const char *key, const int *sockets, int count)
{
    if (count < 1 || count > HR_KEPT_SOCKETS)
        return -E2BIG;
    struct hr_control_message message = {.kind = HR_MESSAGE_SOCKETS, .count = count};
    memcpy(message.sockets, sockets, sizeof(int) * (size_t)count);
    return send_message(&message, key);
}

int hr_take_sockets(const char *key, int sockets[HR_KEPT_SOCKETS])
{
    for (int index = 0; index < inherited.count; index++) {
        struct hr_control_message *entry = &inherited.entries[index];
        if (entry->count == 0 || strcmp(entry->text, key) != 0)
            continue;
        const int count = entry->count;
        memcpy(sockets, entry->sockets, sizeof(int) * (size_t)count);
        entry->count = 0;
        return count;
    }
    return 0;
}

static void report(int kind, const char *text)
{
    struct hr_control_message message = {.kind = kind};
    (void)send_message(&message, text);
}

void hr_report_ready(void)
{
    hr_close_kept(&inherited);
    report(HR_MESSAGE_READY, "");
}

void hr_report_stopping(void) { report(HR_MESSAGE_STOPPING, ""); }

void hr_report_status(const char *text) { report(HR_MESSAGE_STATUS, text); }
