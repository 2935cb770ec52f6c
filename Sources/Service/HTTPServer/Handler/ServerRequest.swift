package import HTTPTypes

/// A valid request with its complete body.
package struct ServerRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The target in origin-form, such as `/frame?aspect=16:9`, with its percent-encoding unchanged.
    ///
    /// A target in absolute-form is converted to this form. `*` means the whole server (`OPTIONS *`).
    package var target: String {
        didSet { split = target.utf8.firstIndex(of: UInt8(ascii: "?")) }
    }

    /// The host and port of the request, from the absolute-form target or the Host field.
    package var authority: String?
    /// The header fields in order, including repeated fields.
    ///
    /// Fields with non-ASCII values are omitted.
    package var headers: HTTPFields
    /// The body after transfer decoding; empty without a body.
    package var body: [UInt8]
    /// Receives the body while it arrives; nil if ``body`` contains the whole body.
    package var bodyReceiver: (any BodyReceiver)?
    /// The address of the client: the address that a trusted proxy reports, or else the address of the connection.
    package var client: PeerAddress
    /// The trusted proxy that forwarded the request; nil if the client itself opened the connection.
    package var proxy: PeerAddress?
    /// The latest possible time when the header section was complete.
    package var acceptedAt: ContinuousClock.Instant
    /// The time when the whole request was received.
    package var completedAt: ContinuousClock.Instant

    private var split: String.Index?

    /// Creates a request as if a client had sent it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path and the query in origin-form, percent-encoded; or `*`.
    ///   - authority: The host and the port; nil if the request does not contain them.
    ///   - headers: The fields in order, including repeated fields.
    ///   - body: The body after transfer decoding; empty without a body.
    ///   - client: The address of the client, not of a trusted proxy.
    ///   - proxy: The trusted proxy in front of the server; nil for a direct connection.
    ///   - acceptedAt: The time when the header section was complete.
    ///   - completedAt: The time when the whole request was received; nil for `acceptedAt`.
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

    /// The target after `?`, still percent-encoded; nil without `?`.
    package var query: String? { split.map { String(target[target.index(after: $0)...]) } }
}
