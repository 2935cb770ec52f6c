/// What the cache of results did for an answer, as the value of `Cache-Status` (RFC 9211).
enum CacheStatus {
    private static let name = "headroom"

    /// The picture was there, in memory or in what processes share.
    static func hit(isShared: Bool) -> String { isShared ? "\(name); hit; detail=shared" : "\(name); hit" }

    /// It was made now; `isJoined` when that had begun for another request.
    static func miss(isJoined: Bool) -> String { isJoined ? "\(name); fwd=miss; collapsed" : "\(name); fwd=miss" }
}
