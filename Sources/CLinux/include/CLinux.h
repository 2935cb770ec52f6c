// Sockets and memory in the shape Swift wants them: every function restarts after EINTR and answers with a result or
// -errno, so that no caller reads errno after other work has changed it.
#pragma once

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/// Room for a numeric IPv6 address with its scope ("fe80::1%interface") and the closing NUL.
#define HR_HOST_CAPACITY 80

/// A non-blocking, close-on-exec TCP socket that listens on `address`, or -errno. `call` names the call that failed.
/// With `dual_stack` an IPv6 socket takes IPv4 connections as well.
int hr_listen_tcp(const struct sockaddr *_Nonnull address, socklen_t length, bool dual_stack, int backlog,
                  const char *_Nullable *_Nonnull call);

/// A non-blocking, close-on-exec stream socket that listens on `path`, or -errno. `call` names the call that failed.
int hr_listen_unix(const char *_Nonnull path, int backlog, const char *_Nullable *_Nonnull call);

/// Room for the name of a Unix socket and the closing NUL.
#define HR_PATH_CAPACITY 109

/// Makes a socket that somebody else has made and listens on non-blocking and close-on-exec: 0, or -errno (-EINVAL when
/// it is no stream socket that listens). `address` is where it listens, `path` the name of a Unix socket (an abstract one
/// begins with @, one without a name is empty). `call` names the call that failed.
int hr_adopt_listener(int socket, struct sockaddr_storage *_Nonnull address, char path[_Nonnull HR_PATH_CAPACITY],
                      const char *_Nullable *_Nonnull call);

/// Sends one datagram to the Unix socket `path`, which may be abstract (@name): 0, or -errno.
int hr_send_datagram(const char *_Nonnull path, const void *_Nonnull bytes, size_t count);

/// 0 when something accepts connections on the Unix socket `path`, else -errno (-ECONNREFUSED for an abandoned one).
int hr_probe_unix(const char *_Nonnull path);

/// The next waiting connection, non-blocking and close-on-exec, or -errno. TCP connections get TCP_NODELAY.
int hr_accept(int listener, struct sockaddr_storage *_Nonnull peer);

/// Bytes read (0 at the end of the stream), or -errno.
ssize_t hr_receive(int socket, void *_Nonnull buffer, size_t capacity);

/// Bytes taken by the kernel, or -errno. A peer that has left is -EPIPE, never SIGPIPE.
ssize_t hr_send(int socket, struct iovec *_Nonnull vectors, int count);

/// Sends FIN; reading goes on.
void hr_finish_sending(int socket);

/// Whether the peer is gone in both directions (it reset the connection, or closed a Unix socket).
bool hr_is_hung_up(int socket);

/// What has become of a socket that a poller watches.
struct hr_event {
    int socket;
    /// There are bytes, the end of the stream, or an error to read.
    bool is_readable;
    /// It takes bytes again, or an error instead.
    bool is_writable;
    /// The peer sends no more; no further event tells of that.
    bool has_ended;
};

/// The most events that one poll gives.
#define HR_POLL_CAPACITY 64

/// A close-on-exec descriptor that watches sockets (epoll), and is readable while it has events; or -errno.
int hr_open_poller(void);

/// Watches a socket for reading: 0, or -errno. There is an event whenever something new has come (edge-triggered).
int hr_watch(int poller, int socket);

/// Watches a socket for writing too, or no longer: 0, or -errno. Where it takes bytes already there is an event for that.
int hr_watch_writing(int poller, int socket, bool on);

/// Stops watching; to be called before the socket is closed.
void hr_unwatch(int poller, int socket);

/// The events that there are, without waiting for any: how many, or -errno.
int hr_poll(int poller, struct hr_event events[_Nonnull HR_POLL_CAPACITY]);

/// Writes the numeric host of an IPv4 or IPv6 address (an IPv4-mapped one as IPv4) and returns its port, or -1 for any
/// other family.
int hr_describe(const struct sockaddr_storage *_Nonnull address, char host[_Nonnull HR_HOST_CAPACITY]);

/// How many descriptors this process may have open at present (the soft limit of RLIMIT_NOFILE).
int hr_descriptor_limit(void);

/// The port a socket is bound to, or -errno.
int hr_local_port(int socket);

/// Has the kernel lay the pages of a fresh buffer in one call: a fault for each costs several times as much.
///
/// Only a matter of speed, and nothing happens for a small buffer, whose pages the heap has already.
void hr_lay_pages(void *_Nullable bytes, size_t count);
