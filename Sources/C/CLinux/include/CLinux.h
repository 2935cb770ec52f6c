// Sockets and memory for Swift: every function restarts after EINTR and returns a result or -errno, so that no caller
// reads errno after other calls have changed it.
#pragma once

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/// The system's text for an errno, such as "No such file or directory"; valid forever, and safe in any thread.
const char *_Nonnull hr_error_text(int number);

/// Room for a numeric IPv6 address with its scope ("fe80::1%interface") and the closing NUL.
#define HR_HOST_CAPACITY 80

/// A non-blocking, close-on-exec TCP socket that listens on `address`, or -errno. `call` is the name of the failed
/// call. With `dual_stack`, an IPv6 socket also accepts IPv4 connections.
int hr_listen_tcp(const struct sockaddr *_Nonnull address, socklen_t length, bool dual_stack, int backlog,
                  const char *_Nullable *_Nonnull call);

/// A non-blocking, close-on-exec stream socket that listens on `path`, or -errno. `call` is the name of the failed
/// call.
int hr_listen_unix(const char *_Nonnull path, int backlog, const char *_Nullable *_Nonnull call);

/// Room for the name of a Unix socket and the closing NUL.
#define HR_PATH_CAPACITY 110

/// Makes an inherited listening socket non-blocking and close-on-exec: 0, or -errno (-EINVAL if it is not a listening
/// stream socket). `address` is its address, `path` the name of a Unix socket (an abstract name starts with @, an
/// unnamed socket has an empty name). `call` is the name of the failed call.
int hr_adopt_listener(int socket, struct sockaddr_storage *_Nonnull address, char path[_Nonnull HR_PATH_CAPACITY],
                      const char *_Nullable *_Nonnull call);

/// Sends one datagram to the Unix socket `path`, which may be abstract (@name): 0, or -errno.
int hr_send_datagram(const char *_Nonnull path, const void *_Nonnull bytes, size_t count);

/// 0 if a process accepts connections on the Unix socket `path`, otherwise -errno (-ECONNREFUSED for a stale file).
int hr_probe_unix(const char *_Nonnull path);

/// The next waiting connection, non-blocking and close-on-exec, or -errno. TCP connections get TCP_NODELAY.
int hr_accept(int listener, struct sockaddr_storage *_Nonnull peer);

/// Makes the kernel refuse further connections. Queued connections, and handshakes in progress, can still be accepted.
/// Do not use it for a socket that is shared with another process, because it would also be affected.
void hr_refuse_connections(int listener);

/// Limits the kernel's send buffer of a TCP connection: at most `unsent_bytes` wait to be sent, and the connection ends
/// if the client does not acknowledge data for `timeout_ms`, even after the socket was closed.
void hr_bound_sending(int socket, int unsent_bytes, unsigned timeout_ms);

/// Bytes that were sent and not acknowledged by a TCP client, or not read by the peer of a Unix socket (in whole
/// buffers, with the kernel's overhead); or -errno. SIOCOUTQ of tcp(7).
int hr_unacknowledged(int socket);

/// Makes close(2) reset a TCP connection and discard unsent data.
void hr_reset_on_close(int socket);

/// Bytes read (0 at the end of the stream), or -errno.
ssize_t hr_receive(int socket, void *_Nonnull buffer, size_t capacity);

/// Bytes accepted by the kernel, or -errno. A closed connection is -EPIPE, never SIGPIPE.
ssize_t hr_send(int socket, struct iovec *_Nonnull vectors, int count);

/// Sends FIN; reading remains possible.
void hr_finish_sending(int socket);

/// Whether the peer has closed both directions (by a reset, or by closing a Unix socket).
bool hr_is_hung_up(int socket);

/// A readiness event of a socket.
struct hr_event {
    int socket;
    /// There are bytes, the end of the stream, or an error to read.
    bool is_readable;
    /// The socket is writable again, or an error is pending.
    bool is_writable;
    /// The peer has closed its sending side; no further event reports this.
    bool has_ended;
};

/// The maximum number of events per poll.
#define HR_POLL_CAPACITY 64

/// A close-on-exec epoll descriptor, which is readable while it has events; or -errno.
int hr_open_poller(void);

/// Adds a socket for reading: 0, or -errno. Events are edge-triggered.
int hr_watch(int poller, int socket);

/// Adds a listening socket: 0, or -errno. Events are level-triggered. If several pollers watch the socket, a connection
/// wakes one of them if possible.
int hr_watch_listener(int poller, int socket);

/// Enables or disables events for writability: 0, or -errno. A writable socket gets an event at once.
int hr_watch_writing(int poller, int socket, bool on);

/// Removes a socket; must be called before it is closed.
void hr_unwatch(int poller, int socket);

/// A close-on-exec eventfd that the poller watches: hr_wake() triggers an event, which need not be read. Or -errno.
int hr_open_waker(int poller);

/// Ends a wait of hr_poll().
void hr_wake(int waker);

/// Waits at most `milliseconds` for events and returns their number, or -errno.
int hr_poll(int poller, struct hr_event events[_Nonnull HR_POLL_CAPACITY], int milliseconds);

/// Writes the numeric host of an IPv4 or IPv6 address (an IPv4-mapped one as IPv4) and returns its port, or -1 for any
/// other family.
int hr_describe(const struct sockaddr_storage *_Nonnull address, char host[_Nonnull HR_HOST_CAPACITY]);

/// The number of descriptors that this process may open (the soft limit of RLIMIT_NOFILE).
int hr_descriptor_limit(void);

/// The number of processors that this thread may use (sched_getaffinity(2)), or -errno.
int hr_usable_processors(void);

/// Names this thread, and the process if it is its first thread; longer names are cut after 15 bytes (prctl(2),
/// PR_SET_NAME).
void hr_name_thread(const char *_Nonnull name);

/// The port a socket is bound to, or -errno.
int hr_local_port(int socket);

/// Prefaults the pages of a fresh buffer in one call; separate page faults cost several times as much.
///
/// Affects speed only. Does nothing for a small buffer, whose pages the heap already has.
void hr_lay_pages(void *_Nullable bytes, size_t count);

/// The arguments of main(3) from the C library: `count` of them, and a null. Unlike the arguments in Swift's
/// CommandLine, they do not come from /proc, which may not be mounted.
char *_Nullable const *_Nonnull hr_arguments(int *_Nonnull count);

/// A folder for ``hr_open_beneath``, close-on-exec, or -errno. It cannot be read.
int hr_open_folder(const char *_Nonnull path);

/// Opens a file below a folder for reading, close-on-exec: a descriptor, or -errno. Reading never blocks on a FIFO or a
/// device. Symbolic links are followed below the folder; a path or link that leaves it fails with -EXDEV (openat2(2),
/// RESOLVE_BENEATH). -ENOSYS before Linux 5.6.
int hr_open_beneath(int folder, const char *_Nonnull path);

/// The type of an open file, its size in bytes, and the time of its last change since 1970.
struct hr_file {
    bool is_regular;
    int64_t size;
    int64_t modified_seconds;
    int64_t modified_nanoseconds;
};

/// Describes an open file: 0, or -errno.
int hr_describe_file(int file, struct hr_file *_Nonnull description);

/// Bytes read (0 at the end of the file), or -errno.
ssize_t hr_read_file(int file, void *_Nonnull buffer, size_t capacity);

/// Occupies the numbers of standard descriptors that are closed, so that no socket or file gets them. As before, reading or
/// writing them fails with EBADF.
void hr_fill_standard_descriptors(void);

/// Starts a program from PATH: its process ID, or -errno. The first of the arguments is its name and the last is NULL.
/// `descriptors` become its standard input, output and error, or /dev/null where they are negative; it inherits no
/// other descriptors, no blocked signals, and no ignored SIGPIPE.
int hr_start_program(const char *_Nonnull name, char *_Nullable const *_Nonnull arguments,
                     const int *_Nonnull descriptors);

/// Waits for the end of a process. Returns its exit status, 256 plus the signal that ended it, or -errno.
int hr_wait_for_program(int process);

/// Opens a pipe that started programs do not inherit; the first end is for reading. Returns 0, or -errno.
int hr_open_pipe(int *_Nonnull ends);

/// The index of the first `count` bytes that equal `wanted`, in time proportional to `length`; -1 if there is no match.
ssize_t hr_find(const void *_Nullable bytes, size_t length, const void *_Nullable wanted, size_t count);
