import Encodings
import UntrustedText

/// Rules that replace the beginning of source URLs, from the configuration.
///
/// A rule is `pattern=replacement`: with `photos://=s3://bucket/public/`, the URL `photos://a.jpg` means
/// `s3://bucket/public/a.jpg`. Both sides end with a slash, so a rule never changes a part of a name. Each `*` of a
/// pattern matches one or more letters, digits, hyphens and underscores, and `${1}` to `${9}` insert the matched texts
/// into the replacement.
///
/// The first matching rule is applied once, before the URL is parsed and checked.
package struct SourceRewrites: Hashable, Sendable {
    /// The maximum number of rules, of wildcards in a pattern, and of bytes of a pattern or a replacement.
    package static let maxRules = 64, maxWildcards = 9, maxBytes = 1024

    private struct Rule: Hashable {
        /// The pattern; scheme and host are in lower case.
        var pattern: String
        /// The replacement: literal texts, and the numbers of wildcards from 0.
        var replacement: [Part]
    }

    private enum Part: Hashable {
        case literal(String)
        case wildcard(Int)
    }

    private let rules: [Rule]

    /// Creates an empty list.
    package init() { rules = [] }

    /// Parses rules that are separated by commas or semicolons; nil if a rule is invalid.
    package init?(_ text: String) {
        let texts = text.utf8.split(omittingEmptySubsequences: false) { ",;".utf8.contains($0) }
        guard texts.count <= Self.maxRules else { return nil }
        var rules: [Rule] = []
        for text in texts {
            guard let rule = Self.rule(Substring(text).bytes.trimmed()) else { return nil }
            rules.append(rule)
        }
        self.rules = rules
    }

    /// Whether a rule replaces the beginning of a URL.
    package func apply(to url: String) -> Bool { match(url) != nil }

    /// Returns the URL with its beginning replaced; nil if no rule matches.
    ///
    /// - Parameter url: The URL from a client, before all checks.
    /// - Returns: The new URL, which must be parsed and checked.
    /// - Throws: ``FetchError/invalidURL(_:)`` if the unchanged part of the path could leave the folder of the
    ///   replacement.
    package func rewritten(_ url: String) throws(FetchError) -> String? {
        guard let (rule, texts, rest) = match(url) else { return nil }
        guard !PathText.mayLeaveFolder(rest.bytes.prefix(before: "?#").utf8) else {
            throw .invalidURL("the path contains . or .. as a segment, or an encoding of them")
        }
        return Self.text(rule.replacement, texts) + rest
    }

    private typealias Match = (rule: Rule, texts: [Substring], rest: Substring)

    private func match(_ url: String) -> Match? {
        guard !rules.isEmpty, url.utf8.count <= URLText.maxLength else { return nil }
        let text = WebText.withScheme(url)
        for rule in rules {
            if let (texts, rest) = Self.match(text, rule.pattern) { return (rule, texts, rest) }
        }
        return nil
    }

    /// Returns the texts of the wildcards and the text after the pattern; nil if the text does not begin with the
    /// pattern.
    ///
    /// A wildcard matches as many characters as possible. In a pattern, the next character must be one that a wildcard
    /// cannot match, so there is only one way to match.
    private static func match(_ text: String, _ pattern: String) -> (texts: [Substring], rest: Substring)? {
        var rest = text.utf8[...]
        var texts: [Substring] = []
        var slashes = 0
        for byte in pattern.utf8 {
            if byte == UInt8(ascii: "*") {
                let run = rest.prefix(while: isOfWildcard)
                guard !run.isEmpty else { return nil }
                texts.append(Substring(run))
                rest = rest[run.endIndex...]
            } else {
                // Only the path is case-sensitive.
                guard let next = rest.popFirst(), byte == (slashes < 3 ? next.lowercasedASCII : next) else {
                    return nil
                }
                if byte == UInt8(ascii: "/") { slashes += 1 }
            }
        }
        return (texts, Substring(rest))
    }

    private static func text(_ parts: [Part], _ texts: [Substring]) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .wildcard(let index): text += index < texts.count ? texts[index] : ""
            }
        }
        return text
    }

    private static func isOfWildcard(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "-_".utf8.contains(byte) }

    private static func rule(_ text: Substring) -> Rule? {
        let (pattern, replacement) = text.bytes.halves(at: "=")
        guard let replacement, isPattern(pattern), let parts = parts(replacement) else { return nil }
        let wildcards = pattern.utf8.count { $0 == UInt8(ascii: "*") }
        guard wildcards <= maxWildcards else { return nil }
        for case .wildcard(let index) in parts where index >= wildcards { return nil }
        // With any text for the wildcards, the replacement must be the URL of a folder with a host or a bucket.
        // bounded: at most maxWildcards
        let example = Self.text(parts, Array(repeating: "a", count: wildcards))
        guard example.utf8.count <= maxBytes, example.bytes.hasSuffix("/"), let base = try? BaseURL(example),
            base.string.bytes.hasSuffix("/")
        else { return nil }
        let (scheme, rest) = pattern.bytes.halves(at: "://")
        let host = rest.map { $0.bytes.prefix(before: "/") } ?? ""
        let start = scheme.utf8.count + 3 + host.utf8.count
        let path = pattern.bytes.dropFirst(start)
        return Rule(pattern: "\(scheme)://\(host)".bytes.lowercased() + path, replacement: parts)
    }

    /// Whether a pattern is a scheme and `://`, optionally a host, optionally a path, and ends with a slash.
    private static func isPattern(_ text: Substring) -> Bool {
        let (scheme, rest) = text.bytes.halves(at: "://")
        guard rest != nil, let first = scheme.utf8.first, first.isAlphanumeric, !first.isDecimalDigit,
            scheme.utf8.allSatisfy({ $0.isAlphanumeric || "+-.*".utf8.contains($0) }),
            text.utf8.count <= maxBytes, text.bytes.hasSuffix("/"),
            text.utf8.allSatisfy({ $0.isAlphanumeric || "-._~!$&'()*+:@/%[]".utf8.contains($0) })
        else { return false }
        // Otherwise the wildcard would also match this character.
        let pairs = zip(text.utf8, text.utf8.dropFirst())
        return !pairs.contains { $0 == UInt8(ascii: "*") && ($1 == UInt8(ascii: "*") || isOfWildcard($1)) }
    }

    /// The parts of a replacement; nil if a `$` is not the start of `${1}` to `${9}`.
    private static func parts(_ text: Substring) -> [Part]? {
        var rest = text
        var parts: [Part] = []
        while !rest.isEmpty {
            let literal = rest.bytes.prefix(before: "$")
            if !literal.isEmpty { parts.append(.literal(String(literal))) }
            rest = rest.bytes.dropFirst(literal.utf8.count)
            guard !rest.isEmpty else { break }
            let mark = Array(rest.utf8.prefix(4))
            guard mark.count == 4, mark[1] == UInt8(ascii: "{"), mark[3] == UInt8(ascii: "}"),
                (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(mark[2])
            else { return nil }
            parts.append(.wildcard(Int(mark[2] - UInt8(ascii: "1"))))
            rest = rest.bytes.dropFirst(4)
        }
        return parts
    }
}
