import Admission
import CLinux
import Dispatch
import HTTPTypes
import Logging

/// An accepted connection.
///
/// It reads requests, passes them to the handler in order, and sends the responses.
///
/// `@unchecked Sendable` because all state is accessed only on the loop's queue.
final class Connection: @unchecked Sendable {
    enum Phase {
        /// Waiting for a request, or receiving one.
        case reading
        /// The handler processes a request.
        case handling
        /// A response is being sent.
        case writing
        /// The last response has been sent; further input is discarded.
        case lingering
        case closed
    }

    /// The maximum size, in bytes of head and body, of a request that is handled on the event loop.
    ///
    /// Parsing a larger request can take more than a millisecond. The loop would not serve other connections during
    /// this time.
    private static let maxBytesOnLoop = 2 * 1024

    /// The maximum size, in bytes of head and body, of a request that can get an immediate response.
    ///
    /// The key of the response is a part of the head.
    private static let maxBytesOfImmediate = 4 * 1024

    /// Maximum number of pipelined requests that get an immediate response before the loop serves other connections.
    private static let maxImmediateResponses = 16

    let channel: SocketChannel
    let peer: PeerAddress
    let loop: EventLoop
    var phase = Phase.reading
    var input = InputBuffer()
    var parser: RequestParser
    var output = OutputQueue()
    /// End of the current phase; nil for a phase without a time limit.
    var deadline: ContinuousClock.Instant?
    /// Whether the client has closed its sending side.
    var hasEnded = false
    /// The request that is being received or handled.
    var incoming: IncomingRequest
    /// The response that is being sent.
    var outgoing = OutgoingResponse()
    /// Bytes of all responses that the socket has accepted.
    var sentBytes = 0
    /// Bytes discarded after the last response.
    var discardedBytes = 0
    /// Whether no byte has been received yet.
    var isFresh = true
    /// Whether ``advance()`` is running.
    ///
    /// If so, an immediately sent response does not call it again.
    var isAdvancing = false
    /// The number of immediate responses since the loop last served other connections.
    var immediateResponses = 0
    /// The time of acceptance; nil after the first bytes have been processed, which may have waited in the kernel since
    /// then.
    private var acceptedAt: ContinuousClock.Instant?
    /// The position in the loop's list of idle connections.
    var idlePlace = IdleConnections.Place()
    /// The handler's task for the current request.
    private var task: Task<Void, Never>?
    private var onClosed: (() -> Void)?

    init(adopting descriptor: Int32, peer: PeerAddress, acceptedAt: ContinuousClock.Instant, loop: EventLoop) {
        channel = SocketChannel(adopting: descriptor, poller: loop.poller)
        self.peer = peer
        self.loop = loop
        parser = RequestParser(limits: loop.context.configuration)
        self.acceptedAt = acceptedAt
        // Timeouts start now, not at `acceptedAt`, so that the server's own delay does not count against the client.
        let now = loop.context.now()
        incoming = IncomingRequest(headCompletedAt: acceptedAt, upload: Transfer(loop.context.bodyPace, now: now))
        deadline = now.later(by: loop.context.configuration.headerTimeout)
        if peer.host != nil { channel.boundSending(timeout: loop.context.configuration.writeTimeout) }
    }

    var configuration: ServerConfiguration { loop.context.configuration }

    var now: ContinuousClock.Instant { loop.context.now() }

    /// The best known arrival time of the bytes that are being processed.
    var arrivedAt: ContinuousClock.Instant { acceptedAt ?? now }

    /// Starts serving the connection, or refuses it immediately.
    ///
    /// `onClosed` is called when the descriptor is closed.
    func start(refusal: RequestError?, onClosed: @escaping () -> Void) {
        self.onClosed = onClosed
        guard channel.startReading({ self.readable() }) else { return close() }
        if let refusal {
            refuse(refusal)
        } else {
            // Clients usually send immediately, so reading now avoids a wait for epoll.
            readable()
        }
        acceptedAt = nil
    }

    /// Passes a complete request to the handler.
    func handle(_ head: RequestHead, body: [UInt8]) {
        do throws(RequestError) { try hold(body.count) } catch { return refuse(error) }
        phase = .handling
        outgoing.closesConnection = !head.isPersistent || incoming.receiver != nil
        deadline = hasEnded ? now.later(by: configuration.halfCloseGrace) : nil
        var request = request(head, body: body, completedAt: arrivedAt)
        request.bodyReceiver = incoming.receiver
        let handler = loop.context.handler
        let bytes = head.bytes + body.count
        if bytes <= Self.maxBytesOfImmediate, incoming.receiver == nil, immediateResponses < Self.maxImmediateResponses,
            let response = loop.context.hooks.immediateResponse(to: request)
        {
            immediateResponses += 1
            return handled(response)
        }
        immediateResponses = 0
        if bytes <= Self.maxBytesOnLoop {
            task = Task.detached(executorPreference: loop) {
                // Resumes on the loop's queue.
                self.handled(await handler.respond(to: request))
            }
        } else {
            task = Task.detached {
                let response = await handler.respond(to: request)
                self.loop.poller.perform { self.handled(response) }
            }
        }
    }

    /// The client whose fair shares the current request uses; nil for a client without fair shares.
    var client: Client? { incoming.head.map { loop.context.hooks.client(of: request($0, body: [])) } ?? peer.client }

    func request(_ head: RequestHead, body: [UInt8], completedAt: ContinuousClock.Instant? = nil) -> ServerRequest {
        ServerRequest(
            method: head.line.method,
            target: head.line.target,
            authority: head.authority,
            headers: head.headers,
            body: body,
            client: incoming.clientBehindProxy ?? peer,
            proxy: incoming.clientBehindProxy == nil ? nil : peer,
            acceptedAt: incoming.headCompletedAt,
            completedAt: completedAt
        )
    }

    /// Reserves bytes of the current body in the server's budget.
    ///
    /// Throws if the budget does not have enough memory left.
    func hold(_ bytes: Int) throws(RequestError) {
        guard bytes > incoming.heldBytes else { return release(to: bytes) }
        if incoming.heldBytes == 0 { incoming.bodyClient = client }
        try loop.context.bodyBudget.reserve(bytes - incoming.heldBytes, for: incoming.bodyClient)
        incoming.heldBytes = bytes
    }

    /// Rejects a body before it is received if its declared length does not fit into the budget now.
    func checkRoom(for framing: BodyFraming) throws(RequestError) {
        guard case .length(let length) = framing else { return }
        if let error = loop.context.bodyBudget.refusal(ofLength: length, for: client) { throw error }
    }

    /// Releases reserved bytes of the current body, except for the first `bytes`.
    func release(to bytes: Int = 0) {
        guard bytes < incoming.heldBytes else { return }
        loop.context.bodyBudget.release(incoming.heldBytes - bytes, for: incoming.bodyClient)
        incoming.heldBytes = bytes
    }

    private func handled(_ response: ServerResponse) {
        // The client may have disconnected in the meantime.
        guard phase == .handling else {
            response.stream?.close()
            return
        }
        task = nil
        guard (200...599).contains(response.status.code) else {
            let metadata: Logger.Metadata = ["status": "\(response.status.code)"]
            loop.context.logger.error("the handler returned a status that is not final", metadata: metadata)
            let detail = "The service produced an invalid response."
            send(loop.context.hooks.refusal(status: .internalServerError, detail: detail))
            return
        }
        let limit = configuration.maxUnsentBytes
        guard response.body.count <= limit || !ResponseHead.allowsBody(response.status, to: incoming.head?.line.method)
        else {
            let error = RequestError.responseTooLarge(limit: limit)
            log(error)
            return send(loop.context.hooks.refusal(status: error.status, detail: error.detail))
        }
        send(response)
    }

    /// Rejects a request or the connection itself, and closes the connection.
    func refuse(_ error: RequestError) {
        // The handler never receives this request, so the handler cannot log it.
        log(error)
        loop.idle.remove(self)
        outgoing.closesConnection = true
        input.removeAll()
        send(loop.context.hooks.refusal(status: error.status, detail: error.detail))
    }

    /// Closes a connection whose client does not read its response, and discards the kernel's send buffer.
    func cutOff(_ reason: String) {
        loop.context.logger.info("cut off", metadata: addresses.merging(["reason": "\(reason)"]) { $1 })
        channel.resetOnClose()
        close()
    }

    private func log(_ error: RequestError) {
        let metadata: Logger.Metadata = ["status": "\(error.status.code)", "reason": "\(error)"]
        loop.context.logger.info("refused", metadata: addresses.merging(metadata) { $1 })
    }

    /// The address of the connection and, behind a proxy, the address of the client.
    private var addresses: Logger.Metadata {
        incoming.clientBehindProxy.map { ["peer": "\(peer)", "client": "\($0)"] } ?? ["peer": "\(peer)"]
    }

    /// Closes the connection to make room for another connection, if it has been idle since `limit`.
    ///
    /// If a request has arrived, serves the request instead.
    ///
    /// - Returns: Whether the connection was closed.
    func closeIfIdle(since limit: ContinuousClock.Instant) -> Bool {
        guard let start = idlePlace.start, start <= limit else { return false }
        readable()
        // A request that has been received ended the wait.
        guard phase == .closed || phase == .reading && idlePlace.start == start else { return false }
        close()
        return true
    }

    func close() {
        guard phase != .closed else { return }
        phase = .closed
        loop.idle.remove(self)
        release()
        task?.cancel()
        task = nil
        endStream()
        endBody(isComplete: false)
        stopCounting()
        output.removeAll()
        channel.close()
        onClosed?()
        onClosed = nil
    }
}

extension Connection {
    /// Closes the connection or rejects its request if its deadline has passed.
    ///
    /// Called on every tick of the loop.
    func checkTime(_ now: ContinuousClock.Instant) {
        checkDelivery(now)
        if outgoing.awaitsAcknowledgement { requestPiece() }
        if let deadline, now >= deadline {
            timedOut()
        } else if phase == .handling || phase == .writing || incoming.stage != .idle, hr_is_hung_up(channel.descriptor)
        {
            // A read normally detects a reset, but reading is paused.
            close()
        }
    }

    private func timedOut() {
        // Bytes may have arrived since the last read. They may complete the request, and unread bytes would cause a
        // reset.
        if phase == .reading || phase == .lingering { readable() }
        guard let deadline, now >= deadline else { return }
        switch phase {
        case .reading:
            switch parser.stage(input) {
            case .idle: close()
            case .head: refuse(.headerTimeout)
            case .body: refuse(.bodyTimeout)
            }
        case .writing: cutOff("the client does not read its response")
        // A handler has a deadline only after the client has sent its FIN.
        case .handling, .lingering: close()
        case .closed: break
        }
    }
}

/// The state that all loops and connections of a server share.
struct ServerContext: Sendable {
    let configuration: ServerConfiguration
    let handler: any HTTPHandler
    let hooks: any ServerHooks
    let logger: Logger
    /// The clock of all timeouts.
    let now: @Sendable () -> ContinuousClock.Instant
    let bodyBudget: BodyBudget
    let unsentBudget: UnsentBudget
    let bodyPace: Pace
    let responsePace: Pace

    init(
        configuration: ServerConfiguration,
        handler: any HTTPHandler,
        hooks: any ServerHooks,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.configuration = configuration
        self.handler = handler
        self.hooks = hooks
        self.logger = logger
        self.now = now
        bodyBudget = BodyBudget(configuration)
        unsentBudget = UnsentBudget(limit: configuration.maxUnsentBytes)
        bodyPace = Pace(bytesPerSecond: configuration.minBytesPerSecond, window: configuration.bodyTimeout)
        responsePace = Pace(bytesPerSecond: configuration.minBytesPerSecond, window: configuration.writeTimeout)
    }
}
