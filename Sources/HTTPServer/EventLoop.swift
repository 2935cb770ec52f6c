import Dispatch

/// A serial queue and the connections that live on it.
///
/// `@unchecked Sendable`: all state is touched on `queue` only; what may be called from elsewhere says so.
final class EventLoop: @unchecked Sendable {
    /// How often timeouts are looked at.
    ///
    /// One timer serves all connections: exactness is of no use here, and a timer for every read would cost more than
    /// the read.
    private static let tick = DispatchTimeInterval.milliseconds(50)

    /// How much one read takes at most.
    private static let scratchBytes = 64 * 1024

    let queue: DispatchQueue
    let context: ServerContext
    let poller: SocketPoller
    /// Where connections read into, one at a time, before they keep what they need.
    let scratch: UnsafeMutableRawBufferPointer
    var date = DateField()
    private(set) var isDraining = false
    private var drainDeadline: ContinuousClock.Instant?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var timer: (any DispatchSourceTimer)?

    init(index: Int, context: ServerContext) {
        // Dispatch has a pool of threads for each quality of service. Work elsewhere in the process is on others, so
        // that sockets are served even when every worker thread is busy.
        queue = DispatchQueue(label: "headroom.http.\(index)", qos: .userInteractive)
        self.context = context
        poller = SocketPoller(queue: queue)
        scratch = .allocate(byteCount: Self.scratchBytes, alignment: 16)
    }

    deinit { scratch.deallocate() }

    /// Takes over an accepted socket; may be called from anywhere.
    ///
    /// `refusal` says why the connection is refused, nil to serve it. `onClosed` is called on the loop's queue when the
    /// socket has been closed.
    func adopt(
        _ descriptor: Int32,
        peer: PeerAddress,
        acceptedAt: ContinuousClock.Instant,
        refusal: RequestError?,
        onClosed: @escaping @Sendable () -> Void
    ) {
        queue.async {
            let connection = Connection(adopting: descriptor, peer: peer, acceptedAt: acceptedAt, loop: self)
            self.connections[ObjectIdentifier(connection)] = connection
            self.startTimer()
            connection.start(refusal: refusal) {
                self.connections[ObjectIdentifier(connection)] = nil
                onClosed()
            }
        }
    }

    /// From now on a connection ends with the last request that has reached it; may be called from anywhere.
    func beginDraining() {
        queue.async { self.isDraining = true }
    }

    /// Closes idle connections now and all others at `deadline`; may be called from anywhere.
    func finishDraining(deadline: ContinuousClock.Instant) {
        queue.async {
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
        let now = ContinuousClock.now
        let mustClose = drainDeadline.map { now >= $0 } ?? false
        for connection in Array(connections.values) {
            if mustClose {
                connection.close()
            } else {
                connection.checkTime(now)
            }
        }
        // A server without clients does not wake up.
        guard connections.isEmpty else { return }
        timer?.cancel()
        timer = nil
    }
}
