import UntrustedText
import Fetching
import HTTPServer
import HTTPTypes

/// The condition of `If-None-Match` (RFC 9110 §13.1.2).
package enum IfNoneMatch: Hashable, Sendable {
    /// `*`: any successful response.
    case any
    /// Opaque tags; the weak comparison ignores `W/`.
    case tags([String])

    /// Parses a field value, or several values joined by commas; nil without a valid tag.
    ///
    /// Parsing stops at the first syntax error. In the worst case, the full response is sent again.
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

    /// Returns the time of `If-Modified-Since`; nil if it is absent, or if the request also has `If-None-Match`, which
    /// takes precedence.
    static func modifiedSince(_ headers: HTTPFields) -> UnixTime? {
        guard let text = headers.value(of: .ifModifiedSince), !headers.contains(.ifNoneMatch) else { return nil }
        return HTTPDate.time(text)
    }

    /// Whether a field's value matches a tag; a nil value is an absent field.
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

    /// Returns the next element of the list; empty elements are skipped (§5.6.1.2).
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
