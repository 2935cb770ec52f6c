/// A second cache level that processes share.
///
/// It may be slow, full or unavailable. Lookups then return nil quickly, and writes are dropped.
package protocol SharedStore: Sendable {
    /// Returns the bytes for a key; nil if the key is missing, or if the bytes are not available in time.
    func bytes(for key: String) async -> [UInt8]?

    /// Stores bytes in the background, on a best-effort basis.
    ///
    /// - Parameters:
    ///   - bytes: The value.
    ///   - key: The key, without the prefix of the store.
    ///   - lifetime: The time until the store removes the value, in whole seconds; a fraction is dropped.
    func keep(_ bytes: [UInt8], for key: String, lifetime: Duration)
}
