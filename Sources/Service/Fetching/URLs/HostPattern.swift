import UntrustedText
import Encodings

/// A pattern for the hosts of URLs, from the configuration.
///
/// The forms are `example.com`, `*.example.com` and `*`, each optionally with a port, such as `example.com:8443`.
/// `*.example.com` matches every name below `example.com` at any depth, but not `example.com` itself. A pattern is
/// compared label by label with the host of libcurl's connection, never with the text of a URL, so neither
/// `example.com.evil.net` nor `example.com@evil.net` matches.
///
/// A pattern for sources can also contain a scheme and a folder, such as `https://example.com/photos/`.
package struct HostPattern: Hashable, Sendable {
    private enum Host: Hashable {
        case any
        case exactly(String)
        /// Names with this suffix, which is a dot and a domain.
        case below(String)
    }

    private let host: Host

    /// The only allowed port; nil allows the default ports.
    package let port: Int?
    /// The only allowed scheme, `http` or `https`; nil allows both.
    private var scheme: String?
    /// The only allowed folder, with a slash at both ends; nil allows every path.
    private var folder: String?

    /// Parses a pattern for sources, which is a pattern for hosts, optionally with `https://` or `http://` before it
    /// and the path of a folder after it.
    ///
    /// Nil if the text is invalid.
    ///
    /// The path is percent-encoded, as in URLs. A path without a slash at its end also means a folder.
    package init?(source text: String) {
        let (start, afterScheme) = text.bytes.halves(at: "://")
        let scheme = afterScheme == nil ? nil : start.bytes.lowercased()
        guard scheme.map({ $0 == "http" || $0 == "https" }) ?? true else { return nil }
        let rest = afterScheme ?? text[...]
        let name = rest.bytes.prefix(before: "/")
        self.init(String(name))
        self.scheme = scheme
        let path = rest.bytes.dropFirst(name.utf8.count)
        guard path.utf8.count > 1 else { return }
        let characters = "-._~!$&'()*+,;=:@%/".utf8
        guard path.utf8.allSatisfy({ $0.isAlphanumeric || characters.contains($0) }), !path.bytes.contains("//"),
            PercentEncoding.bytes(of: Array(path.utf8)) != nil, !PathText.mayLeaveFolder(path.utf8)
        else { return nil }
        folder = path.bytes.hasSuffix("/") ? String(path) : "\(path)/"
    }

    /// Parses a pattern; nil if the text is invalid.
    ///
    /// - Parameter text: A name, optionally in Unicode, which is converted to punycode (`xn--…`), or an IPv6 address in
    ///   brackets.
    package init?(_ text: String) {
        var name = text.bytes.lowercased()
        var port: Int?
        // The closing bracket follows the colons of an IPv6 address.
        if let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")), !name[colon...].bytes.contains("]") {
            let digits = name[name.index(after: colon)...]
            guard digits.isDecimal, let number = Int(digits), 1...65_535 ~= number else {
                return nil
            }
            port = number
            name = String(name[..<colon])
        }
        self.port = port
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            let isBelow = name.bytes.hasPrefix("*.")
            guard let ascii = InternationalName.ascii(String(isBelow ? name.bytes.dropFirst(2) : name[...])) else {
                return nil
            }
            name = (isBelow ? "*." : "") + ascii
        }
        if name == "*" {
            host = .any
        } else if name.bytes.hasPrefix("*.") {
            guard Self.isName(name.dropFirst(2)), IPAddress(String(name.dropFirst(2))) == nil else { return nil }
            host = .below(String(name.dropFirst()))
        } else if name.bytes.hasPrefix("["), name.bytes.hasSuffix("]") {
            guard IPAddress(String(name.dropFirst().dropLast())) != nil else { return nil }
            host = .exactly(Self.normalised(name))
        } else {
            // Some programs parse 127.1 as 127.0.0.1. A URL with either host is compared in its normal form.
            guard Self.isName(name[...]), let normal = try? HostText.normalised(name) else { return nil }
            host = .exactly(normal)
        }
    }

    /// Whether the URL's host matches and, if the pattern has a port, its port also matches.
    package func matches(_ url: WebURL) -> Bool {
        hasPortAndScheme(of: url) && contains(url) && matches(host: url.host)
    }

    /// Whether the URL could lead to a place that the pattern describes.
    ///
    /// Used for a list of denied hosts.
    ///
    /// In case of doubt, the result is true. An IPv4 address also matches the IPv6 addresses that contain it. The path
    /// is compared with the folder as a lenient server would compare them: decoded completely, case-insensitively, with
    /// repeated slashes and backslashes, and without parameters after `;`. A path that could leave its folder may reach
    /// every folder.
    package func mayReach(_ url: WebURL) -> Bool {
        guard hasPortAndScheme(of: url), mayContain(url) else { return false }
        if matches(host: url.host) { return true }
        guard let embedded = url.address?.embeddedIPv4 else { return false }
        return matches(host: "\(embedded.address)")
    }

    private func hasPortAndScheme(of url: WebURL) -> Bool {
        (port == nil || port == url.port) && (scheme == nil || scheme == url.scheme)
    }

    private func matches(host text: String) -> Bool {
        let name = Self.normalised(text)
        return switch host {
        case .any: true
        case .exactly(let host): name == host
        // IP addresses do not have domains: 10.0.0.1 is not below 0.0.1.
        case .below(let domain): name.bytes.hasSuffix(domain) && name.count > domain.count && IPAddress(name) == nil
        }
    }

    /// Whether a URL is in the folder of the pattern for every server, however it decodes or shortens the path.
    private func contains(_ url: WebURL) -> Bool {
        guard let folder else { return true }
        let path = url.path
        return path.utf8.starts(with: folder.utf8) && !PathText.mayLeaveFolder(path.utf8)
    }

    /// Whether a lenient server could find the path of a URL in the folder of the pattern.
    private func mayContain(_ url: WebURL) -> Bool {
        guard let folder else { return true }
        let path = url.path.utf8
        return PathText.mayLeaveFolder(path)
            || PathText.lenientSegments(path).starts(with: PathText.lenientSegments(folder.utf8))
    }

    /// Returns the canonical form of a host.
    ///
    /// An IPv6 address has its shortest form (RFC 5952). A name does not have a trailing dot. The trailing dot only
    /// makes a name absolute (RFC 1034 §3.1), so both forms refer to the same host.
    static func normalised(_ host: String) -> String {
        if host.bytes.hasPrefix("["), let address = IPAddress(String(host.dropFirst().dropLast())) {
            return "[\(address)]"
        }
        return host.bytes.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Whether a text consists of labels of letters, digits, hyphens and underscores, separated by single dots.
    private static func isName(_ text: Substring) -> Bool {
        text.bytes.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isLowerAlphanumeric || "-_".utf8.contains($0) }
        }
    }
}
