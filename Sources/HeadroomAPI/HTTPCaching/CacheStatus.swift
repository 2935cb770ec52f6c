/// Values of the `Cache-Status` field (RFC 9211) that describe the result cache.
enum CacheStatus {
    private static let name = "headroom"

    /// The picture was cached, in memory or, if `isShared`, in Redis.
    static func hit(isShared: Bool) -> String { isShared ? "\(name); hit; detail=shared" : "\(name); hit" }

    /// The picture was not cached; `isJoined` when the request joined a job in progress (single flight).
    static func miss(isJoined: Bool) -> String { isJoined ? "\(name); fwd=miss; collapsed" : "\(name); fwd=miss" }
}
