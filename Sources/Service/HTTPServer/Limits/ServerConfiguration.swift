/// The limits of a server.
///
/// Each default is safe on an open network.
package struct ServerConfiguration: Sendable {
    /// The maximum length of a request line, in bytes without CRLF; a longer line gets 414.
    package var maxRequestLineBytes = 8 * 1024
    /// The maximum size of a header section, in bytes; a larger section gets 431.
    ///
    /// The limit also applies to trailers, and to the extensions of all chunks of a body together.
    package var maxHeaderBytes = 16 * 1024
    /// The maximum number of header fields; a request with more fields gets 431.
    package var maxHeaderCount = 100
    /// The maximum size of a body, in bytes after transfer decoding; a larger body gets 413.
    package var maxBodyBytes = 20 * 1024 * 1024
    /// The memory budget of all bodies that are being received or processed, in bytes.
    ///
    /// A request that exceeds it gets 503.
    ///
    /// Bytes count when they arrive, because a client can declare a length without sending anything. A body whose
    /// declared length does not fit is rejected before it is received. Each IPv4 address or IPv6 /64 network may use
    /// three quarters of the memory, or one body if that is more. Clients of a Unix socket do not have a limit per
    /// address.
    package var maxBodyBytesInFlight = 512 * 1024 * 1024
    /// The memory budget of all responses that wait to be sent, in bytes.
    ///
    /// If the budget is exceeded, the connections with the slowest recent progress are closed. If a single response
    /// exceeds the budget, it is replaced by 422. Memory that responses share counts once.
    package var maxUnsentBytes = 256 * 1024 * 1024
    /// The maximum number of open connections.
    ///
    /// At the limit, a new connection replaces the connection that has waited longest for a request, if it has waited
    /// at least ``idleGrace``. Otherwise the new connection gets 503.
    package var maxConnections = 4096
    /// The maximum number of open connections per IPv4 address or IPv6 /64 network.
    ///
    /// At the limit, a new connection replaces an idle connection from the same address or gets 503, as with
    /// ``maxConnections``. 0 disables the limit. Clients of a Unix socket and trusted proxies are not counted. All
    /// clients of an untrusted proxy count as one address. The default is more than nginx with its own defaults opens
    /// on two cores, and a quarter of ``maxConnections``.
    package var maxConnectionsPerAddress = 1024
    /// The maximum number of bytes of pipelined requests that are read while a response is pending.
    ///
    /// At the limit, the server stops reading until the response is sent. One read (64 KiB) may exceed the limit.
    package var maxPipelinedBytes = 64 * 1024
    /// Time limit for a header section from its first byte, and for the first byte of a new connection.
    package var headerTimeout: Duration = .seconds(10)
    /// Time window in which a body must be complete, or must arrive at a rate of at least ``minBytesPerSecond``.
    package var bodyTimeout: Duration = .seconds(30)
    /// Time limit between two requests on a connection.
    ///
    /// It is longer than the idle limit of most load balancers, so that they close an unused connection first. If the
    /// server closes a connection while a request is on its way, the load balancer responds with 502.
    package var idleTimeout: Duration = .seconds(75)

    /// The seconds in `Keep-Alive: timeout=…`.
    ///
    /// One less than ``idleTimeout``, so that the client closes the connection first; 0 if ``idleTimeout`` is shorter
    /// than two seconds.
    var announcedIdleSeconds: Int { max(0, Int(idleTimeout.components.seconds) - 1) }
    /// The minimum time that a connection must have been idle before it can be closed to make room for a new connection
    /// at the connection limits.
    ///
    /// A client that has just connected or has just received a response is likely to send a request.
    package var idleGrace: Duration = .seconds(1)
    /// Time window in which a client must receive its response completely, or at a rate of at least
    /// ``minBytesPerSecond``.
    ///
    /// Progress is measured by the bytes that a TCP client acknowledges, or that a client of a Unix socket reads.
    package var writeTimeout: Duration = .seconds(30)
    /// Minimum transfer rate of bodies and responses, in bytes per second.
    ///
    /// It applies to every window of ``bodyTimeout`` or ``writeTimeout``. A large image on a slow line can complete. A
    /// client that stalls is disconnected regardless of its previous rate.
    package var minBytesPerSecond = 8 * 1024
    /// Time limit for a handler after the client has closed its sending side.
    ///
    /// A FIN only means that the client does not send more. `nc -N` and some HTTP/1.0 clients still read the response.
    /// But most clients that send an early FIN have disconnected, and the server cannot distinguish the two cases
    /// before it sends a response. After this time, the handler is cancelled.
    package var halfCloseGrace: Duration = .milliseconds(500)
    /// Time limit for pending TCP handshakes to complete at shutdown.
    package var handshakeGrace: Duration = .milliseconds(100)
    /// Time limit for a new connection's first request during shutdown.
    package var firstRequestGrace: Duration = .milliseconds(500)
    /// Time limit for reading and discarding input after the last response.
    ///
    /// It lets a client that is still sending receive the response instead of a reset (RFC 9112 §9.6).
    package var lingerTimeout: Duration = .seconds(2)
    /// The maximum time that ``HTTPServer/shutdown()`` waits for requests to finish before it closes their connections.
    package var drainTimeout: Duration = .seconds(20)
    /// Length of the kernel's accept queue; the kernel caps it at `net.core.somaxconn`.
    package var backlog: Int32 = 1024
    /// Number of event loops that share the connections.
    package var loopCount = 2

    /// Creates a configuration with the default of every limit.
    package init() {}
}
