package import HTTPTypes

/// One request that the server accepted, with its whole body.
package struct ServerRequest: Sendable {
    package var method: HTTPRequest.Method

    /// The target in origin-form as it was received, such as `/frame?aspect=16:9`.
    ///
    /// An absolute-form target is reduced to this form. It is `*` for a request about the server as a whole (`OPTIONS *`).
    package var target: String {
        didSet { split = target.utf8.firstIndex(of: UInt8(ascii: "?")) }
    }

    /// The host and port the request is for, from the absolute-form target or the Host field.
    package var authority: String?

    /// The fields of the header section, in order, repeated ones included.
    package var headers: HTTPFields

    /// The body, with any transfer coding removed; empty when there was none.
    package var body: [UInt8]

    /// Who sent the request.
    package var peer: PeerAddress

    /// When the header section was complete, as far as the server could know: not later than this.
    package var acceptedAt: ContinuousClock.Instant

    /// When the whole request was there.
    package var completedAt: ContinuousClock.Instant

    private var split: String.Index?

    package init(
        method: HTTPRequest.Method,
        target: String,
        authority: String? = nil,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        peer: PeerAddress = .unix,
        acceptedAt: ContinuousClock.Instant = .now,
        completedAt: ContinuousClock.Instant? = nil
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.headers = headers
        self.body = body
        self.peer = peer
        self.acceptedAt = acceptedAt
        self.completedAt = completedAt ?? acceptedAt
        self.split = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    }

    /// The target before `?`, still percent-encoded.
    package var path: String { String(target[..<(split ?? target.endIndex)]) }

    /// The target after `?`, still percent-encoded; nil when there is no `?`.
    package var query: String? { split.map { String(target[target.index(after: $0)...]) } }
}
