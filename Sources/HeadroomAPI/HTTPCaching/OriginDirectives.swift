import Fetching

/// The origin's `Cache-Control` as responses repeat it.
enum OriginDirectives {
    private static let plain: Set<Substring> = [
        "public", "private", "no-cache", "must-revalidate", "proxy-revalidate", "no-transform", "immutable",
    ]
    private static let timed: Set<Substring> = ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"]

    /// The known directives (RFC 9111 §5.2.2, RFC 5861, RFC 8246), each once, in lower case; unknown directives are
    /// dropped.
    ///
    /// - Returns: Nil when no directive is left, so that the service's own policy applies.
    static func value(_ text: String) -> String? {
        let directives = CacheDirectives(text)
        // `no-store` overrides every other directive.
        if directives.contains("no-store") { return "no-store" }
        let kept = directives.all.compactMap { name, value -> String? in
            // Field names in `private` and `no-cache` refer to the origin's fields; without them the directive covers
            // the whole response.
            if plain.contains(name) { return String(name) }
            guard timed.contains(name), let seconds = value.flatMap(CacheDirectives.seconds) else { return nil }
            return "\(name)=\(seconds.count)"
        }
        return kept.isEmpty ? nil : kept.joined(separator: ", ")
    }
}
