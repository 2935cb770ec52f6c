import CTLS
import Glibc

/// The byte stream of a connection: a socket, optionally with TLS.
///
/// Each call has a deadline.
struct RedisStream: ~Copyable {
    /// The maximum number of addresses of a name that are tried.
    private static let maxAddresses = 8

    private let descriptor: Int32
    private var session: OpaquePointer?

    private init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        if let session { hr_tls_free(session) }
        close(descriptor)
    }

    /// Connects to a server.
    ///
    /// If there is a TLS context, also completes the handshake.
    ///
    /// The system's resolver uses its own time limits.
    static func open(
        _ endpoint: RedisEndpoint,
        _ context: RedisTLSContext?,
        by deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisStream {
        var stream = try connect(endpoint, by: deadline)
        if let context {
            let session = try context.session(on: stream.descriptor, host: endpoint.host)
            stream.session = session
            do throws(RedisFailure) {
                _ = try stream.encrypted(by: deadline) { hr_tls_handshake(session, &$0) }
            } catch {
                guard error == .timeout else { throw error }
                // A Redis server without TLS waits for the rest of a command.
                throw RedisFailure(description: "TLS: no reply in time; expected a server that uses TLS")
            }
        }
        return stream
    }

    /// Connects to a Unix socket.
    ///
    /// The path must have at most 107 bytes.
    static func open(path: String, by deadline: ContinuousClock.Instant) throws(RedisFailure) -> RedisStream {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let stream = try socket(AF_UNIX)
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(stream.descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        try stream.awaitConnection(result == 0 ? 0 : errno, by: deadline)
        return stream
    }

    /// Sends all bytes.
    func send(_ bytes: UnsafeRawBufferPointer, by deadline: ContinuousClock.Instant) throws(RedisFailure) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count: Int
            if let session {
                let number = rest.count
                count = try encrypted(by: deadline) { hr_tls_send(session, start, number, &$0) }
            } else {
                count = try plain(POLLOUT, by: deadline) {
                    Glibc.send(descriptor, start, rest.count, Int32(MSG_NOSIGNAL))
                }
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Receives bytes into a non-empty buffer.
    ///
    /// Returns the number of bytes, at least 1.
    func receive(
        into buffer: UnsafeMutableRawBufferPointer,
        by deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> Int {
        if let session, let start = buffer.baseAddress {
            return try encrypted(by: deadline) { hr_tls_receive(session, start, buffer.count, &$0) }
        }
        let count = try plain(POLLIN, by: deadline) { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
        guard count > 0 else { throw RedisFailure(description: "the server closed the connection") }
        return count
    }

    // MARK: Connecting

    private static func connect(
        _ endpoint: RedisEndpoint,
        by deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisStream {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(endpoint.host, "\(endpoint.port)", &hints, &found)
        guard status == 0, let found else {
            throw RedisFailure(description: "the name cannot be resolved: \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(found) }
        let addresses = Array(sequence(first: found, next: \.pointee.ai_next).prefix(maxAddresses))
        var failure = RedisFailure(description: "the name has no address")
        for (index, address) in addresses.enumerated() {
            // An address that does not respond must leave enough time for the other addresses.
            let rest = ContinuousClock.now.duration(to: deadline) / (addresses.count - index)
            do throws(RedisFailure) {
                let stream = try socket(address.pointee.ai_family)
                var on: Int32 = 1
                setsockopt(stream.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                let result = Glibc.connect(stream.descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen)
                try stream.awaitConnection(result == 0 ? 0 : errno, by: .now + rest)
                return stream
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func socket(_ family: Int32) throws(RedisFailure) -> RedisStream {
        // OpenSSL sends with write(2), which raises SIGPIPE if the peer has closed the connection.
        signal(SIGPIPE, SIG_IGN)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(family, kind, 0)
        guard descriptor >= 0 else { throw RedisFailure(system: errno) }
        return RedisStream(adopting: descriptor)
    }

    /// Waits until a connection is established.
    ///
    /// `number` is the error number from starting the connection, or 0.
    private func awaitConnection(_ number: Int32, by deadline: ContinuousClock.Instant) throws(RedisFailure) {
        if number == 0 { return }
        guard number == EINPROGRESS else { throw RedisFailure(system: number) }
        try awaitReadiness(POLLOUT, by: deadline)
        var result: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &result, &size)
        if result != 0 { throw RedisFailure(system: result) }
    }

    // MARK: Waiting

    /// Repeats a call on the TLS session until it succeeds or fails.
    private func encrypted(
        by deadline: ContinuousClock.Instant,
        _ call: (inout [CChar]) -> Int
    ) throws(RedisFailure) -> Int {
        var error = [CChar](repeating: 0, count: Int(HR_TLS_ERROR_CAPACITY))
        while true {
            let result = call(&error)
            switch Int32(result) {
            case HR_TLS_WANTS_READ: try awaitReadiness(POLLIN, by: deadline)
            case HR_TLS_WANTS_WRITE: try awaitReadiness(POLLOUT, by: deadline)
            case HR_TLS_FAILED: throw RedisFailure(text: error)
            default: return result
            }
        }
    }

    /// Repeats a call on the socket until it succeeds or fails.
    private func plain(
        _ event: Int32,
        by deadline: ContinuousClock.Instant,
        _ call: () -> Int
    ) throws(RedisFailure) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            switch errno {
            case EINTR: continue
            case EAGAIN: try awaitReadiness(event, by: deadline)
            default: throw RedisFailure(system: errno)
            }
        }
    }

    private func awaitReadiness(_ event: Int32, by deadline: ContinuousClock.Instant) throws(RedisFailure) {
        while true {
            // The time is rounded up, so that the wait does not end before the deadline.
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw .timeout }
            var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let milliseconds = Int32(min(rest / .milliseconds(1), 60_000).rounded(.up))
            let count = poll(&entry, 1, milliseconds)
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw RedisFailure(system: errno) }
        }
    }
}

extension RedisFailure {
    /// Creates the failure for the error number of a system call.
    fileprivate init(system number: Int32) { self.init(description: String(cString: strerror(number))) }
}
