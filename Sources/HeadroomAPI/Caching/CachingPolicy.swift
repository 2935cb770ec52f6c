/// What caches are told of how long an answer stays good, before ``Grant/limitCaching(of:now:)`` takes back what they
/// may not do.
package struct CachingPolicy: Hashable, Sendable {
    /// Whether what the origin says of a picture holds for its crops too.
    package var followsOrigin: Bool

    /// A policy.
    package init(followsOrigin: Bool = false) { self.followsOrigin = followsOrigin }

    /// For errors that are likely to pass, and for crops that would have been others but for one: a minute.
    package static let brief = "public, max-age=60"

    /// Goes on with what is there while a new answer is made, for an hour, or cannot be made, for a day (RFC 5861 §3, §4).
    private static let staleness = "stale-while-revalidate=3600, stale-if-error=86400"

    /// A picture may change under its address: a day.
    private static let standard = "public, max-age=86400, \(staleness)"

    /// Who signs an address or gives it a version makes another one when the picture changes: a year, in which browsers
    /// need not even ask (RFC 8246).
    private static let versioned = "public, max-age=31536000, immutable, \(staleness)"

    /// The value of `Cache-Control` for a good answer.
    ///
    /// - Parameters:
    ///   - isVersioned: Whether its address stands for one picture for ever.
    ///   - origin: `Cache-Control` of the source; nil without one.
    /// - Returns: Directives as they stand in the header.
    func value(isVersioned: Bool, origin: String?) -> String {
        if followsOrigin, let origin, let value = OriginDirectives.value(origin) { return value }
        return isVersioned ? Self.versioned : Self.standard
    }
}
