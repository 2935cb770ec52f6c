import Encodings
import Fetching
import HTTPTypes

/// `Cache-Tag` and `Link` of a response, which identify its source, so that a CDN can purge all crops of one picture.
struct SourceLabels {
    private let url: SourceURL

    private let isNamedInFull: Bool

    /// Creates the labels of a requested URL, not of its redirects.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - isNamedInFull: Whether the request contained it in full. The host or bucket behind a short address, or behind a
    ///     source of another service's address, is not disclosed.
    init(_ url: SourceURL, isNamedInFull: Bool) {
        self.url = url
        self.isNamedInFull = isNamedInFull
    }

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

    /// The value of `Link` with the source as the canonical address (RFC 6596); nil when it would be too long, and
    /// for what only this service can read.
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

    /// Adds both fields to a response.
    func add(to headers: inout HTTPFields) {
        headers[.cacheTag] = cacheTag
        headers[.link] = canonicalLink
    }
}
