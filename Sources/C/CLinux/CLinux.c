// accept4, strerrordesc_np
#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <unistd.h>

const char *hr_error_text(int number)
{
    const char *text = strerrordesc_np(number);
    return text ? text : "Unknown error";
}

static int fail_closing(int socket, const char *name, const char **call)
{
    int error = errno;
    close(socket);
    *call = name;
    return -error;
}

static int listen_on(int socket, const struct sockaddr *address, socklen_t length, int backlog, const char **call)
{
    if (bind(socket, address, length) != 0)
        return fail_closing(socket, "bind", call);
    if (listen(socket, backlog) != 0)
        return fail_closing(socket, "listen", call);
    return socket;
}

int hr_listen_tcp(const struct sockaddr *address, socklen_t length, bool dual_stack, int backlog, const char **call)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        *call = "socket";
        return -errno;
    }
    int on = 1;
    // A restart must not wait for old connections in TIME_WAIT.
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0)
        return fail_closing(fd, "setsockopt", call);
    int only_v6 = !dual_stack;
    if (address->sa_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only_v6, sizeof only_v6) != 0)
        return fail_closing(fd, "setsockopt", call);
    return listen_on(fd, address, length, backlog, call);
}

static int unix_address(const char *path, struct sockaddr_un *address)
{
    size_t length = strlen(path);
    if (length == 0)
        return -EINVAL;
    if (length >= sizeof address->sun_path)
        return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    return 0;
}

int hr_listen_unix(const char *path, int backlog, const char **call)
{
    struct sockaddr_un address;
    *call = "bind";
    int error = unix_address(path, &address);
    if (error != 0)
        return error;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        *call = "socket";
        return -errno;
    }
    return listen_on(fd, (struct sockaddr *)&address, sizeof address, backlog, call);
}

int hr_probe_unix(const char *path)
{
    struct sockaddr_un address;
    int error = unix_address(path, &address);
    if (error != 0)
        return error;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    int result = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : -errno;
    close(fd);
    // A full backlog means that a listener exists.
    return result == -EAGAIN ? 0 : result;
}

int hr_adopt_listener(int fd, struct sockaddr_storage *address, char path[HR_PATH_CAPACITY], const char **call)
{
    int type = 0, listens = 0;
    socklen_t size = sizeof type;
    *call = "getsockopt";
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
        return -errno;
    size = sizeof listens;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0)
        return -errno;
    if (type != SOCK_STREAM || !listens)
        return -EINVAL;
    *call = "fcntl";
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
        return -errno;
    *call = "getsockname";
    memset(address, 0, sizeof *address);
    socklen_t length = sizeof *address;
    if (getsockname(fd, (struct sockaddr *)address, &length) != 0)
        return -errno;
    path[0] = 0;
    size_t start = offsetof(struct sockaddr_un, sun_path);
    if (address->ss_family == AF_UNIX && length > start) {
        const struct sockaddr_un *name = (const struct sockaddr_un *)address;
        memcpy(path, name->sun_path, length - start);
        path[length - start] = 0;
        if (path[0] == 0)
            path[0] = '@';
    }
    return 0;
}

int hr_send_datagram(const char *path, const void *bytes, size_t count)
{
    struct sockaddr_un address;
    int error = unix_address(path, &address);
    if (error != 0)
        return error;
    if (path[0] == '@')
        address.sun_path[0] = 0;
    // An abstract name ends after its length, not at a NUL.
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    ssize_t sent;
    do {
        sent = sendto(fd, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address, length);
    } while (sent < 0 && errno == EINTR);
    error = sent < 0 ? -errno : 0;
    close(fd);
    return error;
}

int hr_accept(int listener, struct sockaddr_storage *peer)
{
    int fd;
    do {
        socklen_t length = sizeof *peer;
        fd = accept4(listener, (struct sockaddr *)peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return -errno;
    if (peer->ss_family == AF_INET || peer->ss_family == AF_INET6) {
        int on = 1;
        // This fails only for a dead connection, which the first read reports.
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    return fd;
}

void hr_refuse_connections(int listener)
{
    int domain = 0;
    socklen_t size = sizeof domain;
    if (getsockopt(listener, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0)
        return;
    if (domain == AF_UNIX) {
        // Queued connections can still be accepted, unix(7); for TCP the same call would reset them.
        (void)shutdown(listener, SHUT_RD);
        return;
    }
    // The socket is bound to an interface that does not exist. No new SYN belongs to this socket, so the kernel
    // responds with RST as for a closed port. Existing connections and handshakes of the socket keep their interface.
    // Since Linux 5.7 this needs no privilege. Before, a connection that arrives between the last accept and close is
    // reset.
    int interface = INT_MAX;
    (void)setsockopt(listener, SOL_SOCKET, SO_BINDTOIFINDEX, &interface, sizeof interface);
}

void hr_bound_sending(int socket, int unsent_bytes, unsigned timeout_ms)
{
    // Both fail only for a dead connection, which the first read reports.
    (void)setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_bytes, sizeof unsent_bytes);
    (void)setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, sizeof timeout_ms);
}

int hr_unacknowledged(int socket)
{
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -errno;
}

void hr_reset_on_close(int socket)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

ssize_t hr_receive(int socket, void *buffer, size_t capacity)
{
    ssize_t count;
    do {
        count = recv(socket, buffer, capacity, MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

ssize_t hr_send(int socket, struct iovec *vectors, int count)
{
    struct msghdr message = {.msg_iov = vectors, .msg_iovlen = (size_t)count};
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

void hr_finish_sending(int socket) { (void)shutdown(socket, SHUT_WR); }

bool hr_is_hung_up(int socket)
{
    struct pollfd entry = {.fd = socket, .events = 0};
    return poll(&entry, 1, 0) == 1 && (entry.revents & (POLLHUP | POLLERR)) != 0;
}

int hr_open_poller(void)
{
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int control(int poller, int operation, int socket, bool writable)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET | (writable ? EPOLLOUT : 0),
                                .data.fd = socket};
    return epoll_ctl(poller, operation, socket, &event) == 0 ? 0 : -errno;
}

int hr_watch(int poller, int socket) { return control(poller, EPOLL_CTL_ADD, socket, false); }

int hr_watch_listener(int poller, int socket)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE, .data.fd = socket};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) == 0) {
        return 0;
    }
    // Kernels before 4.5 and some sandboxes do not know EPOLLEXCLUSIVE. Then every poller gets each event.
    event.events = EPOLLIN;
    return errno == EINVAL && epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) == 0 ? 0 : -errno;
}

int hr_watch_writing(int poller, int socket, bool on) { return control(poller, EPOLL_CTL_MOD, socket, on); }

void hr_unwatch(int poller, int socket) { (void)control(poller, EPOLL_CTL_DEL, socket, false); }

int hr_open_waker(int poller)
{
    int waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (waker < 0) {
        return -errno;
    }
    int status = hr_watch(poller, waker);
    if (status < 0) {
        close(waker);
        return status;
    }
    return waker;
}

// The counter is never read, because every addition triggers an edge.
void hr_wake(int waker) { (void)eventfd_write(waker, 1); }

int hr_poll(int poller, struct hr_event events[HR_POLL_CAPACITY], int milliseconds)
{
    struct epoll_event found[HR_POLL_CAPACITY];
    int count;
    do {
        count = epoll_wait(poller, found, HR_POLL_CAPACITY, milliseconds);
    } while (count < 0 && errno == EINTR);
    for (int index = 0; index < count; index++) {
        uint32_t bits = found[index].events;
        events[index] = (struct hr_event){
            .socket = found[index].data.fd,
            .is_writable = (bits & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0,
            .has_ended = (bits & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0,
            .is_readable = (bits & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0,
        };
    }
    return count < 0 ? -errno : count;
}

int hr_describe(const struct sockaddr_storage *address, char host[HR_HOST_CAPACITY])
{
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &v4->sin_addr, host, HR_HOST_CAPACITY);
        return ntohs(v4->sin_port);
    }
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) {
            inet_ntop(AF_INET, &v6->sin6_addr.s6_addr[12], host, HR_HOST_CAPACITY);
            return ntohs(v6->sin6_port);
        }
        // getnameinfo keeps the scope of a link-local address; inet_ntop does not.
        if (getnameinfo((const struct sockaddr *)v6, sizeof *v6, host, HR_HOST_CAPACITY, NULL, 0, NI_NUMERICHOST) == 0)
            return ntohs(v6->sin6_port);
    }
    return -1;
}

int hr_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT_MAX)
        return INT_MAX;
    return (int)limit.rlim_cur;
}

int hr_local_port(int socket)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &length) != 0)
        return -errno;
    char host[HR_HOST_CAPACITY];
    return hr_describe(&address, host);
}

void hr_lay_pages(void *bytes, size_t count)
{
    enum { FEWEST_BYTES = 1 << 17 };
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)bytes + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)bytes + count) & ~(page - 1);
    // Not supported before Linux 5.14; then pages are faulted in on first access.
    if (end > start && end - start >= FEWEST_BYTES)
        (void)madvise((void *)start, end - start, MADV_POPULATE_WRITE);
}

int hr_usable_processors(void)
{
    // The kernel returns EINVAL if the set has fewer bits than there are processors.
    for (int bits = 1024; bits <= 1 << 16; bits *= 2) {
        cpu_set_t *set = CPU_ALLOC(bits);
        if (!set)
            return -ENOMEM;
        size_t size = CPU_ALLOC_SIZE(bits);
        int status = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : -errno;
        CPU_FREE(set);
        if (status != -EINVAL)
            return status;
    }
    return -EINVAL;
}

void hr_name_thread(const char *name)
{
    // Fails only for an address that cannot be read.
    (void)prctl(PR_SET_NAME, name);
}

ssize_t hr_find(const void *bytes, size_t length, const void *wanted, size_t count)
{
    if (!bytes || !wanted)
        return -1;
    const char *hit = memmem(bytes, length, wanted, count);
    return hit ? hit - (const char *)bytes : -1;
}
