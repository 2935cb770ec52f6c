package import HTTPTypes

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

    /// A request as a client has sent it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: Path and query in origin-form, percent-encoded; or `*`.
    ///   - authority: Host and port; nil if the request names none.
    ///   - headers: In order, also repeated ones.
    ///   - body: Without transfer coding; empty if there is none.
    ///   - client: The address of the client, not that of a trusted proxy.
    ///   - proxy: The trusted proxy before the server; nil for a direct connection.
    ///   - acceptedAt: When the header section was complete.
    ///   - completedAt: When the whole request was received; nil for `acceptedAt`.
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
