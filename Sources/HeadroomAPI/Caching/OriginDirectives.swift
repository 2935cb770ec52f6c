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
        let directives = CacheDirectives(text)
        // Nothing beside it could matter.
        if directives.contains("no-store") { return "no-store" }
        let kept = directives.all.compactMap { name, value -> String? in
            // Fields that some of them name are the origin's, and not here: without them the whole answer is meant.
            if plain.contains(name) { return String(name) }
            guard timed.contains(name), let seconds = value.flatMap(CacheDirectives.seconds) else { return nil }
            return "\(name)=\(seconds)"
        }
        return kept.isEmpty ? nil : kept.joined(separator: ", ")
    }
}
