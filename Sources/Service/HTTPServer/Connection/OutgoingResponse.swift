/// The current response of a connection.
///
/// A connection sends one response at a time.
struct OutgoingResponse {
    /// The number of responses so far.
    ///
    /// An asynchronous cut-off uses it to identify its response.
    var number = 0
    /// Whether the connection closes after the response.
    var closesConnection = false
    /// The progress of the response; nil until the socket blocks.
    var delivery: Transfer?
    /// The stream that produces the rest of the body; nil if the whole body is queued.
    var stream: ResponseStream?
    /// Whether the stream is sent with chunked transfer coding.
    var isChunked = false
    /// The size of the last piece of the stream, in bytes.
    ///
    /// The initial value is large enough for the head.
    var pieceBytes = 4096
    /// The task that waits for the next piece of the stream.
    var pieceTask: Task<Void, Never>?
    /// Whether the next piece is requested only after the client has acknowledged more bytes.
    var awaitsAcknowledgement = false
}
