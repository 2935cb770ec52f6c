import CLinux
import Dispatch
import Glibc
import Logging
import TotalFunctions

/// One listening socket; owns its descriptor.
///
/// `@unchecked Sendable`: after ``start(onAccept:)`` all state is accessed only on `queue`.
final class Listener: @unchecked Sendable {
    /// Maximum number of connections accepted per event, so that other events are handled in between.
    private static let maxAcceptsPerEvent = 64

    /// Maximum number of waiting connections accepted at shutdown; more than the size of the default accept queue.
    private static let maxAcceptsAtStop = 8192

    /// Pause of accepting when descriptors or memory are exhausted.
    ///
    /// The listening socket stays readable during the pause. Without the pause the loop would spin.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    /// The number of descriptors reserved for the rest of the process; at most a quarter of the limit.
    ///
    /// Accepting until EMFILE is not possible: Dispatch monitors its threads through /proc
    /// (`_dispatch_workq_monitor_pools`) and traps if it cannot open a file in it.
    private static let reservedDescriptors: Int32 = 64

    private enum AcceptOutcome {
        /// The accept queue is empty, or the limit per event is reached.
        case done
        /// Descriptors or memory are exhausted.
        case short
    }

    let address: BoundAddress
    /// Whether another process may listen on the same socket.
    private let isShared: Bool
    let descriptor: Int32
    private let unixSocket: UnixSocketFile?
    private let logger: Logger
    private let queue = DispatchQueue(label: "headroom.http.accept", qos: .userInteractive)
    private var source: (any DispatchSourceRead)?
    private var onAccept: ((Int32, PeerAddress) -> Bool)?
    private var isSuspended = false
    /// Whether descriptors or memory are exhausted.
    private var isShort = false
    /// Whether the connection limit is reached; the kernel queues more connections.
    private var isFull = false
    /// Whether the current series of pauses has been logged.
    private var hasWarned = false
    private var isStopped = false

    /// Adopts a listening socket.
    init(
        adopting descriptor: Int32,
        address: BoundAddress,
        unixSocket: UnixSocketFile?,
        isShared: Bool = false,
        logger: Logger
    ) {
        self.descriptor = descriptor
        self.isShared = isShared
        self.address = address
        self.unixSocket = unixSocket
        self.logger = logger
    }

    deinit {
        guard !isStopped else { return }
        unixSocket?.remove()
        close(descriptor)
    }

    /// Accepts connections; `onAccept` takes ownership of the descriptor and returns whether another connection can be
    /// accepted.
    ///
    /// If not, accepting pauses until ``resume()``.
    func start(onAccept: @escaping @Sendable (Int32, PeerAddress) -> Bool) {
        queue.async {
            guard !self.isStopped else { return }
            self.onAccept = onAccept
            let source = DispatchSource.makeReadSource(fileDescriptor: self.descriptor, queue: self.queue)
            source.setEventHandler { self.accept(atMost: Self.maxAcceptsPerEvent) }
            self.source = source
            source.activate()
        }
    }

    /// Resumes accepting after the connection limit.
    func resume() {
        queue.async {
            self.isFull = false
            self.suspendOrResume()
        }
    }

    /// Stops listening: the kernel immediately refuses new connections, queued connections are accepted, and the socket
    /// is closed.
    ///
    /// A socket that another process shares is closed when its queue is empty: later connections wait for that process.
    ///
    /// - Parameters:
    ///   - handshakeGrace: Time limit for handshakes in progress.
    ///   - timeout: Time limit for connections that cannot be accepted due to a lack of descriptors.
    ///   - onStopped: Called when the socket is closed.
    func stop(handshakeGrace: Duration, timeout: Duration, _ onStopped: @escaping @Sendable () -> Void) {
        queue.async {
            guard !self.isStopped else { return onStopped() }
            self.isStopped = true
            self.unixSocket?.remove()
            guard let source = self.source else {
                close(self.descriptor)
                return onStopped()
            }
            if !self.isSuspended { source.suspend() }
            let end = DispatchTime.now() + timeout.timeInterval
            guard !self.isShared else { return self.acceptRest(until: end, onStopped) }
            hr_refuse_connections(self.descriptor)
            self.accept(atMost: Self.maxAcceptsAtStop)
            guard case .tcp = self.address, handshakeGrace > .zero else {
                return self.acceptRest(until: end, onStopped)
            }
            self.queue.asyncAfter(deadline: .now() + handshakeGrace.timeInterval) {
                self.acceptRest(until: end, onStopped)
            }
        }
    }

    private func acceptRest(until end: DispatchTime, _ onStopped: @escaping @Sendable () -> Void) {
        if accept(atMost: Self.maxAcceptsAtStop) == .short, .now() < end {
            return queue.asyncAfter(deadline: .now() + Self.pause) { self.acceptRest(until: end, onStopped) }
        }
        guard let source else { return onStopped() }
        source.setCancelHandler {
            close(self.descriptor)
            self.source = nil
            self.onAccept = nil
            onStopped()
        }
        source.resume()
        source.cancel()
    }

    @discardableResult
    private func accept(atMost limit: Int) -> AcceptOutcome {
        var address = sockaddr_storage()
        // bounded: the limit is a constant
        for _ in 0..<limit {
            let result = hr_accept(descriptor, &address)
            if result >= 0 {
                // The kernel assigns the lowest free number, so a high number means that few descriptors are free.
                let limit = hr_descriptor_limit()
                guard result < limit - min(Self.reservedDescriptors, limit / 4) else {
                    close(result)
                    pause(errno: EMFILE)
                    return .short
                }
                guard onAccept?(result, PeerAddress(address)) == false, !isStopped else { continue }
                isFull = true
                suspendOrResume()
                return .done
            }
            switch -result {
            case EAGAIN:
                hasWarned = false
                return .done
            // A stopping Unix socket does not have more connections.
            case EINVAL where isStopped: return .done
            // Errors of one connection (accept(2), network errors); the other connections remain in the queue.
            case ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET, ENOPROTOOPT,
                EOPNOTSUPP:
                continue
            // Usually EMFILE, ENFILE, ENOBUFS or ENOMEM.
            default:
                pause(errno: -result)
                return .short
            }
        }
        return .done
    }

    private func pause(errno: Int32) {
        guard !isStopped, !isShort else { return }
        isShort = true
        if !hasWarned {
            hasWarned = true
            let error = SocketError(action: "cannot accept on \(address)", call: "accept4", errno: errno)
            logger.warning("accepting paused", metadata: ["error": "\(error)"])
        }
        suspendOrResume()
        queue.asyncAfter(deadline: .now() + Self.pause) {
            self.isShort = false
            self.suspendOrResume()
        }
    }

    private func suspendOrResume() {
        guard !isStopped, let source, isSuspended != (isShort || isFull) else { return }
        isSuspended.toggle()
        if isSuspended { source.suspend() } else { source.resume() }
    }
}

extension Duration {
    /// The Dispatch interval, rounded to milliseconds; at most one hour.
    fileprivate var timeInterval: DispatchTimeInterval {
        .milliseconds(Int(clamping: min(max(self, .zero), .seconds(3600)) / .milliseconds(1)))
    }
}

extension Listener {
    /// Attempts to find a port that is free on all addresses of a name.
    private static let maxPortAttempts = 8

    /// Listens on every socket address of `address`.
    ///
    /// - Throws: ``SocketError`` if no address is available or an address is in use. In this case no socket remains
    ///   open.
    static func listen(on address: ListenAddress, backlog: Int32, logger: Logger) throws(SocketError) -> [Listener] {
        switch address {
        case .inherited(let descriptor): return [try adopt(descriptor, logger: logger)]
        case .unix(let path): return [try listen(onPath: path, backlog: backlog, logger: logger)]
        case .tcp(let host, let port):
            do {
                return try listen(onFreePort: port, ofHost: host, backlog: backlog, logger: logger)
            } catch  where host == ListenAddress.wildcard && error.isLackOfIPv6 {
                let fallback = ListenAddress.wildcardOfIPv4
                let listeners = try listen(onFreePort: port, ofHost: fallback, backlog: backlog, logger: logger)
                logger.notice(
                    "IPv6 is disabled on this machine; listening on IPv4 only",
                    metadata: ["address": "\(listeners.first?.address ?? address)", "error": "\(error)"]
                )
                return listeners
            }
        }
    }

    /// Listens on every address of a host; port 0 is replaced by a port that is free on every address.
    private static func listen(
        onFreePort port: UInt16,
        ofHost host: String,
        backlog: Int32,
        logger: Logger
    ) throws(SocketError) -> [Listener] {
        for _ in 1..<maxPortAttempts where port == 0 {
            do {
                return try listen(onHost: host, port: port, backlog: backlog, logger: logger)
            } catch  where error.errno == EADDRINUSE {
                continue
            }
        }
        return try listen(onHost: host, port: port, backlog: backlog, logger: logger)
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
        // A name such as localhost has several addresses; a host may lack one of these addresses, often IPv6.
        for entry in resolved.entries {
            var call: UnsafePointer<CChar>?
            let isDualStack = host == ListenAddress.wildcard
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
            // With only some of the addresses, some clients would reach the other process.
            if error.errno == EADDRINUSE { throw error }
            firstError = firstError ?? error
        }
        if listeners.isEmpty, let firstError { throw firstError }
        return listeners
    }

    /// Adopts a listening socket.
    private static func adopt(_ descriptor: Int32, logger: Logger) throws(SocketError) -> Listener {
        var storage = sockaddr_storage()
        // bounded: a constant
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

extension SocketError {
    /// Whether the machine lacks IPv6: the kernel or a sandbox refuses its sockets, or no interface has an address.
    fileprivate var isLackOfIPv6: Bool { [EAFNOSUPPORT, EPROTONOSUPPORT, EADDRNOTAVAIL].contains(errno) }
}

/// The file of a Unix socket, identified by device and inode, so that a server removes only its own file.
struct UnixSocketFile: Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Finds the socket file at `path`; nil if it does not exist.
    init?(path: String) {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        device = info.st_dev
        inode = info.st_ino
    }

    /// The device and the inode.
    var identity: String { "\(device):\(inode)" }

    /// Deletes the file if it has not been replaced.
    func remove() {
        guard let current = UnixSocketFile(path: path), current.device == device, current.inode == inode else { return }
        unlink(path)
    }
}
