package import Admission
package import HTTPTypes

/// The application that an ``HTTPServer`` serves.
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

    /// Returns a response that is available without waiting, or nil to call ``respond(to:)``.
    ///
    /// Called on an event loop for a complete request of up to 4 KiB, so it must be fast.
    func immediateResponse(to request: ServerRequest) -> ServerResponse?

    /// Returns a response that rejects a request before its body is received, or nil to receive the body.
    ///
    /// Called on an event loop after the head of a request with a body, so it must be fast. `bodyLength` is nil for a
    /// chunked body. After a rejection, a body of up to 64 KiB is skipped. If the body is larger or chunked, the input
    /// is discarded and the connection is closed. A client that waits for `100 Continue` does not send the body.
    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse?

    /// Returns the client that a trusted proxy reports in the fields of a request; nil if `peer` itself is the client.
    ///
    /// Called on an event loop after each head, so it must be fast. Limits per address then apply to the returned
    /// client.
    func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress?

    /// Whether connections from an address come from a trusted proxy.
    ///
    /// A trusted proxy is exempt from the limit per address.
    func isProxy(_ peer: PeerAddress) -> Bool

    /// Returns the client whose fair shares a request uses, in the budgets for bodies and for unsent responses.
    ///
    /// Nil for a client without fair shares.
    ///
    /// Called on an event loop for a request with a body, and for a response that the socket does not accept
    /// immediately. It must be fast.
    func client(of request: ServerRequest) -> Client?

    /// Returns a receiver for a request's body, which receives the body while it arrives.
    ///
    /// Nil to collect the whole body first.
    ///
    /// Called on an event loop after ``refusal(ofHead:bodyLength:)``. Then ``respond(to:)`` is called immediately, with
    /// an empty body and with the receiver. The connection is closed after the response.
    func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)?

    /// Returns the response to a request that the server itself rejects, in the application's format.
    ///
    /// Called on an event loop, so it must be fast. The connection is closed after the response. The status is 400,
    /// 408, 413, 414, 417, 422 (response too large), 431, 500, 501, 505, or 503 (connection or memory limit reached).
    /// `detail` is one sentence.
    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse
}

/// By default, ``HTTPHandler/respond(to:)`` handles every request after its whole body has been received, and no proxy
/// is trusted.
extension HTTPHandler {
    package func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress? { nil }

    package func isProxy(_ peer: PeerAddress) -> Bool { false }

    package func client(of request: ServerRequest) -> Client? { request.client.client }

    package func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? { nil }

    package func immediateResponse(to request: ServerRequest) -> ServerResponse? { nil }

    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? { nil }
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
