import Admission

/// The current request of a connection.
///
/// A connection receives or handles one request at a time.
struct IncomingRequest {
    /// The head; nil until it is complete.
    var head: RequestHead?
    /// The part of the request that is being received.
    var stage = RequestParser.Stage.idle
    var headCompletedAt: ContinuousClock.Instant
    /// The client, if a trusted proxy reports one.
    var clientBehindProxy: PeerAddress?
    /// The response to a request that was rejected after its head.
    ///
    /// It is sent after the body has been skipped.
    var refusal: ServerResponse?
    /// The progress of the body.
    var upload: Transfer
    /// Receives the body while it arrives; nil if the body is collected.
    var receiver: (any BodyReceiver)?
    /// The number of bytes that are reserved for the body in the server's budget.
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
