/// The directives of a `Cache-Control` (RFC 9111 §5.2), each name once: of two the first counts.
struct CacheDirectives {
    /// Names in lower case, in the order in which they came, with what followed `=`.
    let all: [(name: Substring, value: Substring?)]

    init(_ text: String) {
        var names: Set<Substring> = []
        all = text.lowercased().split(separator: ",").compactMap { part in
            let directive = part.drop { $0 == " " || $0 == "\t" }
            let sides = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = sides.first.map({ $0.prefix { $0 != " " && $0 != "\t" } }) else { return nil }
            guard names.insert(name).inserted else { return nil }
            return (name, sides.count == 2 ? sides[1] : nil)
        }
    }

    /// Whether a directive is there, with a value or without.
    func contains(_ name: Substring) -> Bool { all.contains { $0.name == name } }

    /// The seconds that a directive gives; nil when it is not there, or has no number.
    func seconds(_ name: Substring) -> Int? { all.first { $0.name == name }?.value.flatMap(Self.seconds) }

    /// A number of seconds, perhaps in quotes (RFC 9111 §5.2), of 2³¹ at most (§1.2.2).
    static func seconds(_ text: Substring) -> Int? {
        let digits = text.filter { $0 != "\"" && $0 != " " && $0 != "\t" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let most = 1 << 31
        return min(Int(digits) ?? most, most)
    }
}
