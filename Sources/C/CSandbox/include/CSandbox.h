// Sandboxed worker processes: start, messages, and the sandbox itself. Every function restarts after EINTR and returns
// a result or -errno.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "Converter.h"

/// The descriptors that a worker inherits, in addition to /dev/null as 0 and 1. It inherits no others.
enum hr_worker_descriptor {
    /// Standard error; an end of file at the parent's end means that the worker has exited.
    HR_WORKER_WORDS = 2,
    /// Messages, in both directions.
    HR_WORKER_CONTROL = 3,
    /// The bytes of a request; read-only for the worker.
    HR_WORKER_REQUEST = 4,
    /// The bytes of a reply.
    HR_WORKER_REPLY = 5,
};

/// The exit code of a worker after a denied system call, as a shell reports SIGSYS.
enum { HR_WORKER_DENIED = 128 + 31 };

/// The parent's handle of a worker: all descriptors are close-on-exec, `words` does not block.
struct hr_worker {
    pid_t pid;
    int words;
    int control;
    int request;
    int reply;
};

/// One message. Its data are in the memory file of the request or reply: `head` bytes at the start, followed by `body`
/// bytes.
struct hr_message {
    uint32_t version;
    uint32_t kind;
    uint64_t job;
    uint64_t head;
    uint64_t body;
    uint64_t value;
};

/// Starts the program of this process, even if its file was replaced, with only the descriptors above and the given
/// arguments and environment. Termination signals are blocked in the worker: its parent ends it.
///
/// The worker is killed when the thread that started it ends, so call this on a long-lived thread.
///
/// `program` is /proc/self/exe except in tests. `call` is the name of the failed call.
int hr_worker_start(const char *_Nonnull program, char *_Nullable const *_Nonnull arguments,
                    char *_Nullable const *_Nonnull environment, struct hr_worker *_Nonnull worker,
                    const char *_Nullable *_Nonnull call);

/// Kills the worker if it is alive and reaps it; returns the status of waitpid(2).
int hr_worker_end(pid_t pid);

/// Closes the descriptors of hr_worker_start, except for `words`.
void hr_worker_close(struct hr_worker worker);

/// The values that an inherited hard limit has reduced.
enum { HR_CUT_MEMORY = 1, HR_CUT_TIME = 2 };

/// Limits the worker's address space to `address_space` bytes, and its reply to `reply` bytes: 0; HR_CUT_MEMORY if a
/// lower hard limit applies instead; or -errno.
int hr_worker_limit_memory(pid_t pid, uint64_t address_space, uint64_t reply);

/// Limits the worker's processor time to `seconds` from now; SIGXCPU ends it afterwards. 0; HR_CUT_TIME if a lower hard
/// limit applies instead; or -errno.
int hr_worker_limit_time(pid_t pid, uint64_t seconds);

/// 0, or -errno: -EPIPE or -ECONNRESET if the peer has closed the socket.
int hr_message_send(int control, const struct hr_message *_Nonnull message);

/// 1 for a message, 0 if the peer has closed the socket, -EAGAIN if none arrived within `milliseconds` (negative: no
/// limit), or another -errno; -EPROTO for a message with a different size or version.
int hr_message_receive(int control, struct hr_message *_Nonnull message, int milliseconds);

/// Whether a message of `kind` about `job` has arrived; other messages are dropped. Does not wait.
bool hr_message_waits(int control, uint32_t kind, uint64_t job);

/// Writes a whole buffer at an offset of a memory file; 0, or -errno.
int hr_file_write(int file, const void *_Nullable bytes, size_t count, uint64_t offset);

/// Reads a whole range of a memory file; 0, or -errno: -ENODATA if the file ends too early.
int hr_file_read(int file, void *_Nullable bytes, size_t count, uint64_t offset);

/// The size of a memory file in bytes; or -errno.
int64_t hr_file_size(int file);

/// Overwrites the first `used_bytes` of a memory file with zeroes, and releases the pages beyond `kept_bytes`. Released
/// pages cost more than overwritten ones.
///
/// Returns 0, or a negative errno.
int hr_file_clear(int file, uint64_t used_bytes, uint64_t kept_bytes);

/// Prepares a worker: it ends with its parent and cannot gain privileges. -ESRCH if the parent has ended.
int hr_sandbox_prepare(const char *_Nullable *_Nonnull call);

/// Enters the sandbox irrevocably: no new files, sockets, processes or executable memory. A system call that is not
/// needed for computing ends the process, by an exit with HR_WORKER_DENIED or by SIGSYS. The parent limits memory and
/// time.
int hr_sandbox_enter(const char *_Nullable *_Nonnull call);

/// The address space in use, in bytes; or -errno. Not available in the sandbox.
int64_t hr_sandbox_address_space(void);
