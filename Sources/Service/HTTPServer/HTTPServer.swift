import Dispatch
package import Logging
import Synchronization
import TotalFunctions

/// An HTTP/1.1 server (RFC 9110, RFC 9112) on Dispatch sources.
///
/// ```swift
/// let server = HTTPServer(configuration: .init(), handler: handler, hooks: hooks, logger: logger)
/// let address = try server.bind(to: .tcp(host: "127.0.0.1", port: 8080))
/// await server.run()
/// ```
///
/// Handlers receive complete requests with a validated header and with the body after transfer decoding. The server
/// rejects requests that are invalid, too large or too slow. A proxy in front of the server provides TLS and HTTP/2.
package final class HTTPServer: Sendable {
    private enum Phase { case idle, running, draining, finished }

    private struct State {
        var phase = Phase.idle
        /// The time when the shutdown closes all connections; nil before the shutdown starts.
        var drainDeadline: ContinuousClock.Instant?
        var listeners: [Listener] = []
        var openListeners = 0
        var limiter: ConnectionLimiter
        var loads: LoopLoads
        /// Whether the listeners are paused because the connection limit is reached.
        var isFull = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let context: ServerContext
    private let loops: [EventLoop]
    private let state: Mutex<State>
    private let evictions = Atomic(0)

    /// Creates a server that does not yet listen on any address.
    ///
    /// - Parameters:
    ///   - configuration: Limits and timeouts.
    ///   - handler: The application.
    ///   - hooks: The quick decisions of the application.
    ///   - logger: Receives events of the server itself, not requests.
    ///   - now: The clock of all timeouts; tests replace it.
    package init(
        configuration: ServerConfiguration = ServerConfiguration(),
        handler: some HTTPHandler,
        hooks: some ServerHooks,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        let context = ServerContext(
            configuration: configuration,
            handler: handler,
            hooks: hooks,
            logger: logger,
            now: now
        )
        self.context = context
        // bounded: the upper bound is at least 1
        let loops = (0..<max(1, configuration.loopCount)).map { EventLoop(index: $0, context: context) }
        self.loops = loops
        state = Mutex(State(limiter: ConnectionLimiter(configuration), loads: LoopLoads(loopCount: loops.count)))
    }

    /// The total size of the bodies that are being received or processed, in bytes.
    package var bodyBytes: Int { context.bodyBudget.held }

    /// The total size of the responses that wait to be sent, in bytes.
    package var unsentBytes: Int { context.unsentBudget.held }

    /// The end of the first window of a waiting response; nil if no response is waiting.
    package var firstUnsentEnd: ContinuousClock.Instant? { context.unsentBudget.firstEnd }

    /// The number of idle connections that have been closed since the start to make room for new connections.
    package var evictedConnections: Int { evictions.load(ordering: .relaxed) }

    /// Number of open connections.
    package var connectionCount: Int { state.withLock { $0.limiter.total } }

    /// Listens on an address.
    ///
    /// Clients can connect immediately; ``run()`` serves them.
    ///
    /// Can be called several times before ``run()``.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - keeper: Provides the sockets that a previous process had for the address, and receives the opened sockets.
    /// - Returns: The address with its actual port.
    /// - Throws: ``SocketError`` if listening fails.
    package func bind(
        to address: ListenAddress,
        keeper: SocketKeeper? = nil
    ) throws(SocketError) -> BoundAddress {
        let configuration = context.configuration
        if let errno = loops.lazy.map(\.poller.failure).first(where: { $0 != 0 }) {
            throw SocketError(action: "cannot poll connections", call: "epoll_create1", errno: errno)
        }
        let logger = context.logger
        let listeners: [Listener]
        if let keeper {
            if let kept = Listener.take(address, from: keeper, logger: logger) {
                listeners = kept
            } else {
                listeners = try Listener.listen(on: address, backlog: configuration.backlog, logger: logger)
            }
            Listener.keep(listeners, of: address, in: keeper, logger: logger)
        } else {
            listeners = try Listener.listen(on: address, backlog: configuration.backlog, logger: logger)
        }
        state.withLock { $0.listeners += listeners }
        return listeners.first?.address ?? address
    }

    /// Serves until a shutdown has completed.
    ///
    /// Cancelling the calling task also starts a shutdown.
    package func run() async {
        start()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFinished = state.withLock { state in
                    if state.phase != .finished { state.waiters.append(continuation) }
                    return state.phase == .finished
                }
                if isFinished { continuation.resume() }
            }
        } onCancel: {
            shutdown()
        }
    }

    /// Starts a graceful shutdown.
    ///
    /// The server stops accepting connections, responds to every request that it has received, and closes idle
    /// connections. It closes all other connections ``ServerConfiguration/drainTimeout`` after this call, even if
    /// closing the listening sockets needed a part of this time. If ``run()`` was not called, it only closes the
    /// listening sockets.
    ///
    /// Returns immediately; ``run()`` returns when the shutdown has completed. Repeated calls have no effect.
    package func shutdown() {
        let deadline = context.now().later(by: context.configuration.drainTimeout)
        let listeners: [Listener]? = state.withLock { state in
            guard state.phase == .idle || state.phase == .running else { return nil }
            state.phase = .draining
            state.drainDeadline = deadline
            defer { state.listeners = [] }
            state.openListeners = state.listeners.count
            return state.listeners
        }
        guard let listeners else { return }
        context.logger.debug("Shutting down")
        for loop in loops { loop.beginDraining() }
        let configuration = context.configuration
        for listener in listeners {
            listener.stop(handshakeGrace: configuration.handshakeGrace, timeout: configuration.drainTimeout) {
                self.listenerStopped()
            }
        }
        if listeners.isEmpty { finishDraining() }
    }

    private func start() {
        let listeners = state.withLock { state in
            guard state.phase == .idle else { return [Listener]() }
            state.phase = .running
            return state.listeners
        }
        for listener in listeners {
            listener.start(on: loops.map(\.poller)) {
                self.accepted($0, from: $1, by: $2)
            } isFull: {
                self.state.withLock(\.isFull)
            }
        }
    }

    /// Adds a connection that the event loop `acceptor` has accepted; nil if it was accepted outside the loops.
    ///
    /// Returns whether another connection can be accepted.
    private func accepted(_ descriptor: Int32, from peer: PeerAddress, by acceptor: Int?) -> Bool {
        let acceptedAt = context.now()
        let network = context.hooks.isProxy(peer) ? nil : peer.network
        let (verdict, index, isFull) = state.withLock { state in
            let verdict = state.limiter.admit(network)
            if verdict != .discard, state.limiter.isFull { state.isFull = true }
            return (verdict, state.loads.add(acceptedBy: acceptor), state.isFull)
        }
        guard verdict != .discard, let loop = loops[at: index] else {
            SocketChannel.discard(descriptor)
            connectionClosed(of: network, on: index)
            return !isFull
        }
        let adopt: @Sendable (RequestError?) -> Void = { refusal in
            loop.adopt(descriptor, peer: peer, acceptedAt: acceptedAt, refusal: refusal) {
                self.connectionClosed(of: network, on: index)
            }
        }
        if case .refuse(let error) = verdict {
            // A connection that exceeds the limit of its address does not displace connections from other addresses.
            closeIdle(of: error == .tooManyConnections ? nil : network, on: loops[...]) { isClosed in
                loop.poller.perform { adopt(isClosed ? nil : error) }
            }
        } else if index == acceptor {
            adopt(nil)
        } else {
            loop.poller.perform { adopt(nil) }
        }
        return !isFull
    }

    /// Closes one idle connection, on the first loop that has one.
    private func closeIdle(
        of network: PeerAddress.Network?,
        on loops: ArraySlice<EventLoop>,
        _ completion: @escaping @Sendable (Bool) -> Void
    ) {
        guard let loop = loops.first else { return completion(false) }
        loop.closeIdle(of: network) { isClosed in
            if isClosed {
                self.evictions.add(1, ordering: .relaxed)
                completion(true)
            } else {
                self.closeIdle(of: network, on: loops.dropFirst(), completion)
            }
        }
    }

    private func listenerStopped() {
        let isLast = state.withLock { state in
            state.openListeners -= 1
            return state.openListeners == 0
        }
        if isLast { finishDraining() }
    }

    /// Closes idle connections.
    ///
    /// Runs after the last listener has delivered its accepted connections.
    private func finishDraining() {
        let deadline = state.withLock(\.drainDeadline) ?? context.now()
        for loop in loops { loop.finishDraining(deadline: deadline) }
        finishIfDone()
    }

    private func connectionClosed(of network: PeerAddress.Network?, on index: Int) {
        let waiting: [Listener] = state.withLock { state in
            state.limiter.remove(network)
            state.loads.remove(index)
            guard state.isFull, !state.limiter.isFull else { return [] }
            state.isFull = false
            return state.listeners
        }
        for listener in waiting { listener.update() }
        finishIfDone()
    }

    private func finishIfDone() {
        let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
            guard state.phase == .draining, state.openListeners == 0, state.limiter.total == 0 else { return [] }
            state.phase = .finished
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
