#include "exchange.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

static sockaddr_in loopback(unsigned host, int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(host);
    return address;
}

Exchange::Exchange(int port, unsigned number)
{
    fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        loss = std::string("socket: ") + std::strerror(errno);
        return;
    }
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    const sockaddr_in from = loopback(0x7f010001 + number % 60000, 0), to = loopback(INADDR_LOOPBACK, port);
    if (bind(fd, reinterpret_cast<const sockaddr *>(&from), sizeof from) != 0 ||
        (connect(fd, reinterpret_cast<const sockaddr *>(&to), sizeof to) != 0 && errno != EINPROGRESS))
        loss = std::string("connect: ") + std::strerror(errno);
}

Exchange::~Exchange()
{
    if (fd >= 0)
        close(fd);
}

Exchange::State Exchange::begin(const std::string &bytes, Clock::time_point wasDue)
{
    due = wasDue;
    request = &bytes;
    sent = bodyLeft = 0;
    status = 0;
    hasHead = hasRetryAfter = keepsOpen = false;
    head.clear();
    return loss.empty() ? advance() : State::lost;
}

Exchange::State Exchange::advance()
{
    // A response may arrive before the request is sent completely, for example a rejection.
    const State state = receive();
    return state == State::open && request && sent < request->size() ? send() : state;
}

Exchange::State Exchange::lose(const char *why, int error)
{
    loss = std::string(why) + (error ? ": " + std::string(std::strerror(error)) : "") + (sent ? "" : ", nothing sent");
    return State::lost;
}

Exchange::State Exchange::send()
{
    while (sent < request->size()) {
        const ssize_t count = ::send(fd, request->data() + sent, request->size() - sent, MSG_NOSIGNAL);
        if (count >= 0)
            sent += count;
        else if (errno == EAGAIN || errno == ENOTCONN)
            return State::open;
        // A server that rejects the request may already have responded and closed the connection. Then the response is
        // used.
        else if (errno == EPIPE || errno == ECONNRESET)
            return receive();
        else
            return lose("send", errno);
    }
    return State::open;
}

Exchange::State Exchange::receive()
{
    static char bytes[256 * 1024];
    while (true) {
        const ssize_t count = recv(fd, bytes, sizeof bytes, 0);
        if (count > 0) {
            if (!request)
                return lose("bytes without a request", 0);
            if (take(bytes, count)) {
                request = nullptr;
                return State::answered;
            }
            // Fewer bytes than the buffer size mean that no more bytes are available.
            if (static_cast<std::size_t>(count) < sizeof bytes)
                return State::open;
        } else if (count == 0) {
            return lose("closed", 0);
        } else {
            return errno == EAGAIN || errno == ENOTCONN ? State::open : lose("receive", errno);
        }
    }
}

// Returns whether these bytes complete the response.
bool Exchange::take(const char *bytes, std::size_t count)
{
    if (!hasHead) {
        const std::size_t before = head.size();
        head.append(bytes, count);
        const std::size_t end = head.find("\r\n\r\n");
        if (end == std::string::npos)
            return false;
        count -= end + 4 - before;
        head.resize(end + 2);
        hasHead = true;
        status = head.size() > 12 ? std::atoi(&head[9]) : 0;
        bodyLeft = std::strtoul(field("content-length").c_str(), nullptr, 10);
        hasRetryAfter = !field("retry-after").empty();
        keepsOpen = field("connection") != "close";
    }
    bodyLeft -= std::min(bodyLeft, count);
    return bodyLeft == 0;
}

std::string Exchange::field(const char *name) const
{
    const std::size_t length = std::strlen(name);
    for (std::size_t line = head.find("\r\n"); line + 2 < head.size(); line = head.find("\r\n", line + 2)) {
        const char *start = &head[line + 2];
        if (strncasecmp(start, name, length) == 0 && start[length] == ':') {
            const std::size_t value = line + 2 + length + 1 + (start[length + 1] == ' ');
            return head.substr(value, head.find("\r\n", value) - value);
        }
    }
    return "";
}
