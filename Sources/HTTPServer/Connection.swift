import CLinux
import Dispatch
import HTTPTypes
import Logging

/// One accepted connection: reads requests, has them answered one after another, writes the answers.
///
/// `@unchecked Sendable`: all state is touched on the loop's queue only.
final class Connection: @unchecked Sendable {
    enum Phase {
        /// A request is awaited or arriving.
        case reading
        /// The application works on a request.
        case handling
        /// An answer is being sent.
        case writing
        /// The last answer is sent; what still arrives is discarded.
        case lingering
        case closed
    }

    /// Requests with more body than this are handled off the loop: to parse it would hold up other connections.
    private static let maxBodyBytesOnLoop = 64 * 1024

    let channel: SocketChannel
    let peer: PeerAddress
    let loop: EventLoop
    var phase = Phase.reading
    var input = InputBuffer()
    var parser: RequestParser
    var output = OutputQueue()
    /// When the current phase has taken too long; nil when it may take any time.
    var deadline: ContinuousClock.Instant?
    /// Whether the client has ended its side of the connection.
    var hasEnded = false
    /// Whether the next answer is the last one.
    var closesAfterAnswer = false
    /// The request that is arriving or being answered.
    var head: RequestHead?
    /// The answer to that request, if it was refused by its head and its body is let go by.
    var refusal: ServerResponse?
    var headCompletedAt: ContinuousClock.Instant
    var stage = RequestParser.Stage.idle
    /// Bytes of the current body received, or of the current answer sent, and when they began.
    var transfer = Transfer()
    /// Bytes of the current body that the server's budget counts.
    private var heldBytes = 0
    /// When the connection was accepted, until its first bytes have been looked at: they may have waited since.
    private var acceptedAt: ContinuousClock.Instant?
    private var task: Task<Void, Never>?
    private var onClosed: (() -> Void)?

    init(adopting descriptor: Int32, peer: PeerAddress, acceptedAt: ContinuousClock.Instant, loop: EventLoop) {
        channel = SocketChannel(adopting: descriptor, poller: loop.poller, queue: loop.queue)
        self.peer = peer
        self.loop = loop
        parser = RequestParser(limits: loop.context.configuration)
        self.acceptedAt = acceptedAt
        headCompletedAt = acceptedAt
        // Not from then: what the server itself took its time for is not the client's fault.
        deadline = .now + loop.context.configuration.headerTimeout
    }

    var configuration: HTTPServer.Configuration { loop.context.configuration }

    /// When the bytes that are being looked at arrived, as far as that can be known.
    var arrivedAt: ContinuousClock.Instant { acceptedAt ?? .now }

    /// Begins to serve, or refuses at once.
    ///
    /// `onClosed` is called when the descriptor is closed.
    func start(refusal: RequestError?, onClosed: @escaping () -> Void) {
        self.onClosed = onClosed
        guard channel.startReading({ self.readable() }) else { return close() }
        if let refusal {
            refuse(refusal)
        } else {
            // Clients usually send at once: this saves a round through epoll.
            readable()
        }
        acceptedAt = nil
    }

    /// Hands a complete request to the application.
    func handle(_ head: RequestHead, body: [UInt8]) {
        guard hold(body.count) else { return refuse(.tooManyBodyBytes) }
        phase = .handling
        closesAfterAnswer = !head.isPersistent
        deadline = hasEnded ? .now + configuration.halfCloseGrace : nil
        let request = request(head, body: body, completedAt: arrivedAt)
        let handler = loop.context.handler
        if request.body.count <= Self.maxBodyBytesOnLoop {
            task = Task.detached(executorPreference: loop) {
                // Back on the loop's queue, where it began.
                self.handled(await handler.respond(to: request))
            }
        } else {
            task = Task.detached {
                let response = await handler.respond(to: request)
                self.loop.queue.async { self.handled(response) }
            }
        }
    }

    /// The request as the application sees it.
    func request(_ head: RequestHead, body: [UInt8], completedAt: ContinuousClock.Instant? = nil) -> ServerRequest {
        ServerRequest(
            method: head.line.method,
            target: head.line.target,
            authority: head.authority,
            headers: head.headers,
            body: body,
            peer: peer,
            acceptedAt: headCompletedAt,
            completedAt: completedAt
        )
    }

    /// Counts so many bytes of the current body against the server's budget; false when that has no room for more.
    func hold(_ bytes: Int) -> Bool {
        guard bytes != heldBytes else { return true }
        guard loop.context.bodyBudget.take(bytes - heldBytes) else { return false }
        heldBytes = bytes
        return true
    }

    private func handled(_ response: ServerResponse) {
        // The client may have left in the meantime.
        guard phase == .handling else { return }
        task = nil
        guard (200...599).contains(response.status.code) else {
            loop.context.logger.error(
                "The handler answered with a status that is not final",
                metadata: ["status": "\(response.status.code)"]
            )
            let detail = "The application gave no valid answer."
            answer(loop.context.handler.refusal(status: .internalServerError, detail: detail))
            return
        }
        answer(response)
    }

    /// Refuses what the client has sent, or the connection itself, and closes.
    func refuse(_ error: RequestError) {
        // It has no other line, for the application never sees it.
        loop.context.logger.info(
            "refused",
            metadata: ["peer": "\(peer)", "status": "\(error.status.code)", "reason": "\(error)"]
        )
        closesAfterAnswer = true
        input.removeAll()
        answer(loop.context.handler.refusal(status: error.status, detail: error.detail))
    }

    func close() {
        guard phase != .closed else { return }
        phase = .closed
        _ = hold(0)
        task?.cancel()
        task = nil
        output.removeAll()
        channel.close()
        onClosed?()
        onClosed = nil
    }
}
