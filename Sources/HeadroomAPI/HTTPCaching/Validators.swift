/// An entity tag (RFC 9110 §8.8.3); ``ResponseKey/tag`` makes those of responses.
package struct EntityTag: Hashable, Sendable {
    /// The value of `ETag`.
    package let text: String

    /// The text between the quotes.
    package let opaque: String

    /// Whether equal tags mean equivalent responses, not equal bytes.
    package let isWeak: Bool

    /// Creates a tag of visible ASCII without quotes.
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

    /// Parses a field's value; nil without a valid tag.
    ///
    /// Parsing stops at the first syntax error: at worst the full response is sent again.
    ///
    /// - Parameter value: Several fields joined by commas; nil without the field.
    package init?(_ value: String?) {
        guard let value else { return nil }
        var rest = value[...].drop(while: Self.isBlank)
        if rest.first == "*" {
            guard rest.dropFirst().allSatisfy(Self.isBlank) else { return nil }
            self = .any
            return
        }
        var tags: [String] = []
        while let tag = Self.tag(&rest) { tags.append(tag) }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    /// Whether a field's value matches a tag; nil means no field.
    static func holds(_ value: String?, for tag: EntityTag) -> Bool {
        // Most clients send one tag exactly as they received it, which needs no parsing.
        guard let value else { return false }
        return value == tag.text || IfNoneMatch(value)?.matches(tag) == true
    }

    /// Whether the condition matches a tag by weak comparison (§13.1.2).
    package func matches(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains(tag.opaque)
        }
    }

    /// The next element of the list; empty elements are skipped (§5.6.1.2).
    private static func tag(_ rest: inout Substring) -> String? {
        rest = rest.drop { isBlank($0) || $0 == "," }
        if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
        guard rest.first == "\"" else { return nil }
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: "\"") else { return nil }
        let opaque = rest[..<end]
        let after = rest[end...].dropFirst().drop(while: isBlank)
        guard opaque.utf8.allSatisfy({ $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }),
            after.isEmpty || after.first == ","
        else { return nil }
        rest = after
        return String(opaque)
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}
