import HTTPServer
import HTTPTypes

/// The caching fields of one response, and the evaluation of `If-None-Match`.
///
/// A 304 has the same caching fields as the 200 that it replaces (RFC 9110 §15.4.5).
struct CachingHeaders {
    /// Nil for the response to a `POST`, whose picture is not the representation of its path (RFC 9110 §8.8.3); its
    /// `If-None-Match` is then ignored.
    let tag: EntityTag?
    private let cacheControl: String
    private let labels: SourceLabels?
    private let deciding: DecidingFields
    private let condition: IfNoneMatch?

    /// Creates the fields of a response.
    ///
    /// - Parameters:
    ///   - tag: The entity tag; nil for a response to an unsafe method.
    ///   - condition: The request's `If-None-Match`.
    ///   - cacheControl: The `Cache-Control` of a successful response.
    ///   - labels: The source's labels; nil for an upload.
    ///   - deciding: The fields of requests that decide the response.
    init(
        tag: EntityTag?,
        ifNoneMatch condition: String?,
        cacheControl: String,
        labels: SourceLabels?,
        deciding: DecidingFields
    ) {
        self.tag = tag
        self.cacheControl = cacheControl
        self.condition = tag == nil ? nil : IfNoneMatch(condition)
        self.labels = labels
        self.deciding = deciding
    }

    /// Whether the client has sent the response's own entity tag.
    var isKnown: Bool {
        guard let tag, case .tags = condition else { return false }
        return condition?.matches(tag) == true
    }

    /// Whether the client has sent `If-None-Match: *`, which matches only if the response is successful
    /// (RFC 9110 §13.2.1).
    var acceptsAny: Bool { condition == .any }

    /// Adds all caching fields to a successful response.
    func add(to headers: inout HTTPFields) {
        headers[.cacheControl] = cacheControl
        headers[.eTag] = tag?.text
        labels?.add(to: &headers)
        deciding.add(to: &headers)
    }

    /// Adds the caching fields of a degraded result: a short `max-age`, and no `ETag`, because revalidation would keep the
    /// result after the failure has passed.
    func addDegraded(to headers: inout HTTPFields) {
        headers[.cacheControl] = CachingPolicy.brief
        labels?.add(to: &headers)
        deciding.add(to: &headers)
    }

    /// 304 Not Modified.
    var notModified: ServerResponse {
        var headers = HTTPFields()
        add(to: &headers)
        return ServerResponse(status: .notModified, headers: headers)
    }
}

/// Values of the `Cache-Status` field (RFC 9211) that describe the result cache.
enum CacheStatus {
    private static let name = "headroom"

    /// The picture was cached, in memory or, if `isShared`, in Redis.
    static func hit(isShared: Bool) -> String { isShared ? "\(name); hit; detail=shared" : "\(name); hit" }

    /// The picture was not cached; `isJoined` when the request joined a job in progress (single flight).
    static func miss(isJoined: Bool) -> String { isJoined ? "\(name); fwd=miss; collapsed" : "\(name); fwd=miss" }
}
