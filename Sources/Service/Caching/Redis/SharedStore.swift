/// A second cache level, shared with other processes.
///
/// It may be slow, full or unavailable: lookups then return nil quickly, and writes are dropped.
package protocol SharedStore: Sendable {
    /// The bytes of a key; nil if there are none, or they are not available in time.
    func bytes(for key: String) async -> [UInt8]?

    /// Stores bytes in the background, on a best-effort basis.
    func keep(_ bytes: [UInt8], for key: String, lifetime: Duration)
}
