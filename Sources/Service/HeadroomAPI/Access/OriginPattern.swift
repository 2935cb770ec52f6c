import Encodings
import UntrustedText

/// A pattern for the origins of web pages, from the configuration.
///
/// The forms are `https://example.com`, `https://example.com:8443`, `https://*.preview.example` and `null`. The wildcard
/// replaces exactly one label, the leftmost: neither `https://preview.example` nor `https://a.b.preview.example`
/// matches. Scheme and port must always be equal; a pattern without a port matches only origins without a port.
package struct OriginPattern: Hashable, Sendable {
    /// The pattern in lower case, without the wildcard's asterisk and everything after it.
    private let start: String
    /// The text after the asterisk, with its dot; nil for a single origin.
    private let end: String?

    /// Parses a pattern in lower case; nil if the text is invalid.
    ///
    /// A single origin is `null`, or a scheme, a host and an optional port, and nothing else (RFC 6454 §6.2).
    init?(_ text: String) {
        if text == Self.opaque.start {
            self = .opaque
            return
        }
        guard let scheme = ["https://", "http://"].first(where: text.bytes.hasPrefix) else { return nil }
        let host = text.bytes.dropFirst(scheme.utf8.count)
        if host.bytes.hasPrefix("*.") {
            guard Self.isDomain(host.bytes.dropFirst(2)) else { return nil }
            start = scheme
            end = String(host.bytes.dropFirst(1))
        } else {
            let characters = "abcdefghijklmnopqrstuvwxyz0123456789-.:[]".utf8
            guard !host.isEmpty, host.utf8.allSatisfy(characters.contains) else { return nil }
            start = text
            end = nil
        }
    }

    private init(origin: String) {
        start = origin
        end = nil
    }

    /// The origin of sandboxed frames, `data:` URLs and local files, which browsers write as `null`.
    package static let opaque = OriginPattern(origin: "null")

    /// The only origin that matches; nil for a pattern with a wildcard.
    var origin: String? { end == nil ? start : nil }

    /// Whether an origin, as a browser sends it, matches.
    func matches(_ origin: String) -> Bool {
        guard let end else { return origin.bytes == start.bytes }
        guard origin.bytes.hasPrefix(start), origin.bytes.hasSuffix(end) else { return false }
        let length = origin.utf8.count - start.utf8.count - end.utf8.count
        let label = origin.utf8.dropFirst(start.utf8.count).prefix(max(0, length))
        return Self.isLabel(Substring(label))
    }

    /// Whether a text is the name of a domain and an optional port.
    ///
    /// The end of an IPv4 address is not a domain.
    private static func isDomain(_ text: Substring) -> Bool {
        let (name, port) = text.bytes.halves(at: ":")
        if let port {
            guard port.isDecimal, let number = Int(port), 1...65_535 ~= number else { return false }
        }
        let labels = name.bytes.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy(isLabel) && labels.last?.isDecimal == false
    }

    /// Whether a text is one label of a host name (RFC 1035 §2.3.4), with underscores, which some names have.
    private static func isLabel(_ text: Substring) -> Bool {
        1...63 ~= text.utf8.count && text.utf8.allSatisfy { $0.isLowerAlphanumeric || "-_".utf8.contains($0) }
    }
}
