import Fetching

/// The freshness lifetime of a fetched source (RFC 9111 §4.2).
struct OriginFreshness: Hashable {
    /// The lifetime if the origin does not state one.
    ///
    /// It is short, so that a person who replaces an image soon sees the new one.
    static let unstated = DeltaSeconds(clamping: 60)

    /// The maximum lifetime, so that a replaced image is not served for days.
    static let longest = DeltaSeconds(clamping: 3600)

    /// The remaining lifetime.
    ///
    /// 0 requires revalidation before each use; nil means that the source must not be stored.
    let lifetime: DeltaSeconds?

    /// Whether the stale source may be served when the origin fails (RFC 5861 §4).
    let allowsStale: Bool

    /// Computes the freshness of an origin's response, which may be a 304; `now` replaces a missing `Date`.
    ///
    /// All clients share a source, so the rules for shared caches apply: `private` and `s-maxage` (§5.2.2).
    init(of image: FetchedImage, now: UnixTime) {
        let directives = CacheDirectives(image.cacheControl ?? "")
        let forbids = directives.has("no-store") || directives.has("private")
        let mustAsk = directives.has("no-cache")
        allowsStale =
            !forbids && !mustAsk && !directives.has("must-revalidate") && !directives.has("proxy-revalidate")
        let stated =
            directives.seconds("s-maxage") ?? directives.seconds("max-age")
            ?? image.expires.map { $0 - (image.date ?? now) }
        let none = DeltaSeconds(clamping: 0)
        let left = stated.map { $0 - (image.age ?? none) } ?? Self.unstated
        lifetime = forbids ? nil : mustAsk ? none : min(left, Self.longest)
    }

    /// Returns the time when a source that was fetched or revalidated at `now` becomes stale.
    func end(from now: UnixTime) -> UnixTime { lifetime.map { now + $0 } ?? now }
}
