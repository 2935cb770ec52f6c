import Caching
import Encodings
import Fetching
import HTTPServer
import HTTPTypes

/// The caching fields of one response, and the evaluation of `If-None-Match` and `If-Modified-Since`.
///
/// A 304 has the same caching fields as the 200 that it replaces (RFC 9110 §15.4.5).
struct CachingHeaders {
    /// The entity tag.
    ///
    /// Nil for the response to a `POST`, because its image is not the representation of its path (RFC 9110 §8.8.3); the
    /// request's `If-None-Match` is then ignored.
    let tag: EntityTag?
    /// The latest `Last-Modified` of the images at their origins; nil if an origin does not report one, and without
    /// ``tag``.
    let lastModified: UnixTime?
    let cacheControl: String
    let labels: SourceLabels?
    /// The request fields that determine the response; nil for none.
    let vary: String?
    /// The client hints in ``vary`` that browsers send only if the service requests them; nil for none.
    let acceptCH: String?
    let condition: IfNoneMatch?
    /// The time of `If-Modified-Since`; nil if the request also has `If-None-Match`, which takes precedence (RFC 9110
    /// §13.2.2).
    let modifiedSince: UnixTime?

    /// Whether the client already has the response.
    ///
    /// It sent the response's entity tag or, without a tag, a time since which the images have not changed.
    var isKnown: Bool {
        if let lastModified, let modifiedSince { return lastModified <= modifiedSince }
        guard let tag, case .tags = condition else { return false }
        return condition?.matches(tag) == true
    }

    /// Whether the client has sent `If-None-Match: *`, which matches only if the response is successful
    /// (RFC 9110 §13.2.1).
    var acceptsAny: Bool { condition == .any }

    /// Adds all caching fields to a successful response.
    ///
    /// A degraded result has its own `Cache-Control` and no `ETag`, because revalidation would keep the result after
    /// the failure has ended.
    ///
    /// - Parameters:
    ///   - headers: The fields of the response.
    ///   - degraded: The `Cache-Control` of a degraded result; nil for other results.
    func add(to headers: inout HTTPFields, degraded: String? = nil) {
        headers[.cacheControl] = degraded ?? cacheControl
        headers[.eTag] = degraded == nil ? tag?.text : nil
        headers[.lastModified] = degraded == nil ? lastModified.map(HTTPDate.text) : nil
        labels?.add(to: &headers)
        headers[.vary] = vary
        headers[.acceptCH] = acceptCH
    }

    var notModified: ServerResponse {
        var headers = HTTPFields()
        add(to: &headers)
        return ServerResponse(status: .notModified, headers: headers)
    }
}

/// Values of the `Cache-Status` field (RFC 9211), which describe the use of the result cache.
enum CacheStatus {
    private static let name = "headroom"

    /// The image was cached at the given level.
    static func hit(_ level: CacheLevel) -> String {
        switch level {
        case .memory: "\(name); hit"
        case .shared: "\(name); hit; detail=shared"
        case .stored: "\(name); hit; detail=stored"
        }
    }

    /// The image was not cached.
    ///
    /// `isJoined` means that the request joined a job in progress (single flight).
    static func miss(isJoined: Bool) -> String { isJoined ? "\(name); fwd=miss; collapsed" : "\(name); fwd=miss" }
}

/// The fields `Cache-Tag` and `Link`, which identify the source of a response.
///
/// A CDN can use them to purge all crops of one image.
struct SourceLabels {
    /// The requested URL, not the URL after redirects.
    let url: SourceURL
    /// Whether the request contained the complete URL.
    ///
    /// Responses do not disclose the host or bucket of a relative URL or of a source in another service's URL.
    let isNamedInFull: Bool

    /// The maximum length of a URL in `Link`, in bytes: many proxies limit a whole header to 4096 bytes.
    private static let maxLinkBytes = 2048

    /// The value of `Cache-Tag`: a tag for the URL (64 bits of its SHA-256), and a tag for the host or bucket that the
    /// request named.
    var cacheTag: String {
        let tag = SourceTag(url).description
        guard isNamedInFull else { return tag }
        return switch url {
        case .web(let url): "\(tag),host-\(url.host)"
        case .object(let object): "\(tag),bucket-\(object.bucket)"
        case .file: tag
        }
    }

    /// The value of `Link` with the source as the canonical URL (RFC 6596).
    ///
    /// Nil if the value would be too long, and for sources that only this service can read.
    var canonicalLink: String? {
        guard case .web = url, isNamedInFull, url.string.utf8.count <= Self.maxLinkBytes else { return nil }
        // These characters would end the URL in the field; libcurl permits them in a query.
        let address = url.string.reduce(into: "") { text, character in
            text +=
                ["<", ">", "\""].contains(character) ? PercentEncoding.encoded(String(character)) : String(character)
        }
        return "<\(address)>; rel=\"canonical\""
    }

    func add(to headers: inout HTTPFields) {
        headers[.cacheTag] = cacheTag
        headers[.link] = canonicalLink
    }
}
