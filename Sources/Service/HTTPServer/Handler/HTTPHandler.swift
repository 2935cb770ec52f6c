import HTTPTypes

/// The application that an ``HTTPServer`` serves.
///
/// ``ServerHooks`` has its quick decisions.
package protocol HTTPHandler: Sendable {
    /// Returns the response to a request.
    ///
    /// Runs as a separate task. Requests of one connection are handled one at a time. If the client disconnects, or if
    /// the server is forced to stop, the task is cancelled and its response is discarded.
    ///
    /// The task runs on the event loop of its connection, which avoids thread changes for fast responses. Requests with
    /// more than 2 KiB of head and body run on Swift's cooperative pool instead. The handler must not block, and work
    /// of more than a millisecond must run elsewhere.
    func respond(to request: ServerRequest) async -> ServerResponse
}
