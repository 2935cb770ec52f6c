package import Admission
package import HTTPTypes

/// The application behind an ``HTTPServer``.
package protocol HTTPHandler: Sendable {
    /// Returns the response to a request.
    ///
    /// Runs as a task of its own; requests of one connection are handled one at a time. The task is cancelled when the
    /// client disconnects or the server is forced to stop; its response is then discarded.
    ///
    /// The task runs on the event loop of its connection, which avoids thread changes for fast responses; requests
    /// with more than 2 KiB of head and body run on Swift's cooperative pool. The handler must not block, and work of
    /// more than a millisecond must run elsewhere.
    func respond(to request: ServerRequest) async -> ServerResponse

    /// Returns a response that needs no waiting, or nil to call ``respond(to:)``.
    ///
    /// Called on an event loop for a complete request of up to 4 KiB, so it must be fast.
    func immediateResponse(to request: ServerRequest) -> ServerResponse?

    /// Returns a response that refuses a request before its body is received, or nil to receive the body.
    ///
    /// Called on an event loop after the head of a request with a body, so it must be fast. After a refusal, a body of
    /// up to 64 KiB is skipped. For a larger or chunked body, whose length is nil, the input is discarded and the
    /// connection closed; a client that waits for `100 Continue` does not send the body.
    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse?

    /// Returns the client that a trusted proxy names in the fields of a request; nil if `peer` is the client itself.
    ///
    /// Called on an event loop after each head, so it must be fast. Limits per address then apply to that client.
    func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress?

    /// Whether connections of an address are those of a trusted proxy, which have no limit per address.
    func isProxy(_ peer: PeerAddress) -> Bool

    /// Returns the client whose shares of the budgets for bodies and unsent responses a request uses; nil for one without
    /// shares.
    ///
    /// Called on an event loop for a request with a body, and for a response that the socket does not accept at once, so
    /// it must be fast.
    func client(of request: ServerRequest) -> Client?

    /// Returns a receiver of a request's body, which gets it while it arrives; nil to receive the whole body first.
    ///
    /// Called on an event loop after ``refusal(ofHead:bodyLength:)``. ``respond(to:)`` follows at once, with an empty
    /// body and the receiver. The connection is closed after the response.
    func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)?

    /// Returns the response to a request that the server itself refuses, in the application's format.
    ///
    /// Called on an event loop, so it must be fast. The connection is closed after the response. The status is 400,
    /// 408, 413, 414, 417, 431, 500, 501, 505, or 503 if a connection or memory limit is reached; `detail` is one
    /// sentence.
    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse
}

/// By default, ``HTTPHandler/respond(to:)`` handles every request, with its whole body, and no proxy is trusted.
extension HTTPHandler {
    package func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress? { nil }

    package func isProxy(_ peer: PeerAddress) -> Bool { false }

    package func client(of request: ServerRequest) -> Client? { request.client.client }

    package func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? { nil }

    package func immediateResponse(to request: ServerRequest) -> ServerResponse? { nil }

    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? { nil }
}

/// A response to a request.
///
/// The server adds Date, Content-Length and Connection, and sends no body where HTTP allows none (HEAD, 204, 304).
package struct ServerResponse: Sendable {
    /// A final status, 200 to 599.
    package var status: HTTPResponse.Status
    /// The fields to send.
    ///
    /// `Connection: close` closes the connection after the response. Other connection and framing fields are set by
    /// the server and dropped here.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// A body that is produced while it is sent, instead of ``body``; nil for none.
    package var stream: ResponseStream?

    /// A serialised head that precedes ``headers``, and the value of its open field; nil to serialise the head.
    let preparedHead: (head: PreparedHead, value: String)?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
        preparedHead = nil
    }

    /// A response whose head has been serialised before; `value` is that of its open field.
    package init(_ head: PreparedHead, value: String, body: [UInt8]) {
        status = head.status
        headers = [:]
        self.body = body
        preparedHead = (head, value)
    }
}

/// The status line and the fields of many equal responses, as bytes.
///
/// The value of one field is open. Serialising the fields cost as much as finding a cached response.
package final class PreparedHead: Sendable {
    let status: HTTPResponse.Status
    /// The bytes before and after the open value.
    let parts: (start: [UInt8], end: [UInt8])

    /// Serialises a head; the value of the field `name`, which `headers` must contain once, is left open.
    package init(_ status: HTTPResponse.Status, _ headers: HTTPFields, open name: HTTPField.Name) {
        self.status = status
        var (start, end): ([UInt8], [UInt8]) = ([], [])
        start.append(statusLine: status)
        var isAfter = false
        for field in headers {
            if field.name == name {
                start.append("\(field.name.rawName): ")
                end.append("\r\n")
                isAfter = true
            } else if isAfter {
                end.append(field)
            } else {
                start.append(field)
            }
        }
        parts = (start, end)
    }
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
        // The server's own version, also for HTTP/1.0 clients (RFC 9110 §6.2).
        append("HTTP/1.1 ")
        append(decimal: status.code)
        append(.space)
        append(status.reasonPhrase)
        append("\r\n")
    }
}

/// A body that is produced while it is sent.
///
/// A piece is requested when the client has received nearly all of the previous ones, so that a slow client gets fewer
/// pieces and not older ones. The connection is closed after the last piece.
package struct ResponseStream: Sendable {
    /// Returns the next piece, which is not empty; nil after the last.
    ///
    /// Its task is cancelled when the client leaves.
    let next: @Sendable () async -> [UInt8]?
    /// Requests the end at shutdown, so that ``next`` soon returns the last piece, and then nil.
    let finish: @Sendable () -> Void
    /// Called once when no piece is requested any more.
    let close: @Sendable () -> Void

    package init(
        next: @escaping @Sendable () async -> [UInt8]?,
        finish: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () -> Void
    ) {
        self.next = next
        self.finish = finish
        self.close = close
    }
}

/// Receives the body of a request while it arrives.
///
/// Called on an event loop, so it must be fast; it must not wait.
package protocol BodyReceiver: AnyObject, Sendable {
    /// Receives the next bytes, without transfer coding.
    func receive(_ bytes: [UInt8])

    /// Called once, after the last bytes or when no more will come.
    ///
    /// - Parameter isComplete: Whether the body is complete.
    func end(isComplete: Bool)
}

/// A valid request with its complete body.
package struct ServerRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The target in origin-form as it was received, such as `/frame?aspect=16:9`.
    ///
    /// An absolute-form target is reduced to this form. `*` refers to the whole server (`OPTIONS *`).
    package var target: String {
        didSet { split = target.utf8.firstIndex(of: UInt8(ascii: "?")) }
    }

    /// The host and port the request is for, from the absolute-form target or the Host field.
    package var authority: String?
    /// The header fields in order, including repeated ones, whose values are ASCII; others are not there.
    package var headers: HTTPFields
    /// The body without transfer coding; empty if there is none.
    package var body: [UInt8]
    /// Receives the body while it arrives; nil if ``body`` has all of it.
    package var bodyReceiver: (any BodyReceiver)?
    /// The address of the client: that of the connection, or the one that a trusted proxy names.
    package var client: PeerAddress
    /// The trusted proxy that has sent the request for the client; nil if the connection is the client's own.
    package var proxy: PeerAddress?
    /// The time at which the header section was complete; an upper bound.
    package var acceptedAt: ContinuousClock.Instant
    /// The time at which the whole request was received.
    package var completedAt: ContinuousClock.Instant

    private var split: String.Index?

    package init(
        method: HTTPRequest.Method,
        target: String,
        authority: String? = nil,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        client: PeerAddress = .unix,
        proxy: PeerAddress? = nil,
        acceptedAt: ContinuousClock.Instant = .now,
        completedAt: ContinuousClock.Instant? = nil
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.headers = headers
        self.body = body
        self.client = client
        self.proxy = proxy
        self.acceptedAt = acceptedAt
        self.completedAt = completedAt ?? acceptedAt
        self.split = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    }

    /// The target before `?`, still percent-encoded.
    package var path: String { String(target[..<(split ?? target.endIndex)]) }

    /// The target after `?`, still percent-encoded; nil if there is no `?`.
    package var query: String? { split.map { String(target[target.index(after: $0)...]) } }
}
