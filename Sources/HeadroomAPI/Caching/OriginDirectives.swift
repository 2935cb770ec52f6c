/// `Cache-Control` of an origin as it is repeated for the crops of its pictures.
enum OriginDirectives {
    private static let plain: Set<Substring> = [
        "public", "private", "no-cache", "must-revalidate", "proxy-revalidate", "no-transform", "immutable",
    ]
    private static let timed: Set<Substring> = ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"]

    /// The directives that are known (RFC 9111 §5.2.2, RFC 5861, RFC 8246), each once, in lower case; others mean nothing
    /// to most caches, and could mean anything to some.
    ///
    /// - Returns: Nil when nothing is left, so that the service's own policy holds.
    static func value(_ text: String) -> String? {
        var kept: [String] = []
        var names: Set<Substring> = []
        for part in text.lowercased().split(separator: ",") {
            let directive = part.drop { $0 == " " || $0 == "\t" }
            let sides = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = sides.first.map({ $0.prefix { $0 != " " && $0 != "\t" } }) else { continue }
            // Nothing beside it could matter.
            if name == "no-store" { return "no-store" }
            guard names.insert(name).inserted else { continue }
            if plain.contains(name) {
                // Fields that some of them name are the origin's, and not here: without them the whole answer is meant.
                kept.append(String(name))
            } else if timed.contains(name), sides.count == 2, let seconds = seconds(sides[1]) {
                kept.append("\(name)=\(seconds)")
            }
        }
        return kept.isEmpty ? nil : kept.joined(separator: ", ")
    }

    /// A number of seconds, perhaps in quotes (RFC 9111 §5.2), of 2³¹ at most (§1.2.2).
    private static func seconds(_ text: Substring) -> Int? {
        let digits = text.filter { $0 != "\"" && $0 != " " && $0 != "\t" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let most = 1 << 31
        return min(Int(digits) ?? most, most)
    }
}
