/// The content of a location with a size limit.
package struct StoreUsage: Hashable, Sendable {
    /// The known size of all values, in bytes.
    package var bytes: Int
    /// The size limit in bytes.
    package var limit: Int
    /// The number of values that were removed to free space.
    package var evictions: Int
}
