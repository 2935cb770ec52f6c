import UntrustedText
import Encodings
import Fetching
import HTTPServer
import HTTPTypes
import Requests

/// The caching fields of one response, and the evaluation of `If-None-Match` and `If-Modified-Since`.
///
/// A 304 has the same caching fields as the 200 that it replaces (RFC 9110 §15.4.5).
struct CachingHeaders {
    /// Nil for the response to a `POST`, whose picture is not the representation of its path (RFC 9110 §8.8.3); its
    /// `If-None-Match` is then ignored.
    let tag: EntityTag?
    /// The time at which the newest of the pictures was changed at its origin; nil if an origin does not say, and
    /// without ``tag``.
    let lastModified: UnixTime?
    let cacheControl: String
    let labels: SourceLabels?
    /// The request fields that determine the response; nil for none.
    let vary: String?
    /// The client hints among them that browsers send only on request; nil for none.
    let acceptCH: String?
    let condition: IfNoneMatch?
    /// The time of `If-Modified-Since`; nil beside `If-None-Match`, which goes first (RFC 9110 §13.2.2).
    let modifiedSince: UnixTime?

    /// Whether the client has the response: it has sent its own entity tag, or without one a time since which the
    /// pictures have not changed.
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
    /// Those of a degraded result are a short `max-age` and no `ETag`, because revalidation would keep the result after
    /// the failure has passed.
    func add(to headers: inout HTTPFields, isDegraded: Bool = false) {
        headers[.cacheControl] = isDegraded ? CachingPolicy.brief : cacheControl
        headers[.eTag] = isDegraded ? nil : tag?.text
        headers[.lastModified] = isDegraded ? nil : lastModified.map(HTTPDate.text)
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

/// Values of the `Cache-Status` field (RFC 9211) that describe the result cache.
enum CacheStatus {
    private static let name = "headroom"

    /// The picture was cached, in memory or, if `isShared`, in Redis.
    static func hit(isShared: Bool) -> String { isShared ? "\(name); hit; detail=shared" : "\(name); hit" }

    /// The picture was not cached; `isJoined` when the request joined a job in progress (single flight).
    static func miss(isJoined: Bool) -> String { isJoined ? "\(name); fwd=miss; collapsed" : "\(name); fwd=miss" }
}

/// An entity tag (RFC 9110 §8.8.3); ``ResponseKey/tag`` makes those of responses.
package struct EntityTag: Hashable, Sendable {
    /// The value of `ETag`, with quotes.
    package let text: String

    /// The text between the quotes.
    package let opaque: String

    /// Whether equal tags mean equivalent responses, not equal bytes.
    package let isWeak: Bool

    /// A tag of a text, which must be visible ASCII without quotes.
    ///
    /// - Parameters:
    ///   - opaque: The text between the quotes.
    ///   - isWeak: Whether equal tags mean equivalent responses, not equal bytes.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
        text = "\(isWeak ? "W/" : "")\"\(opaque)\""
    }
}

/// The condition of `If-None-Match` (RFC 9110 §13.1.2).
package enum IfNoneMatch: Hashable, Sendable {
    /// `*`: any successful response.
    case any
    /// Opaque tags; the weak comparison ignores `W/`.
    case tags([String])

    /// Parses a field's value, several of them joined by commas; nil without a valid tag.
    ///
    /// Parsing stops at the first syntax error: at worst the full response is sent again.
    package init?(_ value: String?) {
        guard let value else { return nil }
        var rest = value[...].utf8.drop(while: Self.isBlank)
        if rest.first == UInt8(ascii: "*") {
            guard rest.dropFirst().allSatisfy(Self.isBlank) else { return nil }
            self = .any
            return
        }
        var tags: [String] = []
        while let tag = Self.tag(&rest) { tags.append(tag) }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    /// The time of `If-Modified-Since`; nil without one, and beside `If-None-Match`, which goes first.
    static func modifiedSince(_ headers: HTTPFields) -> UnixTime? {
        guard let text = headers.value(of: .ifModifiedSince), !headers.contains(.ifNoneMatch) else { return nil }
        return HTTPDate.time(text)
    }

    /// Whether a field's value matches a tag; nil means no field.
    static func holds(_ value: String?, for tag: EntityTag) -> Bool {
        // Most clients send one tag exactly as they received it, which needs no parsing.
        guard let value else { return false }
        return value.bytes == tag.text.bytes || IfNoneMatch(value)?.matches(tag) == true
    }

    /// Whether the condition matches a tag by weak comparison (§13.1.2).
    package func matches(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.bytes == tag.opaque.bytes }
        }
    }

    /// The next element of the list; empty elements are skipped (§5.6.1.2).
    private static func tag(_ rest: inout Substring.UTF8View) -> String? {
        let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
        rest = rest.drop { isBlank($0) || $0 == comma }
        if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
        guard rest.first == quote else { return nil }
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: quote) else { return nil }
        let opaque = rest[..<end]
        let after = rest[end...].dropFirst().drop(while: isBlank)
        guard opaque.allSatisfy({ $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }),
            after.isEmpty || after.first == comma
        else { return nil }
        rest = after
        return String(decoding: opaque, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

/// `Cache-Tag` and `Link` of a response, which identify its source, so that a CDN can purge all crops of one picture.
struct SourceLabels {
    /// The requested URL, not that of a redirect.
    let url: SourceURL
    /// Whether the request contained the URL in full.
    ///
    /// The host or bucket behind a short address, or behind a source of another service's address, is not disclosed.
    let isNamedInFull: Bool

    /// The longest URL in `Link`, in bytes: many proxies limit a whole header to 4096.
    private static let mostLinkBytes = 2048

    /// The value of `Cache-Tag`: a tag for the URL (64 bits of its SHA-256), and one for the host or bucket that the
    /// request named.
    var cacheTag: String {
        let digest = SHA256.digest(of: Array(url.string.utf8))
        let tag = "source-\(Hexadecimal.text(Array(digest.prefix(8))))"
        guard isNamedInFull else { return tag }
        return switch url {
        case .web(let url): "\(tag),host-\(url.host)"
        case .object(let object): "\(tag),bucket-\(object.bucket)"
        case .file: tag
        }
    }

    /// The value of `Link` with the source as the canonical address (RFC 6596); nil if it would be too long, and for
    /// sources that only this service can read.
    var canonicalLink: String? {
        guard case .web = url, isNamedInFull, url.string.utf8.count <= Self.mostLinkBytes else { return nil }
        // These characters would end the address in the field; libcurl permits them in a query.
        let address = url.string.reduce(into: "") { text, character in
            text +=
                ["<", ">", "\""].contains(character) ? PercentEncoding.encoded(String(character)) : String(character)
        }
        return "<\(address)>; rel=\"canonical\""
    }

    /// The caching fields of the response for an absent source: a minute, with the source's `Cache-Tag`.
    var headersOfAbsence: HTTPFields { [.cacheControl: CachingPolicy.brief, .cacheTag: cacheTag] }

    func add(to headers: inout HTTPFields) {
        headers[.cacheTag] = cacheTag
        headers[.link] = canonicalLink
    }
}
