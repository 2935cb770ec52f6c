import UntrustedText
import Fetching
import HTTPServer

/// The directives of a `Cache-Control` (RFC 9111 §5.2).
///
/// If a directive is repeated, its first occurrence is used.
struct CacheDirectives {
    /// Names in lower case, in order, each with the text after `=`.
    let all: [(name: Substring, value: Substring?)]

    init(_ text: String) {
        var names: Set<Substring> = []
        all = text.bytes.lowercased().listElements.compactMap { directive in
            let (before, value) = directive.bytes.halves(at: "=")
            let name = before.bytes.prefix(before: " \t")
            // Only the names of ``OriginDirectives`` are used.
            guard name.bytes.isWord(atMost: 32), names.insert(name).inserted else { return nil }
            return (name, value)
        }
    }

    /// Whether a directive is present, with or without a value.
    func has(_ name: Substring) -> Bool { all.contains { $0.name == name } }

    /// Returns the seconds of a directive; nil if it is absent or is not a number.
    func seconds(_ name: Substring) -> DeltaSeconds? { all.first { $0.name == name }?.value.flatMap(Self.seconds) }

    /// Parses a number of seconds, optionally quoted (RFC 9111 §5.2).
    static func seconds(_ text: Substring) -> DeltaSeconds? {
        DeltaSeconds(digits: String(decoding: text.utf8.filter { !"\" \t".utf8.contains($0) }, as: UTF8.self))
    }
}
