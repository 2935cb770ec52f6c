import HTTPServer
import HTTPTypes

/// What caches are told of the answer to one request; a 304 says the same as the 200 that it stands for (RFC 9110 §15.4.5).
struct CachingHeaders {
    /// Of a `POST` there is none: `ETag` would be that of the path, which has nothing to do with the picture sent along
    /// (RFC 9110 §8.8.3), so that `If-None-Match` is none of its conditions either.
    let tag: EntityTag?
    let labels: SourceLabels?
    let isNegotiated: Bool
    private let condition: NoneMatch?

    init(_ request: ServerRequest, _ representation: Representation, labels: SourceLabels?, isNegotiated: Bool) {
        let isSafe = request.method == .get || request.method == .head
        tag = isSafe ? representation.tag : nil
        condition = isSafe ? NoneMatch(request.headers[.ifNoneMatch]) : nil
        self.labels = labels
        self.isNegotiated = isNegotiated
    }

    /// Whether the client has the answer, by a tag that only an answer can have given it.
    var isKnown: Bool {
        guard let tag, case .tags = condition else { return false }
        return condition?.matches(tag) == true
    }

    /// Whether the client has enough of any answer, if there is one: that is known only when it is made (RFC 9110 §13.2.1).
    var acceptsAny: Bool { condition == .any }

    /// Adds everything to a good answer.
    func add(to headers: inout HTTPFields, cacheControl: String) {
        headers[.cacheControl] = cacheControl
        headers[.eTag] = tag?.text
        labels?.add(to: &headers)
    }

    /// Adds what a crop may have that would have been another one, had nothing failed: without a tag, for that would have
    /// it confirmed for ever.
    func addToMakeshift(_ headers: inout HTTPFields) {
        headers[.cacheControl] = CachingPolicy.brief
        labels?.add(to: &headers)
    }

    /// The answer to who has it already.
    func notModified(cacheControl: String) -> ServerResponse {
        var headers = HTTPFields()
        if isNegotiated { headers[.vary] = "Accept" }
        add(to: &headers, cacheControl: cacheControl)
        return ServerResponse(status: .notModified, headers: headers)
    }
}
