extension HTTPServer {
    /// The limits of a server, each with a default that is safe on an open network.
    package struct Configuration: Sendable {
        /// The longest request line, in bytes without CRLF; a longer one gets 414.
        package var maxRequestLineBytes = 8 * 1024

        /// The largest header section, in bytes; a larger one gets 431.
        ///
        /// Trailers, and the extensions of all chunks of a body, have the same limit of their own.
        package var maxHeaderBytes = 16 * 1024

        /// The most header fields; more get 431.
        package var maxHeaderCount = 100

        /// The largest body, in bytes after transfer decoding; a larger one gets 413.
        package var maxBodyBytes = 20 * 1024 * 1024

        /// How many bytes all bodies together may have which are being received or worked on; one that goes above gets 503.
        ///
        /// Counted as they arrive, for a declared length costs a client nothing.
        package var maxBodyBytesInFlight = 512 * 1024 * 1024

        /// The most connections at a time; further ones get 503.
        package var maxConnections = 4096

        /// The most connections at a time from one IPv4 address, or from the 2^64 IPv6 addresses that begin alike; further
        /// ones get 503.
        ///
        /// 0 sets no limit. Clients of a Unix socket are not counted. A proxy in front is one address for all its clients:
        /// the default is more than nginx opens with its own on two cores, and a quarter of ``maxConnections``.
        package var maxConnectionsPerAddress = 1024

        /// How many bytes of further requests are taken in while one is being answered.
        ///
        /// Above this the server stops reading, and the client has to wait. One read (64 KiB) may come on top.
        package var maxPipelinedBytes = 64 * 1024

        /// The time a header section may take from its first byte, and a new connection until its first byte.
        package var headerTimeout: Duration = .seconds(10)

        /// The time a body may take, apart from what ``minBytesPerSecond`` allows it in addition.
        package var bodyTimeout: Duration = .seconds(30)

        /// The time a connection may stay open between two requests.
        package var idleTimeout: Duration = .seconds(60)

        /// The time an answer may take to be sent, apart from what ``minBytesPerSecond`` allows it in addition.
        package var writeTimeout: Duration = .seconds(30)

        /// The slowest rate of bodies and answers that is borne for longer than their timeouts, in bytes per second.
        ///
        /// With every this many bytes that arrive (or leave), one more second is granted. So neither a large picture
        /// on a slow line is cut off, nor can a client hold a connection with a byte now and then.
        package var minBytesPerSecond = 8 * 1024

        /// How long an answer may take that a client waits for after it has ended its own side of the connection.
        ///
        /// A FIN says only that the client sends no more: `nc -N` and some HTTP/1.0 clients still read. But most
        /// clients that send one early have left, and nothing tells the two apart before an answer is sent to them.
        /// So work goes on this long, and is then cancelled.
        package var halfCloseGrace: Duration = .milliseconds(500)

        /// How long the server reads and discards after its last answer, so that a client that is still sending sees
        /// the answer and not a reset (RFC 9112 §9.6).
        package var lingerTimeout: Duration = .seconds(2)

        /// How long ``HTTPServer/shutdown()`` waits for requests to finish before it closes their connections.
        package var drainTimeout: Duration = .seconds(20)

        /// How many connections the kernel holds until they are accepted; it caps this at `net.core.somaxconn`.
        package var backlog: Int32 = 1024

        /// How many serial queues the connections are spread over.
        package var loopCount = 2

        package init() {}
    }
}
