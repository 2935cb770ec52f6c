import Admission

/// The request that a connection receives or handles, one after the other.
struct IncomingRequest {
    /// Its head; nil until it is complete.
    var head: RequestHead?
    /// The part that is being received.
    var stage = RequestParser.Stage.idle
    var headCompletedAt: ContinuousClock.Instant
    /// The client, if a trusted proxy names one.
    var clientBehindProxy: PeerAddress?
    /// The response to a request refused by its head while its body is skipped.
    var refusal: ServerResponse?
    /// The progress of its body.
    var upload: Transfer
    /// Receives its body while it arrives; nil if the body is collected.
    var receiver: (any BodyReceiver)?
    /// The bytes of its body that are reserved in the server's budget.
    var heldBytes = 0
    /// The client whose share of the body budget the body uses.
    var bodyClient: Client?

    /// No request yet.
    ///
    /// - Parameters:
    ///   - headCompletedAt: The time when the connection was accepted.
    ///   - upload: A body without bytes.
    init(headCompletedAt: ContinuousClock.Instant, upload: Transfer) {
        self.headCompletedAt = headCompletedAt
        self.upload = upload
    }
}
