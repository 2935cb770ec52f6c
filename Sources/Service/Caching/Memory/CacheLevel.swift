/// The cache level that contained a value.
package enum CacheLevel: Hashable, Sendable {
    case memory
    /// Redis.
    case shared
    /// The result store: a folder or a bucket.
    case stored
}
