import CLinux
import Dispatch
import Glibc
import Logging

/// One listening socket; owns its descriptor.
///
/// `@unchecked Sendable`: after ``start(onAccept:)`` all state is accessed on `queue` only.
final class Listener: @unchecked Sendable {
    /// Connections accepted per event, so that other events are handled in between.
    private static let maxAcceptsPerEvent = 64

    /// Waiting connections accepted at shutdown; more than the default accept queue holds.
    private static let maxAcceptsAtStop = 8192

    /// Pause of accepting when descriptors or memory are exhausted.
    ///
    /// The listening socket stays readable meanwhile; without a pause the loop would spin.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    /// Descriptors reserved for the rest of the process; at most a quarter of the limit.
    ///
    /// Accepting until EMFILE is not possible: Dispatch monitors its threads through /proc
    /// (`_dispatch_workq_monitor_pools`) and traps if it cannot open a file there.
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
    private let descriptor: Int32
    private let unixSocket: UnixSocketFile?
    private let logger: Logger
    private let queue = DispatchQueue(label: "headroom.http.accept", qos: .userInteractive)
    private var source: (any DispatchSourceRead)?
    private var onAccept: ((Int32, PeerAddress) -> Bool)?
    private var isSuspended = false
    /// Whether descriptors or memory are exhausted.
    private var isShort = false
    /// Whether the connection limit is reached; the kernel queues further connections.
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

    /// Accepts connections; `onAccept` takes ownership of the descriptor and returns whether there is room for
    /// another.
    ///
    /// If there is no room, accepting pauses until ``resume()``.
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

    /// Stops listening: the kernel refuses further connections at once, queued ones are accepted, and the socket is closed.
    ///
    /// A socket that another process shares is closed once its queue is empty: later connections wait for that
    /// process.
    ///
    /// - Parameters:
    ///   - handshakeGrace: Time limit for handshakes in progress.
    ///   - timeout: Time limit for connections that cannot be accepted for lack of descriptors.
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
        for _ in 0..<limit {
            let result = hr_accept(descriptor, &address)
            if result >= 0 {
                // The kernel assigns the lowest free number, so a high one means that few are free.
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
            // A stopping Unix socket has no more connections.
            case EINVAL where isStopped: return .done
            // Errors of one connection (accept(2), network errors); others remain in the queue.
            case ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET, ENOPROTOOPT,
                EOPNOTSUPP:
                continue
            // Most often EMFILE, ENFILE, ENOBUFS or ENOMEM.
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
        .milliseconds(Int(min(max(self, .zero), .seconds(3600)) / .milliseconds(1)))
    }
}
