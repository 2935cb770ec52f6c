import ImageSource

/// How long a source that was fetched may be used without asking its origin again (RFC 9111 §4.2).
struct OriginFreshness: Hashable {
    /// How long a source is used whose origin does not say: as long as a person waits who has just replaced a picture.
    static let unstated = 60

    /// The most that is believed of an origin, so that a picture that was replaced is not shown for days.
    static let longest = 3600

    /// Seconds from now; 0 when the origin is to be asked each time, nil when nothing may be kept at all.
    let seconds: Int?

    /// Whether the source may be used beyond that when the origin cannot be asked (RFC 5861 §4).
    let allowsStale: Bool

    /// What an origin's answer says.
    ///
    /// What several clients share is meant by `private` and `s-maxage` (§5.2.2), for all callers share a source.
    ///
    /// - Parameters:
    ///   - image: The answer, also one that says that nothing has changed.
    ///   - now: Seconds since 1970.
    init(of image: FetchedImage, now: Int) {
        let directives = CacheDirectives(image.cacheControl ?? "")
        let forbids = directives.contains("no-store") || directives.contains("private")
        let mustAsk = directives.contains("no-cache")
        allowsStale =
            !forbids && !mustAsk && !directives.contains("must-revalidate") && !directives.contains("proxy-revalidate")
        let stated =
            directives.seconds("s-maxage") ?? directives.seconds("max-age")
            ?? image.expires.map { $0 - (image.date ?? now) }
        let lifetime = stated.map { $0 - (image.age ?? 0) } ?? Self.unstated
        seconds = forbids ? nil : mustAsk ? 0 : min(max(0, lifetime), Self.longest)
    }
}
