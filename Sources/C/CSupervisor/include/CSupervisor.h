// A parent process that restarts the service process after a crash and keeps its listening sockets open until then.
//
// The parent has one thread, and does not read settings or bytes from clients. The service passes its listening sockets
// to the parent, and the parent passes them to the next service process, so that waiting connections are accepted.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/// Splits the program into the parent, in which this call never returns, and the service process, in which it returns
/// 0. Returns -errno if no process can be started. Must be called while the program has one thread.
///
/// The parent exits with the status of the service process, or with 128 plus the number of the signal that ended it
/// while it was stopping. It forwards SIGTERM, SIGINT and SIGHUP. If the service process ends by a signal in any other
/// case, or exits before it is ready after a restart, the parent starts the program again. It gives up after five
/// consecutive exits before the service was ready.
int hr_supervise(void);

/// Whether this is a service process with a parent.
bool hr_is_supervised(void);

/// The reason why this service process was started.
struct hr_restart {
    /// The number of service processes that ended before this one.
    unsigned count;
    /// The signal that ended the last service process; 0 if it exited.
    int signal;
    /// The exit status of the last service process, if it exited.
    int status;
};

struct hr_restart hr_last_restart(void);

/// The system's text for a signal, such as "Illegal instruction"; valid forever, and safe in any thread.
const char *_Nonnull hr_signal_text(int number);

/// Writes each of these signals to a pipe as one byte, from a signal handler: its number, plus 128 if it counts as a
/// separate request to stop. With a parent, only signals that the parent forwards count: a signal to a whole process
/// group arrives twice, from its sender and from the parent.
void hr_report_signals(const int *_Nonnull numbers, int count, int pipe);

/// The maximum number of sockets of one address, and the maximum size of a key with its NUL.
#define HR_KEPT_SOCKETS 32
#define HR_KEPT_KEY 512

/// Passes listening sockets to the parent, which keeps copies: 0, or -errno.
int hr_keep_sockets(const char *_Nonnull key, const int *_Nonnull sockets, int count);

/// Takes the sockets that a previous service process passed with this key. Returns their number, which may be 0. Each
/// is returned once, close-on-exec. The caller must close them.
int hr_take_sockets(const char *_Nonnull key, int sockets[_Nonnull HR_KEPT_SOCKETS]);

/// Reports that the service accepts connections. Closes the remaining kept sockets.
void hr_report_ready(void);

/// Reports that the service is stopping: the parent closes its copies of the sockets, and starts no other process.
void hr_report_stopping(void);

/// Sends a status to the service manager from the parent, whose process ID the service manager knows.
void hr_report_status(const char *_Nonnull text);
