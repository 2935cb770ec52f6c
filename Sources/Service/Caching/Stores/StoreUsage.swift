/// The content of a place with a byte limit.
package struct StoreUsage: Hashable, Sendable {
    /// The known size of all values, in bytes.
    package var bytes: Int
    /// The byte limit.
    package var limit: Int
    /// Values that were removed to make room.
    package var evictions: Int
}
