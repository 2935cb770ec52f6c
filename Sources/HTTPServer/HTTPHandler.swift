package import HTTPTypes

/// The application behind an ``HTTPServer``.
package protocol HTTPHandler: Sendable {
    /// Answers one request.
    ///
    /// Runs as a task of its own; requests of one connection come one at a time. The task is cancelled when the client
    /// leaves or the server is forced to stop, and its answer is then dropped.
    ///
    /// Between its suspensions the task runs on the loop that serves the connection and others, so that a quick answer
    /// costs no change of threads; with a body of more than 64 KiB it runs on Swift's pool. It may not block, and long
    /// work belongs elsewhere.
    func respond(to request: ServerRequest) async -> ServerResponse

    /// The answer to a request whose body is not worth receiving; nil when it is.
    ///
    /// Called on a server loop, once the head of a request with a body is there: it must be quick. After a refusal a body
    /// of up to 64 KiB is let go by, and any other discarded and the connection closed; a client that waits for
    /// `100 Continue` does not even send it.
    ///
    /// - Parameters:
    ///   - request: With an empty body.
    ///   - bodyLength: The length that the body is going to have, in bytes; nil for a chunked one.
    /// - Returns: The answer to send, or nil to receive the body and call ``respond(to:)``.
    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse?

    /// The answer to a request that the server itself refuses, in the application's own shape.
    ///
    /// Called on a server loop: it must be quick. The connection is closed afterwards.
    ///
    /// - Parameters:
    ///   - status: 400, 408, 413, 414, 417, 431, 500, 501, 505, or 503 when the server has too many connections.
    ///   - detail: One sentence that says what was wrong.
    /// - Returns: The answer, with this status.
    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse
}

extension HTTPHandler {
    /// Takes every body.
    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? { nil }
}
