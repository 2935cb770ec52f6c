import Fetching
import HTTPServer

/// The directives of a `Cache-Control` (RFC 9111 §5.2); of repeated directives the first counts.
struct CacheDirectives {
    /// Names in lower case, in order, each with the text after `=`.
    let all: [(name: Substring, value: Substring?)]

    init(_ text: String) {
        var names: Set<Substring> = []
        all = text.lowercased().listElements.compactMap { directive in
            let sides = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = sides.first.map({ $0.prefix { $0 != " " && $0 != "\t" } }) else { return nil }
            guard names.insert(name).inserted else { return nil }
            return (name, sides.count == 2 ? sides[1] : nil)
        }
    }

    /// Whether a directive is present, with or without a value.
    func contains(_ name: Substring) -> Bool { all.contains { $0.name == name } }

    /// The seconds of a directive; nil when it is absent or has no number.
    func seconds(_ name: Substring) -> DeltaSeconds? { all.first { $0.name == name }?.value.flatMap(Self.seconds) }

    /// Parses a number of seconds, optionally quoted (RFC 9111 §5.2).
    static func seconds(_ text: Substring) -> DeltaSeconds? {
        DeltaSeconds(digits: text.filter { $0 != "\"" && $0 != " " && $0 != "\t" })
    }
}
