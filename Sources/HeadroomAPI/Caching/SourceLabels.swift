import HTTPTypes
import ImageSource

/// What an answer tells of the picture that it was made from, so that all crops of it are found by it.
struct SourceLabels {
    private let url: SourceURL

    /// The labels of what is behind an address, as it was asked for: not where redirects led to.
    init(_ url: SourceURL) { self.url = url }

    /// The longest address that is repeated, in bytes: many proxies have no more than 4096 for a whole header.
    private static let mostLinkBytes = 2048

    /// The value of `Cache-Tag`: one tag for the picture, of the first 64 bits of its address's SHA-256, and one for its host.
    var cacheTag: String {
        let digest = SHA256.digest(of: Array(url.string.utf8))
        return "source-\(Hexadecimal.text(Array(digest.prefix(8)))),host-\(url.host)"
    }

    /// The value of `Link` that names the picture as the one that crops come from (RFC 6596); nil when it would be too long.
    var canonicalLink: String? {
        guard url.string.utf8.count <= Self.mostLinkBytes else { return nil }
        // What would end the address inside the field; libcurl lets them through in a query.
        let address = url.string.reduce(into: "") { text, character in
            text +=
                ["<", ">", "\""].contains(character) ? PercentEncoding.encoded(String(character)) : String(character)
        }
        return "<\(address)>; rel=\"canonical\""
    }

    /// What caches are told when there is no picture: for a minute, and found by the same tags once there is one.
    var headersOfAbsence: HTTPFields { [.cacheControl: CachingPolicy.brief, .cacheTag: cacheTag] }

    /// Adds them to an answer.
    func add(to headers: inout HTTPFields) {
        headers[.cacheTag] = cacheTag
        headers[.link] = canonicalLink
    }
}
