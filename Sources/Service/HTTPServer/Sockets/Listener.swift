import CLinux
import Dispatch
import Glibc
import Logging
import Synchronization
import TotalFunctions

/// A listening socket.
///
/// It owns its descriptor. Event loops accept its connections: a connection that another thread accepts costs two thread
/// switches before it is served.
///
/// `@unchecked Sendable` because, after ``start(on:onAccept:isFull:)``, all state is accessed only on `queue`.
final class Listener: @unchecked Sendable {
    /// Maximum number of connections that a loop accepts per event.
    ///
    /// After these connections, other events of the loop are handled, and other loops can accept.
    private static let maxAcceptsPerEvent = 16

    /// Maximum number of waiting connections that are accepted at shutdown; larger than the default accept queue.
    private static let maxAcceptsAtStop = 8192

    /// The duration of a pause in accepting when descriptors or memory are exhausted.
    ///
    /// The listening socket stays readable during the pause. Without a pause, the loop would spin.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    /// The number of descriptors reserved for the rest of the process, but at most a quarter of the limit.
    ///
    /// Accepting until EMFILE is not possible. Dispatch monitors its threads through /proc
    /// (`_dispatch_workq_monitor_pools`) and traps if it cannot open a file there.
    private static let reservedDescriptors: Int32 = 64

    private enum AcceptOutcome {
        /// The accept queue is empty, or the limit per event was reached.
        case done
        /// The connection limit is reached.
        case full
        /// Descriptors or memory are exhausted.
        case short(errno: Int32)
    }

    let address: BoundAddress
    /// Whether another process may listen on the same socket.
    private let isShared: Bool
    let descriptor: Int32
    private let unixSocket: UnixSocketFile?
    private let logger: Logger
    private let queue = DispatchQueue(label: "headroom.http.accept", qos: .userInteractive)
    /// The pollers of the event loops that accept connections; empty before the start and after the end.
    private var pollers: [SocketPoller] = []
    private var onAccept: (@Sendable (Int32, PeerAddress, Int?) -> Bool)?
    private var isServerFull: (@Sendable () -> Bool)?
    /// Whether descriptors or memory are exhausted.
    private var isShort = false
    /// Whether the connection limit is reached.
    ///
    /// If so, the kernel queues new connections.
    private var isFull = false
    /// Whether the current series of pauses has been logged.
    private let hasWarned = Atomic(false)
    private var isStopped = false

    /// Takes ownership of a listening socket.
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

    /// Accepts connections on event loops.
    ///
    /// `onAccept` takes ownership of the descriptor and returns whether another connection can be accepted. It receives
    /// the index of a poller and is called on that poller's queue; or it receives nil, on the listener's queue.
    ///
    /// If it returns false, accepting pauses until ``update()`` finds that `isFull` returns false.
    func start(
        on pollers: [SocketPoller],
        onAccept: @escaping @Sendable (Int32, PeerAddress, Int?) -> Bool,
        isFull: @escaping @Sendable () -> Bool
    ) {
        queue.async {
            guard !self.isStopped else { return }
            self.pollers = pollers
            self.onAccept = onAccept
            self.isServerFull = isFull
            self.watchOrUnwatch()
        }
    }

    /// Pauses or resumes accepting after the server has reached the connection limit, or has fewer connections again.
    func update() {
        queue.async {
            self.isFull = self.isServerFull?() ?? false
            self.watchOrUnwatch()
        }
    }

    /// Stops listening.
    ///
    /// The kernel immediately refuses new connections. Queued connections are accepted, and then the socket is closed.
    ///
    /// If another process shares the socket, it is closed when its queue is empty. Later connections wait for the other
    /// process.
    ///
    /// - Parameters:
    ///   - handshakeGrace: Time limit for pending handshakes.
    ///   - timeout: Time limit for connections that cannot be accepted for lack of descriptors.
    ///   - onStopped: Called when the socket has been closed.
    func stop(handshakeGrace: Duration, timeout: Duration, _ onStopped: @escaping @Sendable () -> Void) {
        queue.async {
            guard !self.isStopped else { return onStopped() }
            self.isStopped = true
            self.unixSocket?.remove()
            guard let onAccept = self.onAccept else {
                close(self.descriptor)
                return onStopped()
            }
            self.watchOrUnwatch()
            let end = DispatchTime.now() + timeout.timeInterval
            guard !self.isShared else { return self.acceptRest(until: end, onStopped) }
            hr_refuse_connections(self.descriptor)
            self.acceptAll(onAccept)
            guard case .tcp = self.address, handshakeGrace > .zero else {
                return self.acceptRest(until: end, onStopped)
            }
            self.queue.asyncAfter(deadline: .now() + handshakeGrace.timeInterval) {
                self.acceptRest(until: end, onStopped)
            }
        }
    }

    private func acceptRest(until end: DispatchTime, _ onStopped: @escaping @Sendable () -> Void) {
        guard let onAccept else { return onStopped() }
        let outcome = acceptAll(onAccept)
        if case .short = outcome, .now() < end {
            return queue.asyncAfter(deadline: .now() + Self.pause) { self.acceptRest(until: end, onStopped) }
        }
        // A loop may still be accepting. The descriptor must not be closed before, because its number can be reused.
        let removals = DispatchGroup()
        for poller in pollers {
            removals.enter()
            poller.perform {
                poller.removeListener(self.descriptor)
                removals.leave()
            }
        }
        pollers = []
        self.onAccept = nil
        isServerFull = nil
        removals.notify(queue: queue) {
            close(self.descriptor)
            onStopped()
        }
    }

    /// Accepts all waiting connections at shutdown, even if the connection limit is reached.
    @discardableResult
    private func acceptAll(_ onAccept: (Int32, PeerAddress, Int?) -> Bool) -> AcceptOutcome {
        let outcome = accept(atMost: Self.maxAcceptsAtStop) {
            _ = onAccept($0, $1, nil)
            return true
        }
        // A Unix socket that is being stopped has no more connections.
        if case .short(EINVAL) = outcome { return .done }
        return outcome
    }

    /// Accepts waiting connections; must be called on the poller's queue.
    private func accept(
        on poller: SocketPoller,
        index: Int,
        _ onAccept: @Sendable (Int32, PeerAddress, Int?) -> Bool
    ) {
        let outcome = accept(atMost: Self.maxAcceptsPerEvent) { onAccept($0, $1, index) }
        if case .done = outcome { return }
        // The socket stays readable, so the loop would spin until the listener's queue pauses accepting.
        poller.removeListener(descriptor)
        if case .short(let errno) = outcome {
            queue.async { self.pause("accept4", errno: errno) }
        } else {
            update()
        }
    }

    /// Accepts waiting connections; can be called from any thread.
    ///
    /// Stops when `deliver` returns false.
    private func accept(atMost limit: Int, _ deliver: (Int32, PeerAddress) -> Bool) -> AcceptOutcome {
        var address = sockaddr_storage()
        // bounded: the limit is a constant
        for _ in 0..<limit {
            let result = hr_accept(descriptor, &address)
            if result >= 0 {
                // The kernel assigns the lowest free number, so a high number means that few descriptors are free.
                let limit = hr_descriptor_limit()
                guard result < limit - min(Self.reservedDescriptors, limit / 4) else {
                    close(result)
                    return .short(errno: EMFILE)
                }
                guard deliver(result, PeerAddress(address)) else { return .full }
                continue
            }
            switch -result {
            case EAGAIN:
                if hasWarned.load(ordering: .relaxed) { hasWarned.store(false, ordering: .relaxed) }
                return .done
            // Errors that concern one connection (accept(2), network errors). The other connections remain in the
            // queue.
            case ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET, ENOPROTOOPT,
                EOPNOTSUPP:
                continue
            // Usually EMFILE, ENFILE, ENOBUFS or ENOMEM.
            default: return .short(errno: -result)
            }
        }
        return .done
    }

    /// Pauses accepting after a system call failed because descriptors or memory were exhausted.
    private func pause(_ call: String, errno: Int32) {
        guard !isStopped, !isShort else { return }
        isShort = true
        if !hasWarned.exchange(true, ordering: .relaxed) {
            let error = SocketError(action: "cannot accept on \(address)", call: call, errno: errno)
            logger.warning("accepting paused", metadata: ["error": "\(error)"])
        }
        watchOrUnwatch()
        queue.asyncAfter(deadline: .now() + Self.pause) {
            self.isShort = false
            self.watchOrUnwatch()
        }
    }

    /// Adds the socket to the pollers of the loops, or removes it while accepting is paused.
    private func watchOrUnwatch() {
        let isPaused = isShort || isFull || isStopped
        guard let onAccept else { return }
        for (index, poller) in pollers.enumerated() {
            poller.perform {
                if isPaused {
                    poller.removeListener(self.descriptor)
                    return
                }
                let isWatched = poller.addListener(self.descriptor) {
                    self.accept(on: poller, index: index, onAccept)
                }
                if !isWatched { self.queue.async { self.pause("epoll_ctl", errno: ENOMEM) } }
            }
        }
    }
}

extension Duration {
    /// The duration as a Dispatch interval, rounded to milliseconds, at most one hour.
    fileprivate var timeInterval: DispatchTimeInterval {
        .milliseconds(Int(clamping: min(max(self, .zero), .seconds(3600)) / .milliseconds(1)))
    }
}

extension Listener {
    /// Maximum number of attempts to find a port that is free on all addresses of a name.
    private static let maxPortAttempts = 8

    /// Listens on every socket address of `address`.
    ///
    /// - Throws: ``SocketError`` if no address is available or an address is in use. No socket remains open in this
    ///   case.
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

    /// Listens on every address of a host.
    ///
    /// Port 0 is replaced by a port that is free on every address.
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
        // A name such as localhost has several addresses. A host may lack some of them, often IPv6 addresses.
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
            // If only some of the addresses were used, some clients would reach the other process.
            if error.errno == EADDRINUSE { throw error }
            firstError = firstError ?? error
        }
        if listeners.isEmpty, let firstError { throw firstError }
        return listeners
    }

    /// Takes ownership of a listening socket.
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
        // If a server is killed, its socket file remains, and bind(2) does not replace the file.
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
    /// Whether IPv6 is unavailable on this machine: the kernel or a sandbox refuses its sockets, or no interface has an
    /// IPv6 address.
    fileprivate var isLackOfIPv6: Bool { [EAFNOSUPPORT, EPROTONOSUPPORT, EADDRNOTAVAIL].contains(errno) }
}

/// The file of a Unix socket.
///
/// Device and inode identify it, so that a server removes only its own file.
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

    /// The device and inode numbers.
    var identity: String { "\(device):\(inode)" }

    /// Deletes the file unless it has been replaced.
    func remove() {
        guard let current = UnixSocketFile(path: path), current.device == device, current.inode == inode else { return }
        unlink(path)
    }
}
