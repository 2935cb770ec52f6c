package import HTTPTypes

/// The application behind an ``HTTPServer``.
package protocol HTTPHandler: Sendable {
    /// Returns the response to a request.
    ///
    /// Runs as a task of its own; requests of one connection are handled one at a time. The task is cancelled when the
    /// client disconnects or the server is forced to stop; its response is then discarded.
    ///
    /// The task runs on the event loop of its connection, which avoids thread changes for fast responses; requests
    /// with more than 64 KiB of body run on Swift's cooperative pool. The handler must not block, and long work must
    /// run elsewhere.
    func respond(to request: ServerRequest) async -> ServerResponse

    /// Returns a response that refuses a request before its body is received, or nil to receive the body.
    ///
    /// Called on an event loop after the head of a request with a body, so it must be fast. After a refusal, a body of
    /// up to 64 KiB is skipped. For a larger or chunked body, the input is discarded and the connection closed; a
    /// client that waits for `100 Continue` does not send the body.
    ///
    /// - Parameters:
    ///   - request: The request with an empty body.
    ///   - bodyLength: The declared length of the body in bytes; nil for a chunked body.
    /// - Returns: The response, or nil to receive the body and call ``respond(to:)``.
    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse?

    /// Returns a receiver of a request's body, which gets it while it arrives; nil to receive the whole body first.
    ///
    /// Called on an event loop after ``refusal(ofHead:bodyLength:)``. ``respond(to:)`` follows at once, with an empty body
    /// and the receiver. The connection is closed after the response.
    func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)?

    /// Returns the response to a request that the server itself refuses, in the application's format.
    ///
    /// Called on an event loop, so it must be fast. The connection is closed after the response.
    ///
    /// - Parameters:
    ///   - status: 400, 408, 413, 414, 417, 431, 500, 501, 505, or 503 if a connection or memory limit is reached.
    ///   - detail: One sentence that states the reason.
    /// - Returns: The response, with this status.
    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse
}

extension HTTPHandler {
    /// Receives every body before it is handled.
    package func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? { nil }

    /// Receives every body.
    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? { nil }
}
