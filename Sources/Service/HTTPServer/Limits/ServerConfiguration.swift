/// The limits of a server, each with a default that is safe on an open network.
package struct ServerConfiguration: Sendable {
    /// The maximum length of a request line, in bytes without CRLF; a longer line gets 414.
    package var maxRequestLineBytes = 8 * 1024
    /// The maximum size of a header section, in bytes; a larger section gets 431.
    ///
    /// Trailers have the same limit, and so do the extensions of all chunks of a body.
    package var maxHeaderBytes = 16 * 1024
    /// The maximum number of header fields; a request with more fields gets 431.
    package var maxHeaderCount = 100
    /// The maximum size of a body, in bytes after transfer decoding; a larger body gets 413.
    package var maxBodyBytes = 20 * 1024 * 1024
    /// Memory of all bodies that are received or processed, in bytes; a request that exceeds it gets 503.
    ///
    /// Bytes count when they arrive, because declaring a length costs a client nothing. A body whose declared length
    /// does not fit is rejected before it is received. Each IPv4 address or IPv6 /64 network may use three quarters of
    /// the memory, or one body if that is more. Clients of a Unix socket do not have an address limit.
    package var maxBodyBytesInFlight = 512 * 1024 * 1024
    /// Memory of all responses that wait to be sent, in bytes.
    ///
    /// Above it, the connections with the slowest recent progress are closed. A response that is larger by itself is
    /// replaced by 422. Memory shared by responses counts once.
    package var maxUnsentBytes = 256 * 1024 * 1024
    /// The maximum number of open connections.
    ///
    /// Above it, a new connection replaces the connection that has waited longest for a request, if the wait is at
    /// least ``idleGrace``; otherwise it gets 503.
    package var maxConnections = 4096
    /// The maximum number of open connections per IPv4 address or IPv6 /64 network.
    ///
    /// Above it, a new connection replaces an idle connection of the same address, or gets 503, like
    /// ``maxConnections``. 0 disables the limit. Clients of a Unix socket and trusted proxies are not counted. An
    /// untrusted proxy before the server counts as one address for all its clients: the default is more than nginx
    /// opens with its own defaults on two cores, and a quarter of ``maxConnections``.
    package var maxConnectionsPerAddress = 1024
    /// The maximum number of bytes of pipelined requests that are read while a response is pending.
    ///
    /// Above it the server stops reading until the response is sent. One read (64 KiB) may exceed it.
    package var maxPipelinedBytes = 64 * 1024
    /// Time limit of a header section from its first byte, and of a new connection until its first byte.
    package var headerTimeout: Duration = .seconds(10)
    /// Time window in which a body must be complete or progress at ``minBytesPerSecond``.
    package var bodyTimeout: Duration = .seconds(30)
    /// Time limit between two requests on a connection.
    ///
    /// It is longer than the limit of most load balancers, so that they close an unused connection first. If the server
    /// closes it while a request is on its way, the balancer responds 502.
    package var idleTimeout: Duration = .seconds(75)

    /// The seconds of `Keep-Alive: timeout=…`: one less than ``idleTimeout``, so that the client closes the connection
    /// first; 0 if it is shorter than two seconds.
    var announcedIdleSeconds: Int { max(0, Int(idleTimeout.components.seconds) - 1) }
    /// The minimum wait for a request before a connection may be closed to make room for a new connection above the
    /// connection limits.
    ///
    /// A client that has just connected, or has just received a response, is likely to send a request.
    package var idleGrace: Duration = .seconds(1)
    /// Time window in which a client must receive its response completely or at ``minBytesPerSecond``.
    ///
    /// Progress is measured by the bytes that a TCP client acknowledges, or that a client of a Unix socket reads.
    package var writeTimeout: Duration = .seconds(30)
    /// Minimum transfer rate of bodies and responses, in bytes per second.
    ///
    /// It applies to every window of ``bodyTimeout`` or ``writeTimeout``. A large image on a slow line
    /// completes; a client that stops is disconnected regardless of its earlier rate.
    package var minBytesPerSecond = 8 * 1024
    /// Time limit of a handler after the client has closed its sending side.
    ///
    /// A FIN only means that the client does not send more: `nc -N` and some HTTP/1.0 clients still read. But most
    /// clients that send an early FIN have disconnected, and the two cases cannot be distinguished before a response is
    /// sent. After this time the handler is cancelled.
    package var halfCloseGrace: Duration = .milliseconds(500)
    /// Time limit for TCP handshakes in progress to complete at shutdown.
    package var handshakeGrace: Duration = .milliseconds(100)
    /// Time limit of a new connection's first request during shutdown.
    package var firstRequestGrace: Duration = .milliseconds(500)
    /// Time limit for reading and discarding input after the last response, so that a client that is still sending
    /// receives the response and not a reset (RFC 9112 §9.6).
    package var lingerTimeout: Duration = .seconds(2)
    /// The maximum time for which ``HTTPServer/shutdown()`` waits for requests to finish before it closes their
    /// connections.
    package var drainTimeout: Duration = .seconds(20)
    /// Length of the kernel's accept queue; the kernel caps it at `net.core.somaxconn`.
    package var backlog: Int32 = 1024
    /// Number of event loops that share the connections.
    package var loopCount = 2

    /// Creates a configuration with the default of every limit.
    package init() {}
}

extension ContinuousClock.Instant {
    /// Upper bound of all timeouts: a larger value could overflow the instant, which traps.
    private static let longest = Duration.seconds(100 * 365 * 86_400)

    /// This instant plus a configured duration, clamped to 0 and a hundred years.
    func later(by duration: Duration) -> Self { self + min(max(duration, .zero), Self.longest) }

    /// This instant minus a configured duration, clamped to 0 and a hundred years.
    func earlier(by duration: Duration) -> Self { self - min(max(duration, .zero), Self.longest) }
}
