import CLinux
import Dispatch
import Glibc
import Logging

/// One listening socket; the one owner of its descriptor.
///
/// `@unchecked Sendable`: after ``start(onAccept:)`` all state is touched on `queue` only.
final class Listener: @unchecked Sendable {
    /// How many connections one event may accept before others get their turn.
    private static let maxAcceptsPerEvent = 64

    /// How many waiting connections are still accepted at the end: more than the kernel holds by default.
    private static let maxAcceptsAtStop = 8192

    /// How long accepting pauses when the process has no descriptors or memory left.
    ///
    /// The listening socket stays readable all the while: without a pause the loop would spin.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    /// How many descriptors are left for the rest of the process, or a quarter when it may have few.
    ///
    /// Accepting until EMFILE is not an option: Dispatch watches its threads through /proc
    /// (`_dispatch_workq_monitor_pools`), and traps when it cannot open a file there.
    private static let reservedDescriptors: Int32 = 64

    let address: BoundAddress
    private let descriptor: Int32
    private let unixSocket: UnixSocketFile?
    private let logger: Logger
    private let queue = DispatchQueue(label: "headroom.http.accept", qos: .userInteractive)
    private var source: (any DispatchSourceRead)?
    private var onAccept: ((Int32, PeerAddress) -> Bool)?
    private var isSuspended = false
    /// Whether the process has no descriptors or memory left.
    private var isShort = false
    /// Whether there is no room for a further connection; the kernel holds those that come meanwhile.
    private var isFull = false
    /// Whether the log knows of the pauses that have followed each other so far.
    private var hasWarned = false
    private var isStopped = false

    /// Takes over a listening socket.
    init(adopting descriptor: Int32, address: BoundAddress, unixSocket: UnixSocketFile?, logger: Logger) {
        self.descriptor = descriptor
        self.address = address
        self.unixSocket = unixSocket
        self.logger = logger
    }

    deinit {
        guard !isStopped else { return }
        unixSocket?.remove()
        close(descriptor)
    }

    /// Accepts connections; `onAccept` owns the descriptors that it is given, and returns whether there is room for another.
    ///
    /// When there is none, accepting ends until ``goOn()``.
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

    /// Accepts again, for there is room.
    func goOn() {
        queue.async {
            self.isFull = false
            self.suspendOrResume()
        }
    }

    /// Accepts what has connected so far, and nothing more.
    ///
    /// `onStopped` is called when the socket is closed.
    func stop(_ onStopped: @escaping @Sendable () -> Void) {
        queue.async {
            guard !self.isStopped else { return onStopped() }
            self.isStopped = true
            self.unixSocket?.remove()
            guard let source = self.source else {
                close(self.descriptor)
                return onStopped()
            }
            self.accept(atMost: Self.maxAcceptsAtStop)
            if self.isSuspended { source.resume() }
            source.setCancelHandler {
                close(self.descriptor)
                self.source = nil
                self.onAccept = nil
                onStopped()
            }
            source.cancel()
        }
    }

    private func accept(atMost limit: Int) {
        var address = sockaddr_storage()
        for _ in 0..<limit {
            let result = hr_accept(descriptor, &address)
            if result >= 0 {
                // The kernel gives out the lowest free number, so a high one means that few are left.
                let limit = hr_descriptor_limit()
                guard result < limit - min(Self.reservedDescriptors, limit / 4) else {
                    close(result)
                    return pause(errno: EMFILE)
                }
                guard onAccept?(result, PeerAddress(address)) == false, !isStopped else { continue }
                isFull = true
                return suspendOrResume()
            }
            switch -result {
            case EAGAIN:
                hasWarned = false
                return
            // Errors of one connection, accept(2) among the network errors; the others still wait.
            case ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET, ENOPROTOOPT,
                EOPNOTSUPP:
                continue
            // Most often EMFILE, ENFILE, ENOBUFS or ENOMEM.
            default: return pause(errno: -result)
            }
        }
    }

    private func pause(errno: Int32) {
        guard !isStopped, !isShort else { return }
        isShort = true
        if !hasWarned {
            hasWarned = true
            let error = SocketError(action: "cannot accept on \(address)", call: "accept4", errno: errno)
            logger.warning("Accepting pauses", metadata: ["error": "\(error)"])
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
