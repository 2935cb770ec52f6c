import Encodings

/// The cookies of one fetch.
///
/// Responses with redirects set them, and they are sent only to the host that set them (RFC 6265).
///
/// Some origins respond to the first request with a cookie and a redirect to the same URL. Cookies are discarded after
/// the fetch, so one client's request never depends on another client's request. The rules are stricter than in
/// browsers: a cookie is sent only to the host that set it, even if it names another domain.
struct FetchCookies {
    /// The maximum number of cookies.
    ///
    /// Additional cookies are ignored.
    static let maxCount = ResponseHeader.maxCookies
    /// The maximum size of a stored cookie, in bytes: name, value and attributes.
    static let maxBytes = 4096
    /// The maximum size of a sent `Cookie` field, in bytes.
    static let maxFieldBytes = 8192

    private struct Cookie {
        var host: [UInt8]
        var name: [UInt8]
        var value: [UInt8]
        /// The path prefix of requests that get the cookie.
        var path: [UInt8]
        var isSecure: Bool
    }

    private var cookies: [Cookie] = []

    /// Creates an empty set.
    init() {}

    /// Stores the `Set-Cookie` values of a response.
    ///
    /// Ignores values that cannot be parsed or that name another host.
    mutating func take(_ values: [[UInt8]], from url: WebURL) {
        for value in values.prefix(Self.maxCount) where value.count <= Self.maxBytes { take(value, from: url) }
    }

    private mutating func take(_ text: [UInt8], from url: WebURL) {
        let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.trimmed)
        guard let first = parts.first, let equals = first.firstIndex(of: UInt8(ascii: "=")) else { return }
        let name = Self.trimmed(first[..<equals])
        let value = Self.trimmed(first[equals...].dropFirst())
        guard !name.isEmpty, (name + value).allSatisfy({ 0x20...0x7E ~= $0 }) else { return }
        var cookie = Cookie(
            host: Array(url.host.utf8),
            name: Array(name),
            value: Array(value),
            path: Self.folder(of: Self.path(of: url)),
            isSecure: false
        )
        var isRemoved = false
        for part in parts.dropFirst() {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let attribute = sides.count > 1 ? Self.trimmed(sides[1]) : []
            switch String(decoding: Self.lowercased(Self.trimmed(sides.first ?? []).prefix(16)), as: UTF8.self) {
            case "domain":
                let domain = Self.lowercased(attribute.first == UInt8(ascii: ".") ? attribute.dropFirst() : attribute)
                guard domain.isEmpty || Self.isHost(cookie.host, in: domain) else { return }
            case "path" where attribute.first == UInt8(ascii: "/"): cookie.path = Array(attribute)
            case "secure": cookie.isSecure = true
            case "max-age": isRemoved = attribute.first == UInt8(ascii: "-") || attribute.allSatisfy { $0 == 0x30 }
            default: break
            }
        }
        guard !cookie.isSecure || url.scheme == "https" else { return }
        cookies.removeAll { $0.host == cookie.host && $0.name == cookie.name && $0.path == cookie.path }
        if !isRemoved, cookies.count < Self.maxCount { cookies.append(cookie) }
    }

    /// Returns the `Cookie` field of a request; nil if no cookie matches.
    func field(for url: WebURL) -> String? {
        let (host, path) = (Array(url.host.utf8), Self.path(of: url))
        var field: [UInt8] = []
        for cookie in cookies where cookie.host == host && Self.isPath(path, below: cookie.path) {
            guard !cookie.isSecure || url.scheme == "https" else { continue }
            let more = (field.isEmpty ? [] : Array("; ".utf8)) + cookie.name + [UInt8(ascii: "=")] + cookie.value
            guard field.count + more.count <= Self.maxFieldBytes else { break }
            field += more
        }
        return field.isEmpty ? nil : String(decoding: field, as: UTF8.self)
    }

    /// Returns the path of a URL in normal form, without its query.
    private static func path(of url: WebURL) -> [UInt8] {
        let rest = url.string.utf8.dropFirst(url.scheme.utf8.count + 3)
        let path = rest.drop { $0 != UInt8(ascii: "/") }.prefix { $0 != UInt8(ascii: "?") }
        return path.isEmpty ? [UInt8(ascii: "/")] : Array(path)
    }

    /// Returns the path up to its last slash (§5.1.4).
    private static func folder(of path: [UInt8]) -> [UInt8] {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return [UInt8(ascii: "/")] }
        return Array(path[..<slash])
    }

    private static func isPath(_ path: [UInt8], below folder: [UInt8]) -> Bool {
        guard path.starts(with: folder) else { return false }
        return path.count == folder.count || folder.last == UInt8(ascii: "/") || path[folder.count] == UInt8(ascii: "/")
    }

    /// Whether a host is a domain or a subdomain of it.
    private static func isHost(_ host: [UInt8], in domain: [UInt8]) -> Bool {
        host == domain
            || host.count > domain.count && host.suffix(domain.count).elementsEqual(domain)
                && host[host.count - domain.count - 1] == UInt8(ascii: ".")
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        guard let last = start.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return [] }
        return start[...last]
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
    }
}
