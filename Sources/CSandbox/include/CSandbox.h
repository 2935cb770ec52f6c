// A process that works for another one and can reach nothing: how it is started, what the two say to each other, and how
// the doors are closed behind it. Every function restarts after EINTR and answers with a result or -errno.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The descriptors that a worker is born with, besides /dev/null as 0 and 1. It has no others.
enum hr_worker_descriptor {
    /// Where it may complain; the other end learns from it that the worker is gone.
    HR_WORKER_WORDS = 2,
    /// Messages, both ways.
    HR_WORKER_CONTROL = 3,
    /// The bytes of a request; the worker can only read them.
    HR_WORKER_REQUEST = 4,
    /// The bytes of a reply.
    HR_WORKER_REPLY = 5,
};

/// What a worker exits with that asked the system for something it may not have: as a shell tells SIGSYS.
enum { HR_WORKER_DENIED = 128 + 31 };

/// A started worker, as its parent holds it: all descriptors are close-on-exec, `words` does not block.
struct hr_worker {
    pid_t pid;
    int words;
    int control;
    int request;
    int reply;
};

/// One message. The bytes that it speaks of lie in the request's or reply's memory file: `head` bytes from its start, then
/// `body` bytes.
struct hr_message {
    uint32_t version;
    uint32_t kind;
    uint64_t job;
    uint64_t head;
    uint64_t body;
    uint64_t value;
};

/// Starts the program of this very process, even when its file was replaced since, with nothing but the descriptors above
/// and the given arguments and environment. Signals that ask a process to stop are blocked in it: its parent decides.
///
/// A worker asks to be killed when the thread that started it ends, so call this on one that lasts.
///
/// `program` is /proc/self/exe unless a test has another. `call` names the call that failed.
int hr_worker_start(const char *_Nonnull program, char *_Nullable const *_Nonnull arguments,
                    char *_Nullable const *_Nonnull environment, struct hr_worker *_Nonnull worker,
                    const char *_Nullable *_Nonnull call);

/// Kills the worker if it is alive and waits for its end; returns the status of waitpid(2).
int hr_worker_end(pid_t pid);

/// Closes what hr_worker_start opened, but for `words`.
void hr_worker_close(struct hr_worker worker);

/// Limits the worker's address space to `address_space` bytes, and its reply to `reply` bytes.
int hr_worker_limit_memory(pid_t pid, uint64_t address_space, uint64_t reply);

/// Lets the worker use `seconds` of processor time from now on; beyond them it is ended by SIGXCPU.
int hr_worker_limit_time(pid_t pid, uint64_t seconds);

/// 0, or -errno: -EPIPE or -ECONNRESET when the other side is gone.
int hr_message_send(int control, const struct hr_message *_Nonnull message);

/// 1 for a message, 0 when the other side is gone, -EAGAIN when none came within `milliseconds` (negative: no limit), or
/// another -errno; -EPROTO for one of another size or version.
int hr_message_receive(int control, struct hr_message *_Nonnull message, int milliseconds);

/// Whether a message of `kind` about `job` has come; other messages that came are dropped. Never waits.
bool hr_message_waits(int control, uint32_t kind, uint64_t job);

/// Writes all of a buffer at an offset of a memory file; 0, or -errno.
int hr_file_write(int file, const void *_Nullable bytes, size_t count, uint64_t offset);

/// Reads all of a range of a memory file; 0, or -errno: -ENODATA when the file ends before it.
int hr_file_read(int file, void *_Nullable bytes, size_t count, uint64_t offset);

/// The bytes that a memory file has; or -errno.
int64_t hr_file_size(int file);

/// Gives a memory file's memory back, unless it is small.
void hr_file_trim(int file, uint64_t kept_bytes);

/// The first half of what makes a worker: it dies with its parent and gains no rights. -ESRCH when the parent is gone.
int hr_sandbox_prepare(const char *_Nullable *_Nonnull call);

/// Closes the doors for good: no new files, sockets, processes or executable memory; from now on a system call that is
/// not needed to compute ends the process, by an exit with HR_WORKER_DENIED or by SIGSYS. Memory and time are left to the parent to limit.
int hr_sandbox_enter(const char *_Nullable *_Nonnull call);

/// The address space in use, in bytes; -errno. Not in the sandbox.
int64_t hr_sandbox_address_space(void);
