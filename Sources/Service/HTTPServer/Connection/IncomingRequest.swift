import Admission

/// The current request of a connection, which receives or handles one request at a time.
struct IncomingRequest {
    /// The head; nil until it is complete.
    var head: RequestHead?
    /// The part that is being received.
    var stage = RequestParser.Stage.idle
    var headCompletedAt: ContinuousClock.Instant
    /// The client, if a trusted proxy names one.
    var clientBehindProxy: PeerAddress?
    /// The response to a request that was rejected by its head, while its body is skipped.
    var refusal: ServerResponse?
    /// The progress of the body.
    var upload: Transfer
    /// Receives the body while it arrives; nil if the body is collected.
    var receiver: (any BodyReceiver)?
    /// The number of bytes of the body that are reserved in the server's budget.
    var heldBytes = 0
    /// The client whose fair share of the body budget the body uses.
    var bodyClient: Client?

    /// Creates the state before the first request.
    ///
    /// - Parameters:
    ///   - headCompletedAt: The time when the connection was accepted.
    ///   - upload: A body without bytes.
    init(headCompletedAt: ContinuousClock.Instant, upload: Transfer) {
        self.headCompletedAt = headCompletedAt
        self.upload = upload
    }
}
