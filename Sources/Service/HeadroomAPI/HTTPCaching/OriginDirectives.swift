import Fetching
import HTTPServer

/// The directives of the origin's `Cache-Control` that responses copy.
enum OriginDirectives {
    private static let plain: Set<Substring> = [
        "public", "private", "no-cache", "must-revalidate", "proxy-revalidate", "no-transform", "immutable",
    ]
    private static let timed: Set<Substring> = ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"]

    private static let permitting: Set<Substring> = ["public", "immutable"]

    /// Combines the directives for a response that uses two sources: the restrictions of both sources, and the shorter
    /// times.
    ///
    /// - Returns: The text of a field; nil without directives.
    static func strictest(_ one: String?, _ other: String?) -> String? {
        guard let one, let other else { return one ?? other }
        let (first, second) = (CacheDirectives(one), CacheDirectives(other))
        let kept = (first.all + second.all).compactMap { name, value -> String? in
            if permitting.contains(name) { return first.has(name) && second.has(name) ? "\(name)" : nil }
            guard timed.contains(name) else { return "\(name)" }
            // Without `s-maxage`, shared caches use `max-age`.
            let times = [first, second].compactMap { directives in
                directives.seconds(name) ?? (name == "s-maxage" ? directives.seconds("max-age") : nil)
            }.map(\.count)
            return times.min().map { "\(name)=\($0)" }
        }
        var seen: Set<String> = []
        return kept.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }

    /// Returns the known directives (RFC 9111 §5.2.2, RFC 5861, RFC 8246) in lower case and without duplicates.
    ///
    /// Unknown directives are dropped.
    ///
    /// - Returns: Nil if no known directive is present, so that the service's own policy applies.
    static func value(_ text: String) -> String? {
        let directives = CacheDirectives(text)
        // `no-store` overrides every other directive.
        if directives.has("no-store") { return "no-store" }
        let kept = directives.all.compactMap { name, value -> String? in
            // Field names in `private` and `no-cache` refer to the origin's fields. They are removed, so the directive
            // covers the whole response.
            if plain.contains(name) { return String(name) }
            guard timed.contains(name), let seconds = value.flatMap(CacheDirectives.seconds) else { return nil }
            return "\(name)=\(seconds.count)"
        }
        return kept.isEmpty ? nil : kept.joined(separator: ", ")
    }
}
