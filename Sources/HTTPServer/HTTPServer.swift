import Dispatch
package import Logging
import Synchronization

/// An HTTP/1.1 server (RFC 9110, RFC 9112) on Dispatch sources.
///
/// ```swift
/// let server = HTTPServer(configuration: .init(), handler: handler, logger: logger)
/// let address = try server.bind(to: .tcp(host: "127.0.0.1", port: 8080))
/// await server.run()
/// ```
///
/// Requests reach the handler whole: header checked, body read and its coding removed. What is not valid, too large or
/// too slow is refused here. There is no TLS and no HTTP/2: a proxy in front speaks those.
package final class HTTPServer: Sendable {
    private enum Phase { case idle, running, draining, finished }

    private struct State {
        var phase = Phase.idle
        var listeners: [Listener] = []
        var openListeners = 0
        var census: ConnectionCensus
        var nextLoop = 0
        /// Whether listeners were told to wait until a connection has left.
        var isFull = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let context: ServerContext
    private let loops: [EventLoop]
    private let state: Mutex<State>

    package init(configuration: Configuration = Configuration(), handler: some HTTPHandler, logger: Logger) {
        let context = ServerContext(configuration: configuration, handler: handler, logger: logger)
        self.context = context
        state = Mutex(State(census: ConnectionCensus(configuration)))
        loops = (0..<max(1, configuration.loopCount)).map { EventLoop(index: $0, context: context) }
    }

    /// How many connections are open.
    package var connectionCount: Int { state.withLock { $0.census.total } }

    /// Listens on an address; clients can connect from now on and are served by ``run()``.
    ///
    /// May be called several times before ``run()``.
    ///
    /// - Returns: The address with its real port.
    /// - Throws: ``SocketError`` when the address cannot be listened on.
    package func bind(to address: ListenAddress) throws(SocketError) -> BoundAddress {
        let configuration = context.configuration
        if let errno = loops.lazy.map(\.poller.failure).first(where: { $0 != 0 }) {
            throw SocketError(action: "cannot watch connections", call: "epoll_create1", errno: errno)
        }
        let listeners = try Listener.listen(on: address, backlog: configuration.backlog, logger: context.logger)
        state.withLock { $0.listeners += listeners }
        return listeners.first?.address ?? address
    }

    /// Serves until ``shutdown()`` has been called and has finished.
    ///
    /// Cancelling the calling task shuts down as well.
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

    /// Stops gracefully.
    ///
    /// No new connections are accepted, every request that has reached the server is answered, idle connections are
    /// closed. After ``Configuration/drainTimeout`` the rest is cut off. A server that does not run yet just closes
    /// its addresses.
    ///
    /// Returns at once; ``run()`` returns when it is done. Further calls change nothing.
    package func shutdown() {
        let listeners: [Listener]? = state.withLock { state in
            guard state.phase == .idle || state.phase == .running else { return nil }
            state.phase = .draining
            defer { state.listeners = [] }
            state.openListeners = state.listeners.count
            return state.listeners
        }
        guard let listeners else { return }
        context.logger.debug("Shutting down")
        for loop in loops { loop.beginDraining() }
        for listener in listeners {
            listener.stop { self.listenerStopped() }
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
            listener.start { self.accepted($0, from: $1) }
        }
    }

    /// Takes a connection over; says whether there is room for another.
    private func accepted(_ descriptor: Int32, from peer: PeerAddress) -> Bool {
        let (verdict, loop, isFull) = state.withLock { state in
            state.nextLoop = (state.nextLoop + 1) % loops.count
            let verdict = state.census.enter(peer)
            if verdict != .discard, state.census.isFull { state.isFull = true }
            return (verdict, loops[state.nextLoop], state.isFull)
        }
        let refusal: RequestError?
        switch verdict {
        case .serve: refusal = nil
        case .refuse(let error): refusal = error
        case .discard:
            SocketChannel.discard(descriptor)
            connectionClosed(from: peer)
            return !isFull
        }
        loop.adopt(descriptor, peer: peer, acceptedAt: .now, refusal: refusal) { self.connectionClosed(from: peer) }
        return !isFull
    }

    private func listenerStopped() {
        let isLast = state.withLock { state in
            state.openListeners -= 1
            return state.openListeners == 0
        }
        if isLast { finishDraining() }
    }

    /// Only after the last listener has handed over what it accepted: connections with nothing to serve are closed.
    private func finishDraining() {
        let deadline = ContinuousClock.now + context.configuration.drainTimeout
        for loop in loops { loop.finishDraining(deadline: deadline) }
        finishIfDone()
    }

    private func connectionClosed(from peer: PeerAddress) {
        let waiting: [Listener] = state.withLock { state in
            state.census.leave(peer)
            guard state.isFull, !state.census.isFull else { return [] }
            state.isFull = false
            return state.listeners
        }
        for listener in waiting { listener.goOn() }
        finishIfDone()
    }

    private func finishIfDone() {
        let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
            guard state.phase == .draining, state.openListeners == 0, state.census.total == 0 else { return [] }
            state.phase = .finished
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
