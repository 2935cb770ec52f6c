import Dispatch

/// An event loop: a serial queue and the connections that it serves.
///
/// `@unchecked Sendable` because all state is accessed only on `queue`, except where a method allows any thread.
final class EventLoop: @unchecked Sendable {
    /// The interval between checks of deadlines.
    ///
    /// One timer serves all connections. Deadlines need not be precise, and a timer for each read would cost more than
    /// the read.
    private static let tick = DispatchTimeInterval.milliseconds(50)

    /// The size of the read buffer.
    private static let scratchBytes = 64 * 1024

    let queue: DispatchQueue
    let context: ServerContext
    let poller: SocketPoller
    /// The read buffer that the connections share.
    ///
    /// They copy the bytes that they need later.
    let scratch: UnsafeMutableRawBufferPointer
    var date = DateField()
    /// The connections that are waiting for a request.
    var idle = IdleConnections()
    private(set) var isDraining = false
    private var drainDeadline: ContinuousClock.Instant?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var timer: (any DispatchSourceTimer)?

    init(index: Int, context: ServerContext) {
        // Dispatch has a separate thread pool for each quality of service. Other work of the process uses other
        // classes, so sockets are served even if every worker thread is busy.
        queue = DispatchQueue(label: "headroom.http.\(index)", qos: .userInteractive)
        self.context = context
        poller = SocketPoller(queue: queue)
        scratch = .allocate(byteCount: Self.scratchBytes, alignment: 16)
    }

    deinit { scratch.deallocate() }

    /// Takes ownership of an accepted socket; must be called on the loop's queue.
    ///
    /// `refusal` is the reason for refusing the connection; nil to serve it. `onClosed` is called on the loop's queue
    /// when the socket is closed.
    func adopt(
        _ descriptor: Int32,
        peer: PeerAddress,
        acceptedAt: ContinuousClock.Instant,
        refusal: RequestError?,
        onClosed: @escaping @Sendable () -> Void
    ) {
        let connection = Connection(adopting: descriptor, peer: peer, acceptedAt: acceptedAt, loop: self)
        connections[ObjectIdentifier(connection)] = connection
        startTimer()
        connection.start(refusal: refusal) {
            self.connections[ObjectIdentifier(connection)] = nil
            onClosed()
        }
        // A connection that the connection limit held back can arrive after the other connections have been drained.
        if drainDeadline != nil { connection.drain() }
    }

    /// Closes the connection that has waited longest for a request, if it has waited at least
    /// ``ServerConfiguration/idleGrace``; can be called from any thread.
    ///
    /// - Parameters:
    ///   - network: Only connections from this address can be closed; nil for all.
    ///   - completion: Called on the loop's queue; its argument is whether a connection was closed.
    func closeIdle(of network: PeerAddress.Network?, _ completion: @escaping @Sendable (Bool) -> Void) {
        poller.perform {
            let limit = self.context.now().earlier(by: self.context.configuration.idleGrace)
            var candidate = self.idle.first
            while let connection = candidate, connection.idlePlace.start.map({ $0 <= limit }) == true {
                candidate = self.idle.next(after: connection)
                if network == nil || connection.peer.network == network, connection.closeIfIdle(since: limit) {
                    return completion(true)
                }
            }
            completion(false)
        }
    }

    /// Closes each connection after the last request that it has received; can be called from any thread.
    func beginDraining() { poller.perform { self.isDraining = true } }

    /// Closes idle connections now and all other connections at `deadline`; can be called from any thread.
    func finishDraining(deadline: ContinuousClock.Instant) {
        poller.perform {
            self.drainDeadline = deadline
            for connection in Array(self.connections.values) { connection.drain() }
        }
    }

    private func startTimer() {
        guard timer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.tick, repeating: Self.tick, leeway: .milliseconds(10))
        timer.setEventHandler { self.timerFired() }
        timer.activate()
        self.timer = timer
    }

    private func timerFired() {
        let now = context.now()
        let mustClose = drainDeadline.map { now >= $0 } ?? false
        for connection in Array(connections.values) {
            if mustClose { connection.close() } else { connection.checkTime(now) }
        }
        // The timer stops when there are no connections.
        guard connections.isEmpty else { return }
        timer?.cancel()
        timer = nil
    }
}

/// Runs handlers on the event loop of their connection.
///
/// On Swift's cooperative pool, each request would change threads twice. For a trivial route, this took a quarter of
/// the time.
extension EventLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        poller.perform { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
