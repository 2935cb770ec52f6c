import HTTPServer

/// The `Cache-Control` of successful responses, before ``Authorization/limitCaching(of:now:)`` restricts it.
package struct CachingPolicy: Hashable, Sendable {
    /// Whether the origin's `Cache-Control` applies to crops of its images.
    package var followsOrigin: Bool

    /// Creates a policy.
    ///
    /// - Parameter followsOrigin: Whether the origin's `Cache-Control` applies to crops of its images.
    package init(followsOrigin: Bool = false) { self.followsOrigin = followsOrigin }

    /// For temporary errors and degraded results: a minute.
    package static let brief = "public, max-age=60"

    /// Serves stale responses for an hour while revalidating and for a day on errors (RFC 5861 §3, §4).
    private static let staleness = "stale-while-revalidate=3600, stale-if-error=86400"

    /// For URLs whose image may change: a day.
    private static let standard = "public, max-age=86400, \(staleness)"

    /// For signed and versioned URLs, which change with the image: a year, without revalidation (RFC 8246).
    private static let versioned = "public, max-age=31536000, immutable, \(staleness)"

    /// Returns the value for a successful response; `origin` is the `Cache-Control` of the source.
    func value(isVersioned: Bool, origin: String?) -> String {
        if followsOrigin, let origin, let value = OriginDirectives.value(origin) { return value }
        return isVersioned ? Self.versioned : Self.standard
    }
}
