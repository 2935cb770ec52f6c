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

extension [UInt8] {
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    mutating func append(decimal number: Int) { append(String(number)) }

    mutating func append(_ field: HTTPField) {
        append(field.name.rawName)
        append(": ")
        // HTTPField guarantees that names and values contain neither CR nor LF.
        field.withUnsafeBytesOfValue { append(contentsOf: $0) }
        append("\r\n")
    }

    mutating func append(statusLine status: HTTPResponse.Status) {
        // The server sends its own version, even to HTTP/1.0 clients (RFC 9110 §6.2).
        append("HTTP/1.1 ")
        append(decimal: status.code)
        append(.space)
        append(status.reasonPhrase)
        append("\r\n")
    }
}
