import CLinux
import Glibc
import Logging

extension Listener {
    /// Attempts to find a port that is free on all addresses of a name.
    private static let maxPortAttempts = 8

    /// Listens on every socket address of `address`.
    ///
    /// - Throws: ``SocketError`` if no address is available or one is in use. Nothing remains open then.
    static func listen(on address: ListenAddress, backlog: Int32, logger: Logger) throws(SocketError) -> [Listener] {
        switch address {
        case .inherited(let descriptor): return [try adopt(descriptor, logger: logger)]
        case .unix(let path): return [try listen(onPath: path, backlog: backlog, logger: logger)]
        case .tcp(let host, let port):
            for _ in 1..<maxPortAttempts where port == 0 {
                do {
                    return try listen(onHost: host, port: port, backlog: backlog, logger: logger)
                } catch  where error.errno == EADDRINUSE {
                    continue
                }
            }
            return try listen(onHost: host, port: port, backlog: backlog, logger: logger)
        }
    }

    private static func listen(
        onHost host: String,
        port: UInt16,
        backlog: Int32,
        logger: Logger
    ) throws(SocketError) -> [Listener] {
        let action = "cannot listen on \(ListenAddress.tcp(host: host, port: port))"
        let resolved = try ResolvedAddresses(host: host, port: port, action: action)
        var listeners: [Listener] = []
        var firstError: SocketError?
        // A name such as localhost has several addresses; a host may lack one of them, often IPv6.
        for entry in resolved.entries {
            var call: UnsafePointer<CChar>?
            let isDualStack = host == "::"
            let boundPort = listeners.first?.address.port ?? port
            let descriptor = entry.withPort(boundPort) { hr_listen_tcp($0, $1, isDualStack, backlog, &call) }
            if descriptor >= 0 {
                let realPort = UInt16(exactly: hr_local_port(descriptor)) ?? boundPort
                listeners.append(
                    Listener(
                        adopting: descriptor,
                        address: .tcp(host: host, port: realPort),
                        unixSocket: nil,
                        logger: logger
                    )
                )
                continue
            }
            let error = SocketError(action: action, call: call.map { String(cString: $0) } ?? "", errno: -descriptor)
            // With only a part of the addresses, some clients would reach the other process.
            if error.errno == EADDRINUSE { throw error }
            firstError = firstError ?? error
        }
        if listeners.isEmpty, let firstError { throw firstError }
        return listeners
    }

    /// Adopts a listening socket.
    private static func adopt(_ descriptor: Int32, logger: Logger) throws(SocketError) -> Listener {
        var storage = sockaddr_storage()
        var path = [CChar](repeating: 0, count: Int(HR_PATH_CAPACITY))
        var call: UnsafePointer<CChar>?
        let status = hr_adopt_listener(descriptor, &storage, &path, &call)
        guard status == 0 else {
            throw SocketError(
                action: "cannot listen on \(ListenAddress.inherited(descriptor: descriptor))",
                call: call.map { String(cString: $0) } ?? "",
                errno: -status
            )
        }
        let peer = PeerAddress(storage)
        let address: BoundAddress =
            if let host = peer.host, let port = peer.port {
                .tcp(host: host, port: port)
            } else {
                .unix(path: path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
            }
        return Listener(adopting: descriptor, address: address, unixSocket: nil, isShared: true, logger: logger)
    }

    private static func listen(onPath path: String, backlog: Int32, logger: Logger) throws(SocketError) -> Listener {
        // A killed server leaves its file behind, and bind(2) does not replace it.
        if let file = UnixSocketFile(path: path), hr_probe_unix(path) == -ECONNREFUSED { file.remove() }
        var call: UnsafePointer<CChar>?
        let descriptor = hr_listen_unix(path, backlog, &call)
        guard descriptor >= 0 else {
            throw SocketError(
                action: "cannot listen on \(ListenAddress.unix(path: path))",
                call: call.map { String(cString: $0) } ?? "",
                errno: -descriptor
            )
        }
        return Listener(
            adopting: descriptor,
            address: .unix(path: path),
            unixSocket: UnixSocketFile(path: path),
            logger: logger
        )
    }
}
