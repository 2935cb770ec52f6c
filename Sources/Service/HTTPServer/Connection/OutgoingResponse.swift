/// The current response of a connection, which sends one response at a time.
struct OutgoingResponse {
    /// The number of responses so far; identifies the response that an asynchronous cut-off refers to.
    var number = 0
    /// Whether the connection closes after the response.
    var closesConnection = false
    /// The progress of the response; nil until the socket blocks.
    var delivery: Transfer?
    /// The rest of the body; nil if the whole body is queued.
    var stream: ResponseStream?
    /// Whether the stream is sent in chunks.
    var isChunked = false
    /// The size of the last piece of the stream, in bytes; initially large enough for the head.
    var pieceBytes = 4096
    /// Waits for the next piece of the stream.
    var pieceTask: Task<Void, Never>?
    /// Whether the next piece is requested when the client has acknowledged more bytes.
    var awaitsAcknowledgement = false
}
